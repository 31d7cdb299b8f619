#include "exec/barrier-phases.h"

#include <bit>
#include <span>

#include "events/records.h"
#include "exec/block-slot.h"
#include "exec/callbacks.h"
#include "exec/run-state.h"
#include "exec/scalar/memory-barrier.h"

namespace lockstep::exec {

std::uint32_t BarrierPhases::arrive(std::uint64_t barrier, bool parity) {
    const auto [known, fresh] = barriers_.try_emplace(barrier);
    Barrier& state = known->second;
    if (fresh) state = {.current = ++last_, .parity = parity};
    const std::uint32_t phase = state.current;
    if (parity != state.parity) state = {.current = ++last_, .ended = phase, .parity = parity};
    return phase;
}

std::uint32_t BarrierPhases::ended(std::uint64_t barrier) const {
    const auto known = barriers_.find(barrier);
    return known == barriers_.end() ? 0 : known->second.ended;
}

// The lanes of a warp have one barrier, mostly; where they have several, the first speaks for them.
extern "C" void callback_barrier_event(WarpContext* ctx, std::uint32_t site, std::uint32_t kind,
                                       std::uint32_t mask, const std::uint64_t* addresses) {
    if (!mask || !ctx->slot->watched) return;
    const std::uint64_t barrier = addresses[std::countr_zero(mask)];
    // Of another block: what it does there, this one does not wait for.
    if (barrier - reinterpret_cast<std::uint64_t>(ctx->shared) >= ctx->shared_bytes) return;
    BarrierPhases& phases = ctx->slot->phases;
    events::PhaseRecord record{};
    switch (static_cast<MemoryBarrierEvent>(kind)) {
        case MemoryBarrierEvent::init: phases.init(barrier); return;
        case MemoryBarrierEvent::arrival:
            record.phase = phases.arrive(
                barrier, *reinterpret_cast<const std::uint64_t*>(barrier) >> memory_barrier_phase);
            break;
        case MemoryBarrierEvent::wait:
            record.phase = phases.ended(barrier);
            record.waits = 1;
            break;
    }
    if (record.phase == 0) return;
    record.word = events::tagged(events::PhaseRecord::tag, site);
    record.mask = mask;
    ctx->slot->append(*ctx, std::as_bytes(std::span(&record, 1)));
}

}  // namespace lockstep::exec
