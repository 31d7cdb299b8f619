// Bulk copies of a thread: bytes that follow each other, or a box of a tensor. They are done when they are
// issued, and their barrier is told at once: nobody may look at what they bring before that was waited for.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <span>

#include "events/records.h"
#include "exec/accessible.h"
#include "exec/block-slot.h"
#include "exec/bulk-form.h"
#include "exec/callbacks.h"
#include "exec/run-state.h"
#include "exec/scalar/float-ops.h"
#include "exec/scalar/memory-barrier.h"
#include "exec/tensor-rows.h"

namespace lockstep::exec {
namespace {

using Combine = BulkForm::Combine;
using Direction = BulkForm::Direction;

constexpr std::uint64_t piece =
    16;  // bytes that a swizzle keeps together; all of a copy's sizes are multiples

std::byte* at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

// What is in memory becomes what `next` makes of it, whoever else changes it meanwhile.
template <class T, class Next>
void change(std::uint64_t address, Next next) {
    std::atomic_ref<T> place(*reinterpret_cast<T*>(address));
    T old = place.load(std::memory_order_relaxed);
    while (!place.compare_exchange_weak(old, next(old))) {
    }
}

template <class T>
T given_as(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class T>
void combine_integers(Combine combine, std::uint64_t address, const std::byte* from) {
    const T given = given_as<T>(from);
    change<T>(address, [&](T old) -> T {
        switch (combine) {
            case Combine::add:
                return static_cast<T>(static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(given));
            case Combine::min: return std::min(old, given);
            case Combine::max: return std::max(old, given);
            case Combine::inc: return old >= given ? T{0} : static_cast<T>(old + 1);
            case Combine::dec: return old == 0 || old > given ? given : static_cast<T>(old - 1);
            case Combine::and_: return old & given;
            case Combine::or_: return old | given;
            case Combine::xor_: return old ^ given;
            case Combine::none: break;
        }
        return given;
    });
}

template <class T>
void add_floats(std::uint64_t address, const std::byte* from) {
    const T given = given_as<T>(from);
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    change<Bits>(address, [&](Bits old) { return std::bit_cast<Bits>(std::bit_cast<T>(old) + given); });
}

// f16 and bf16, with the functions that add and compare them everywhere else.
void combine_halves(Combine combine, bool brain, std::uint64_t address, const std::byte* from) {
    const char* const name = combine == Combine::add   ? (brain ? "add.rn.bf16" : "add.rn.f16")
                             : combine == Combine::min ? (brain ? "min.bf16" : "min.f16")
                                                       : (brain ? "max.bf16" : "max.f16");
    const auto function =
        reinterpret_cast<std::uint32_t (*)(std::uint32_t, std::uint32_t)>(find_float_op(name)->address);
    const auto given = given_as<std::uint16_t>(from);
    change<std::uint16_t>(
        address, [&](std::uint16_t old) { return static_cast<std::uint16_t>(function(old, given)); });
}

bool can_combine(Combine combine, TensorElement element) {
    const bool logic = combine == Combine::and_ || combine == Combine::or_ || combine == Combine::xor_;
    const bool counts = combine == Combine::inc || combine == Combine::dec;
    switch (element) {
        case TensorElement::u32: return true;
        case TensorElement::s32:
        case TensorElement::u64: return !counts;
        case TensorElement::s64: return combine == Combine::min || combine == Combine::max;
        case TensorElement::f16:
        case TensorElement::bf16: return !logic && !counts;
        case TensorElement::f32:
        case TensorElement::f64:
        case TensorElement::f32_ftz:
        case TensorElement::tf32:
        case TensorElement::tf32_ftz: return combine == Combine::add;
        default: return false;
    }
}

void combine_element(Combine combine, TensorElement element, std::uint64_t address, const std::byte* from) {
    switch (element) {
        case TensorElement::u32: return combine_integers<std::uint32_t>(combine, address, from);
        case TensorElement::s32: return combine_integers<std::int32_t>(combine, address, from);
        case TensorElement::u64: return combine_integers<std::uint64_t>(combine, address, from);
        case TensorElement::s64: return combine_integers<std::int64_t>(combine, address, from);
        case TensorElement::f64: return add_floats<double>(address, from);
        case TensorElement::f16:
        case TensorElement::bf16:
            return combine_halves(combine, element == TensorElement::bf16, address, from);
        default: return add_floats<float>(address, from);
    }
}

// The shared memory of a block, and the byte of it where a copy begins.
struct SharedPlace {
    std::byte* memory = nullptr;
    std::uint64_t offset = 0;
};

class BulkCopy {
  public:
    BulkCopy(WarpContext& ctx, std::uint32_t site, std::uint32_t checks, BulkForm form,
             const std::uint64_t* operands)
        : ctx_(ctx), site_(site), checks_(checks), form_(form), operands_(operands) {
        watched_ = ctx.slot->watched && ctx.slot->run.grid.wants.has(events::Wants::accesses) &&
                   form.direction != Direction::between_shared;
        tells_shared_ = ctx.slot->watched && ctx.slot->run.grid.wants.has(events::Wants::texels);
    }

    // The fault is returned, since a fault leaves the stack without destroying what lies on it.
    std::optional<Fault> run(std::uint32_t mask) {
        for (; mask; mask &= mask - 1) {
            lane_ = static_cast<std::uint32_t>(std::countr_zero(mask));
            touched_.clear();
            phase_ = 0;
            in_shared_.clear();
            promised_ = 0;
            if (auto fault = form_.rank ? tensor() : plain()) {
                if (!ctx_.slot->run.grid.launch.bad_accesses) return fault;
                ctx_.slot->fault_and_go_on(ctx_, std::move(*fault), 1u << lane_);
                // Threads wait for what does not come.
                if (promised_) arrive(promised_);
            }
            if (watched_ || tells_shared_) tell();
        }
        return std::nullopt;
    }

  private:
    std::uint64_t operand(BulkOperand which, std::uint32_t further = 0) const {
        return operands_[(static_cast<std::size_t>(which) + further) * warp_lanes + lane_];
    }
    std::uint32_t check(BulkSite which) const { return checks_ + static_cast<std::uint32_t>(which); }
    Fault fault(FaultKind kind, const std::string& what) const {
        return fault_at(ctx_, kind, site_, static_cast<int>(lane_), what);
    }

    // Null: the bytes are there; the window is remembered in `found`.
    std::optional<Fault> find(BulkSite which, std::uint64_t address, std::uint64_t bytes,
                              Window& found) const {
        auto window = find_accessible(ctx_, check(which), address, bytes, lane_);
        if (Fault* fault = std::get_if<Fault>(&window)) return std::move(*fault);
        found = std::get<Window>(window);
        return std::nullopt;
    }

    // ---- bytes that follow each other
    std::optional<Fault> plain() {
        const std::uint64_t bytes = operand(BulkOperand::bytes);
        if (bytes % piece)
            return fault(
                FaultKind::misaligned_address,
                fmt::format("a bulk copy of {} bytes: they must be a multiple of {} (on a GPU it would "
                            "never be done)",
                            bytes, piece));
        const std::uint64_t to = operand(BulkOperand::to), from = operand(BulkOperand::from);
        if (bytes == 0) return arrive(0);
        promised_ = bytes;
        Window window;
        if (auto fault = find(BulkSite::from, from, bytes, window)) return fault;
        if (auto fault = find(BulkSite::to, to, bytes, window)) return fault;
        if (form_.direction != Direction::between_shared)
            touch(form_.direction == Direction::to_shared ? from : to, bytes);
        if (form_.direction == Direction::to_global) touch_shared(SharedPlace{at(from), 0}, bytes);
        if (form_.combine == Combine::none) {
            if (auto fault = for_each_block(window, to, [&](SharedPlace place) {
                    std::memmove(place.memory + place.offset, at(from), bytes);
                    if (form_.direction != Direction::to_global) touch_shared(place, bytes);
                }))
                return fault;
        } else {
            const std::uint32_t size = bytes_of(form_.element);
            for (std::uint64_t i = 0; i < bytes; i += size)
                combine_element(form_.combine, form_.element, to + i, at(from + i));
        }
        return arrive(bytes);
    }

    // Calls `put` with the place where the copy goes: one, or one in each block that it is cast to.
    template <class Put>
    std::optional<Fault> for_each_block(const Window& window, std::uint64_t to, Put put) {
        const std::uint64_t offset = to - window.begin;
        if (!form_.multicast) {
            put(SharedPlace{at(window.begin), offset});
            return std::nullopt;
        }
        for (auto blocks = static_cast<std::uint32_t>(operand(BulkOperand::blocks) & 0xffff); blocks;
             blocks &= blocks - 1) {
            const auto rank = static_cast<std::uint32_t>(std::countr_zero(blocks));
            if (rank >= ctx_.cluster_size)
                return fault(
                    FaultKind::illegal_instruction,
                    fmt::format("a bulk copy to block {} of a cluster that has {}", rank, ctx_.cluster_size));
            put(SharedPlace{const_cast<std::byte*>(ctx_.cluster_shared[rank + 1]), offset});
        }
        return std::nullopt;
    }

    // The barrier, in each of these blocks, learns that bytes have come.
    std::optional<Fault> arrive(std::uint64_t bytes) {
        promised_ = 0;
        if (form_.direction == Direction::to_global) return std::nullopt;
        const std::uint64_t barrier = operand(BulkOperand::barrier);
        Window window;
        if (auto fault = find(BulkSite::barrier, barrier, 8, window)) return fault;
        return for_each_block(window, barrier, [&](SharedPlace place) {
            auto* const object = reinterpret_cast<std::uint64_t*>(place.memory + place.offset);
            memory_barrier_complete(object, bytes, 0);
            if (watched_ && place.memory == ctx_.shared)
                phase_ = ctx_.slot->phases.arrive(reinterpret_cast<std::uint64_t>(object),
                                                  *object >> memory_barrier_phase);
        });
    }

    // ---- a box of a tensor
    std::optional<Fault> tensor() {
        const bool loads = form_.direction == Direction::to_shared;
        const std::uint64_t map_at = operand(loads ? BulkOperand::from : BulkOperand::to);
        const std::uint64_t shared = operand(loads ? BulkOperand::to : BulkOperand::from);
        Window window;
        if (auto fault = find(BulkSite::map, map_at, sizeof(TensorMap), window)) return fault;
        // Of parameters it is the place among them that counts.
        if ((map_at - (window.begin == reinterpret_cast<std::uint64_t>(ctx_.params) ? window.begin : 0)) %
            alignof(TensorMap))
            return fault(FaultKind::misaligned_address,
                         fmt::format("the tensor map at {:#x} is not at a multiple of {}", map_at,
                                     alignof(TensorMap)));
        std::memcpy(static_cast<void*>(&map_), at(map_at), sizeof map_);
        if (auto fault = check_map()) return fault;
        promised_ = box_bytes();
        if (auto fault = find(loads ? BulkSite::to : BulkSite::from, shared, piece, window)) return fault;
        window_ = window;
        known_ = {};
        // By its place in the block's memory, which is anywhere in the host's.
        constexpr std::uint64_t alignment = 128;
        if ((shared - window.begin) % alignment)
            return fault(
                FaultKind::misaligned_address,
                fmt::format("a tensor copy with byte {} of shared memory: it must be a multiple of {}",
                            shared - window.begin, alignment));

        if (!loads) {
            const SharedPlace place{at(window.begin), shared - window.begin};
            touch_shared(place, box_bytes());
            return rows(place);
        }
        std::optional<Fault> failed;
        if (auto fault = for_each_block(window, shared, [&](SharedPlace place) {
                if (!failed) failed = rows(place);
                touch_shared(place, box_bytes());
            }))
            return fault;
        if (failed) return failed;
        return arrive(box_bytes());
    }

    std::optional<Fault> check_map() const {
        if (map_.marked != TensorMap::mark)
            return fault(FaultKind::illegal_instruction,
                         "the operand of a tensor copy is no tensor map that cuTensorMapEncodeTiled or "
                         "cuTensorMapEncodeIm2col made");
        if (map_.im2col != form_.im2col)
            return fault(FaultKind::illegal_instruction,
                         fmt::format("a tensor copy {} with a map that {} made",
                                     form_.im2col ? "of pixels (.im2col)" : "of a box",
                                     map_.im2col ? "cuTensorMapEncodeIm2col" : "cuTensorMapEncodeTiled"));
        if (map_.address % piece)
            return fault(
                FaultKind::illegal_instruction,
                fmt::format("a tensor copy with a map whose tensor's address {:#x} is not a multiple of {}",
                            map_.address, piece));
        if (map_.rank != form_.rank)
            return fault(FaultKind::illegal_instruction,
                         fmt::format("a {}-dimensional tensor copy with a map of a {}-dimensional tensor",
                                     form_.rank, map_.rank));
        if (form_.combine != Combine::none && !can_combine(form_.combine, map_.element))
            return fault(FaultKind::illegal_instruction,
                         "the elements of this tensor cannot be reduced with this operation");
        return check_coordinates();
    }

    std::optional<Fault> check_coordinates() const {
        const bool writes = form_.direction == Direction::to_global;
        for (std::uint32_t i = 0; form_.im2col && i < map_.spatial(); ++i) {
            const std::uint32_t d = map_.first_spatial() + i;
            if (coordinate(d) < map_.first_pixel(d) || coordinate(d) > map_.last_pixel(d))
                return fault(
                    FaultKind::illegal_instruction,
                    fmt::format("a tensor copy of pixels from coordinate {} of dimension {} on, but its "
                                "map has those from {} to {}",
                                coordinate(d), d, map_.first_pixel(d), map_.last_pixel(d)));
            if (writes && (map_.lower[i] < 0 || map_.upper[i] > 0))
                return fault(FaultKind::illegal_instruction,
                             fmt::format("a tensor copy writes pixels, and those of its map reach from {} to "
                                         "{} of dimension {}, beyond the tensor",
                                         map_.first_pixel(d), map_.last_pixel(d), d));
        }
        const std::int64_t first = coordinate(0), size = map_.unit_bytes();
        if (first * size % static_cast<std::int64_t>(piece))
            return fault(FaultKind::illegal_instruction,
                         fmt::format("a tensor copy from coordinate {} on, byte {} of a row: it must be a "
                                     "multiple of {}",
                                     first, first * size, piece));
        if (!writes) return std::nullopt;
        for (std::uint32_t d = 0; d < map_.rank; ++d)
            if (coordinate(d) < 0)
                return fault(FaultKind::illegal_instruction,
                             fmt::format("a tensor copy writes from coordinate {} of dimension {} on: writes "
                                         "begin inside the tensor",
                                         coordinate(d), d));
        return std::nullopt;
    }

    std::int64_t coordinate(std::uint32_t dimension) const {
        return static_cast<std::int32_t>(operand(BulkOperand::coordinates, dimension));
    }

    std::uint64_t row_bytes() const { return std::uint64_t{map_.row_units()} * map_.unit_bytes(); }
    // From one row to the next in shared memory: with a swizzle a row has all that is exchanged, be it so
    // long or not; slices stand side by side.
    std::uint64_t row_pitch() const {
        return map_.swizzle && !map_.interleave ? piece << map_.swizzle : row_bytes();
    }
    std::uint64_t box_bytes() const { return row_bytes() * tensor_rows().count(); }

    TensorRows tensor_rows() const {
        TensorPoint from{}, offsets{};
        for (std::uint32_t d = 0; d < map_.rank; ++d) from[d] = coordinate(d);
        if (form_.im2col && form_.direction == Direction::to_shared)
            for (std::uint32_t i = 0; i < map_.spatial(); ++i)
                offsets[map_.first_spatial() + i] =
                    static_cast<std::int64_t>(operand(BulkOperand::offsets, i));
        return {map_, from, offsets};
    }

    // Where a byte of the box is: the pieces of a line are exchanged by the line's number.
    std::uint64_t swizzled(std::uint64_t offset) const {
        if (map_.swizzle == 0) return offset;
        const std::uint64_t pieces = (std::uint64_t{1} << map_.swizzle) - 1;
        return offset ^ (offset >> 7 & pieces) << 4;
    }

    std::optional<Fault> rows(SharedPlace place) {
        const std::uint64_t pitch = row_pitch();
        TensorRows rows = tensor_rows();
        for (std::uint64_t row = 0; row < rows.count(); ++row, rows.advance())
            if (auto fault = one_row(rows.point(), {place.memory, place.offset + row * pitch})) return fault;
        return std::nullopt;
    }

    std::optional<Fault> one_row(const TensorPoint& point, SharedPlace place) {
        const std::uint64_t size = map_.unit_bytes(), row = row_bytes();
        const std::int64_t start = point[0], units = map_.row_units();
        std::uint64_t address = map_.address;
        bool inside = true;
        for (std::uint32_t d = 1; d < map_.rank; ++d) {
            inside &= point[d] >= 0 && point[d] <= std::int64_t{map_.last[d]};
            address += static_cast<std::uint64_t>(point[d]) * map_.strides[d - 1];
        }
        // Elements of the row that the tensor has.
        const std::int64_t first = std::clamp<std::int64_t>(-start, 0, units);
        const std::int64_t end =
            inside ? std::clamp<std::int64_t>(std::int64_t{map_.last[0]} + 1 - start, first, units) : first;
        address += static_cast<std::uint64_t>(start + first) * size;
        const std::uint64_t begin_byte = static_cast<std::uint64_t>(first) * size;
        std::uint64_t end_byte = static_cast<std::uint64_t>(end) * size;
        if (end > first) {
            if (auto fault = reach(address, end_byte - begin_byte)) return fault;
            // Writes end with a piece, as far as there is memory: what lies between the tensor's rows is
            // written, too.
            const std::uint64_t whole = (end_byte + piece - 1) / piece * piece;
            if (form_.direction == Direction::to_global && !reach(address, whole - begin_byte))
                end_byte = whole;
            touch(address, end_byte - begin_byte);
        }
        if (form_.direction == Direction::to_shared)
            return load_row(place, row, address, begin_byte, end_byte);
        return write_row(place, row, address, begin_byte, end_byte);
    }

    // The global side, of which the next row mostly lies in the same allocation.
    std::optional<Fault> reach(std::uint64_t address, std::uint64_t bytes) {
        if (bytes <= known_.size && address - known_.begin <= known_.size - bytes) return std::nullopt;
        Window found;
        const BulkSite side = form_.direction == Direction::to_shared ? BulkSite::from : BulkSite::to;
        if (auto fault = find(side, address, bytes, found)) return fault;
        if (found.remembered) known_ = found;
        return std::nullopt;
    }

    // `use` has each piece of the row, in order: where it is in shared memory.
    template <class Use>
    std::optional<Fault> pieces(SharedPlace place, std::uint64_t row, Use use) {
        for (std::uint64_t i = 0; i < row; i += piece) {
            const std::uint64_t offset = swizzled(place.offset + i);
            if (offset > window_.size || window_.size - offset < piece)
                return fault(FaultKind::illegal_address,
                             fmt::format("the box of a tensor copy, {} bytes, reaches to byte {} of shared "
                                         "memory, but the block has {}",
                                         box_bytes(), offset + piece, window_.size));
            use(i, place.memory + offset);
        }
        return std::nullopt;
    }

    // Zeros, or NaN, where the tensor has nothing.
    std::optional<Fault> load_row(SharedPlace place, std::uint64_t row, std::uint64_t address,
                                  std::uint64_t begin, std::uint64_t end) {
        return pieces(place, row, [&](std::uint64_t i, std::byte* to) {
            const std::uint64_t first = std::max(i, begin), last = std::min(i + piece, end);
            if (last < i + piece || first > i) fill(to);
            if (first >= last) return;
            std::memcpy(to + (first - i), at(address + (first - begin)), last - first);
            if (map_.element == TensorElement::tf32 || map_.element == TensorElement::tf32_ftz)
                for (std::uint64_t b = first; b < last; b += sizeof(float)) round_to_tf32(to + (b - i));
        });
    }
    // A NaN in 16 bits, whatever the elements are.
    void fill(std::byte* to) const {
        constexpr std::uint16_t nan = 0x7ff7;
        std::memset(to, 0, piece);
        if (!map_.fills_with_nan) return;
        for (std::uint64_t i = 0; i < piece; i += sizeof nan) std::memcpy(to + i, &nan, sizeof nan);
    }
    // To the nearest, of two to the even one; denormals too.
    static void round_to_tf32(std::byte* at) {
        constexpr std::uint32_t dropped = 0x1fff, half = 0x1000, nan = 0x7fffe000, infinity = 0x7f800000;
        std::uint32_t bits;
        std::memcpy(&bits, at, sizeof bits);
        if ((bits & ~(1u << 31)) > infinity)
            bits = nan;
        else
            bits = (bits + half - 1 + (bits >> 13 & 1)) & ~dropped;
        std::memcpy(at, &bits, sizeof bits);
    }

    std::optional<Fault> write_row(SharedPlace place, std::uint64_t row, std::uint64_t address,
                                   std::uint64_t begin, std::uint64_t end) {
        const std::uint32_t size = bytes_of(map_.element);
        return pieces(place, row, [&](std::uint64_t i, const std::byte* from) {
            const std::uint64_t first = std::max(i, begin), last = std::min(i + piece, end);
            if (first >= last) return;
            if (form_.combine == Combine::none) {
                std::memcpy(at(address + (first - begin)), from + (first - i), last - first);
                return;
            }
            for (std::uint64_t b = first; b < last; b += size)
                combine_element(form_.combine, map_.element, address + (b - begin), from + (b - i));
        });
    }

    // ---- what observers are told
    void touch(std::uint64_t address, std::uint64_t bytes) {
        if (!watched_) return;
        if (!touched_.empty() && touched_.back().address + touched_.back().bytes == address)
            touched_.back().bytes += static_cast<std::uint32_t>(bytes);
        else
            touched_.push_back({address, static_cast<std::uint32_t>(bytes), 0});
    }

    // What of shared memory the copy writes, or reads where it goes to global memory.
    void touch_shared(SharedPlace place, std::uint64_t bytes) {
        if (!tells_shared_) return;
        in_shared_.push_back({reinterpret_cast<std::uint64_t>(place.memory) + place.offset,
                              static_cast<std::uint32_t>(bytes), 0});
        // The block's own comes first.
        if (place.memory == ctx_.shared) std::swap(in_shared_.front(), in_shared_.back());
    }

    void tell() {
        events::BulkAccess record{};
        record.word = events::tagged(events::BulkAccess::tag, site_);
        record.mask = 1u << lane_;
        record.phase = phase_;
        const auto append = [&] {
            ctx_.slot->append(ctx_, std::as_bytes(std::span(&record, 1)).first(record.size()));
            record.begins = 0;
        };
        std::size_t next = 0, written = 0;
        const auto take_written = [&] {
            record.shared = written < in_shared_.size() ? in_shared_[written++] : events::ByteRange{};
        };
        if (watched_) {
            record.begins = 1;
            do {
                record.count = static_cast<std::uint32_t>(
                    std::min<std::size_t>(touched_.size() - next, events::BulkAccess::most_ranges));
                std::copy_n(touched_.begin() + static_cast<std::ptrdiff_t>(next), record.count,
                            record.ranges);
                take_written();
                append();
                next += record.count;
            } while (next < touched_.size());
        }
        // Other blocks' memory, and copies that touch no other.
        for (record.count = 0; written < in_shared_.size();) {
            take_written();
            append();
        }
    }

    WarpContext& ctx_;
    const std::uint32_t site_, checks_;
    const BulkForm form_;
    const std::uint64_t* operands_;
    std::uint32_t lane_ = 0;
    bool watched_ = false, tells_shared_ = false;
    TensorMap map_;
    Window window_;  // of the shared side
    Window known_;   // of the global side
    std::uint32_t phase_ = 0;
    std::uint64_t promised_ = 0;                // bytes that the barrier has not been told of yet
    std::vector<events::ByteRange> touched_;    // of global memory
    std::vector<events::ByteRange> in_shared_;  // the block's own, if it is, first
};

std::optional<Fault> copy_bulk(WarpContext& ctx, std::uint32_t site, std::uint32_t checks, std::uint64_t form,
                               std::uint32_t mask, const std::uint64_t* operands) {
    return BulkCopy(ctx, site, checks, BulkForm::of(form), operands).run(mask);
}

}  // namespace

extern "C" void callback_bulk_copy(WarpContext* ctx, std::uint32_t site, std::uint32_t checks,
                                   std::uint64_t form, std::uint32_t mask, const std::uint64_t* operands) {
    if (auto fault = copy_bulk(*ctx, site, checks, form, mask, operands)) ctx->slot->fault(std::move(*fault));
}

}  // namespace lockstep::exec
