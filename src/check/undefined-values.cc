#include "check/undefined-values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "kernel/accesses.h"
#include "kernel/graph.h"
#include "kernel/operands.h"

namespace lockstep::check {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

constexpr std::uint8_t all_of(int bytes) { return static_cast<std::uint8_t>((1u << bytes) - 1); }
// From the lowest such byte up: where a carry goes.
constexpr std::uint8_t and_above(std::uint8_t bytes) {
    return bytes ? static_cast<std::uint8_t>(~((bytes & -bytes) - 1)) : bytes;
}

// Which bytes of an immediate are 0, and which are 0xff.
std::uint8_t bytes_that_are(std::uint64_t bits, std::uint8_t byte) {
    std::uint8_t found = 0;
    for (int i = 0; i < 8; ++i)
        if ((bits >> 8 * i & 0xff) == byte) found |= static_cast<std::uint8_t>(1u << i);
    return found;
}

}  // namespace

std::uint32_t Origins::add(const std::string& key, const std::function<Finding()>& make) {
    const auto [known, fresh] = known_.try_emplace(key, static_cast<std::uint32_t>(all_.size()));
    if (fresh) all_.push_back(make());
    return known->second;
}

void Origins::drop(const std::string& key) {
    if (const auto known = known_.find(key); known != known_.end()) all_[known->second].places.clear();
}

std::string UndefinedValues::key_of(std::uint32_t site) const {
    return code_.name + '\0' + std::to_string(site);
}

void UndefinedValues::finish(const std::set<std::uint32_t>& racing) {
    for (const std::uint32_t site : racing) origins_.drop(key_of(site));
    for (const auto& [what, times] : decided_) {
        if (origins_.dropped(what.first)) continue;
        Finding finding = origins_.finding(what.first);
        finding.message += ", and it " + what.second;
        finding.count = times;
        findings_.add(std::move(finding));
    }
}

bool UndefinedValues::Value::none() const {
    return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; });
}

UndefinedValues::UndefinedValues(const KernelCode& code, std::uint32_t warps, Definedness& memory,
                                 Origins& origins, Findings& findings, Who who)
    : code_(code),
      memory_(memory),
      origins_(origins),
      findings_(findings),
      who_(std::move(who)),
      warps_of_block_(warps) {
    std::vector<std::uint32_t> first;
    for (std::uint32_t f = 0; f < code.kernel->functions.size(); ++f)
        first.push_back(code.kernel->first_block(f));
    for (const kernel::Site& site : code.kernel->sites)
        site_block_.push_back(first[site.function] + site.block);
}

void UndefinedValues::come_to(std::uint64_t block) {
    running_ = &blocks_[block];
    block_number_ = block;
    if (running_->empty() && !unused_.empty()) {
        *running_ = std::move(unused_.back());
        unused_.pop_back();
    }
    if (running_->empty()) running_->resize(warps_of_block_);
}

void UndefinedValues::block_begins(const events::Windows& windows) {
    if (windows.shared.size) memory_.set(windows.shared.begin, windows.shared.size, Byte::unwritten);
}

void UndefinedValues::warp_begins() {
    warp_->begun = true;
    // What functions write that are called is not told.
    if (windows_->local.size && !code_.calls)
        memory_.set(windows_->local.begin, windows_->local.size, Byte::unwritten);
}

void UndefinedValues::block_ended(std::uint64_t block) {
    const auto ended = blocks_.find(block);
    if (ended == blocks_.end()) return;
    for (Warp& warp : ended->second) warp.values.clear(), warp.begun = false;
    unused_.push_back(std::move(ended->second));
    blocks_.erase(ended);
    running_ = nullptr;
    warp_ = nullptr;
}

const kernel::Function& UndefinedValues::function() const {
    return code_.kernel->functions[code_.kernel->blocks[warp_->block].function];
}

int UndefinedValues::register_bytes(const Operand& operand) const {
    return operand.kind == Operand::Kind::reg ? ptx::type_bytes(function().registers[operand.id].type) : 4;
}

// ---- memory ----

std::uint32_t UndefinedValues::origin_of(std::uint32_t site, int lane, std::uint64_t address) {
    const kernel::Site& at = code_.kernel->sites[site];
    return origins_.add(key_of(site), [&] {
        Finding finding{.kind_of = Class::init, .kind = "uninitialised-read", .kernel = code_.name};
        const bool shared = windows_->in_shared(address), local = windows_->local.contains(address);
        finding.message = shared  ? "shared memory is read that no thread of the block has written"
                          : local ? "a thread's own array is read where the thread has not written it"
                                  : "memory is read that nothing has written since it was allocated";
        finding.advice = shared || local ? "write every element that is read, in the edge cases too"
                                         : "initialise it (cudaMemset counts in bytes), or copy to all of it";
        finding.places = {code_.place(site, kernel::is_atomic(at.kind) ? "atomic" : "read",
                                      who_(static_cast<std::uint32_t>(block_number_), warp_number_, lane))};
        finding.details = {{"space", shared  ? "shared"
                                     : local ? "local"
                                             : "global"},
                           {"size", std::to_string(at.bytes)},
                           {"address", fmt::format("{:#x}", address)}};
        return finding;
    });
}

void UndefinedValues::access(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                             const events::Windows& windows) {
    const kernel::Site& at = code_.kernel->sites[site];
    const auto bytes = static_cast<std::uint64_t>(at.bytes);
    // Most accesses, of warps that hold nothing undefined, are to a stretch of memory that is whole.
    if (warp_->values.empty() && !code_.sites[site].async &&
        (!windows.local.contains(first) || !code_.calls) &&
        (stride == 0 || stride == static_cast<std::int64_t>(bytes))) {
        const int low = std::countr_zero(mask), high = 31 - std::countl_zero(mask);
        const std::uint64_t begin = first + static_cast<std::uint64_t>(stride * low);
        const std::uint64_t size = stride == 0 ? bytes : bytes * static_cast<std::uint64_t>(high - low + 1);
        const bool whole = stride == 0 || std::popcount(mask) == high - low + 1;
        if (at.kind == kernel::SiteKind::load && memory_.all_defined(begin, size)) return;
        if (at.kind == kernel::SiteKind::store && whole) return memory_.set(begin, size, Byte::defined);
    }
    std::uint64_t addresses[warp_lanes];
    for (int lane = 0; lane < warp_lanes; ++lane)
        addresses[lane] = first + static_cast<std::uint64_t>(stride * lane);
    access(site, mask, addresses, windows);
}

void UndefinedValues::access(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                             const events::Windows& windows) {
    const kernel::Site& at = code_.kernel->sites[site];
    // Most loads, of warps that hold nothing undefined, are from somewhere in memory that is whole.
    if (warp_->values.empty() && at.kind == kernel::SiteKind::load && !code_.sites[site].async) {
        std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
        const auto widen = [&](int lane) {
            lowest = std::min(lowest, addresses[lane]);
            highest = std::max(highest, addresses[lane]);
        };
        if (mask == ~Lanes{0})
            for (int lane = 0; lane < warp_lanes; ++lane) widen(lane);
        else
            each_lane(mask, widen);
        constexpr std::uint64_t far = 1 << 16;  // more than a look at all of it is worth
        if (highest - lowest < far &&
            memory_.all_defined(lowest, highest - lowest + static_cast<std::uint64_t>(at.bytes)))
            return;
    }
    const ptx::Instruction& inst = code_.instruction(site);
    if (!warp_->values.empty()) {
        follow(site_block_[site], at.instruction);
        for (const Operand& operand : inst.operands)
            if (operand.kind == Operand::Kind::address)
                if (const Value* const address = value(operand.elements[0]))
                    decides(*address, mask, "is used as an address");
    }
    // Parameters are not looked at, nor a thread's own memory where functions are called.
    Lanes own = 0;
    each_lane(mask, [&](int lane) {
        if ((code_.calls && windows.local.contains(addresses[lane])) ||
            windows.params.contains(addresses[lane]))
            own |= Lanes{1} << lane;
    });
    mask &= ~own;
    if (mask && code_.sites[site].async) {
        if (at.kind == kernel::SiteKind::load)
            each_lane(mask,
                      [&](int lane) { warp_->source[static_cast<std::size_t>(lane)] = addresses[lane]; });
        else
            each_lane(mask, [&](int lane) {
                memory_.copy(addresses[lane], warp_->source[static_cast<std::size_t>(lane)],
                             static_cast<std::uint64_t>(at.bytes));
            });
        return;
    }
    if (inst.opcode == Opcode::ld || inst.opcode == Opcode::ldu)
        load(site, mask, addresses);
    else if (inst.opcode == Opcode::atom || inst.opcode == Opcode::red)
        exchange(site, mask, addresses);
    else if (code_.sites[site].writes)
        store(site, mask, addresses);
    if (!warp_->values.empty()) {
        warp_->block = site_block_[site];
        warp_->next = at.instruction + 1;
    }
}

void UndefinedValues::undefined_result(std::uint32_t numbered_block, std::uint32_t instruction, Lanes lanes,
                                       std::uint32_t origin) {
    if (!warp_->values.empty()) follow(numbered_block, instruction);
    warp_->block = numbered_block;
    warp_->next = instruction;
    const ptx::Instruction& inst = instruction_at(numbered_block, instruction);
    if (!warp_->values.empty()) evaluate(inst);
    warp_->next = instruction + 1;
    const Operand& to = inst.operands[0];
    Value value{.derived = lanes, .origin = origin};
    each_lane(lanes, [&](int lane) {
        value.bytes[static_cast<std::size_t>(lane)] = all_of(std::min(register_bytes(to), 8));
    });
    // Which lanes took part was told.
    ptx::Instruction unguarded = inst;
    unguarded.guard.reset();
    put(unguarded, to, value, lanes);
}

Lanes UndefinedValues::with_made_up_operand(std::uint32_t numbered_block, std::uint32_t instruction,
                                            Lanes lanes) {
    if (warp_->values.empty()) return 0;
    follow(numbered_block, instruction);
    const ptx::Instruction& inst = instruction_at(numbered_block, instruction);
    Lanes found = 0;
    for (const Operand& operand : inst.operands)
        if (const Value* const with = value(operand)) found |= with->made_up & lanes;
    if (inst.guard)
        if (const auto with = warp_->values.find(inst.guard->reg); with != warp_->values.end())
            found |= with->second.made_up & lanes;
    return found;
}

const ptx::Instruction& UndefinedValues::instruction_at(std::uint32_t numbered_block,
                                                        std::uint32_t instruction) const {
    const kernel::NumberedBlock& at = code_.kernel->blocks[numbered_block];
    return code_.kernel->functions[at.function].blocks[at.block].instructions[instruction];
}

void UndefinedValues::left_out(std::uint32_t site, Lanes lanes) {
    const ptx::Instruction& inst = code_.instruction(site);
    const bool loads = inst.opcode == Opcode::ld || inst.opcode == Opcode::ldu;
    if (!loads && inst.opcode != Opcode::atom) return;
    const auto make_up = [&](const Operand& to) {
        if (to.kind != Operand::Kind::reg) return;
        Value value{.derived = lanes, .made_up = lanes};
        each_lane(lanes, [&](int lane) {
            value.bytes[static_cast<std::size_t>(lane)] = all_of(std::min(register_bytes(to), 8));
        });
        put(inst, to, value, lanes);
    };
    if (!warp_->values.empty()) follow(site_block_[site], code_.kernel->sites[site].instruction);
    warp_->block = site_block_[site];
    warp_->next = code_.kernel->sites[site].instruction + 1;
    const Operand& to = inst.operands[0];
    if (to.kind == Operand::Kind::vector)
        for (const Operand& part : to.elements) make_up(part);
    else
        make_up(to);
}

Lanes UndefinedValues::with_made_up_address(std::uint32_t site, Lanes lanes) {
    if (warp_->values.empty()) return 0;
    follow(site_block_[site], code_.kernel->sites[site].instruction);
    Lanes found = 0;
    for (const Operand& operand : code_.instruction(site).operands)
        if (operand.kind == Operand::Kind::address)
            if (const Value* const address = value(operand.elements[0])) found |= address->made_up & lanes;
    return found;
}

void UndefinedValues::load(std::uint32_t site, Lanes mask, const std::uint64_t* addresses) {
    const ptx::Instruction& inst = code_.instruction(site);
    const kernel::Site& at = code_.kernel->sites[site];
    const auto bytes = static_cast<std::uint64_t>(at.bytes);
    Lanes undefined = 0;
    each_lane(mask, [&](int lane) {
        if (!memory_.all_defined(addresses[lane], bytes)) undefined |= Lanes{1} << lane;
    });
    if (!undefined && warp_->values.empty()) return;
    // Registers of a vector have a part each.
    const Operand& to = inst.operands[0];
    const int count = kernel::vector_count(inst), element = ptx::type_bytes(inst.type());
    warp_->block = site_block_[site];
    for (int i = 0; i < count; ++i) {
        const Operand& part =
            to.kind == Operand::Kind::vector ? to.elements[static_cast<std::size_t>(i)] : to;
        if (part.kind != Operand::Kind::reg) continue;
        Value loaded;
        each_lane(undefined, [&](int lane) {
            const std::uint64_t begin = addresses[lane] + static_cast<std::uint64_t>(i * element);
            std::uint8_t& mask_of = loaded.bytes[static_cast<std::size_t>(lane)];
            for (int b = 0; b < element && b < 8; ++b) {
                const Byte state = memory_.at(begin + static_cast<std::uint64_t>(b));
                if (state == Byte::defined) continue;
                mask_of |= static_cast<std::uint8_t>(1u << b);
                if (state == Byte::derived) loaded.derived |= Lanes{1} << lane;
                if (loaded.origin_of(lane) == 0)
                    loaded.came_from(state == Byte::unwritten
                                         ? origin_of(site, lane, begin)
                                         : memory_.origin(begin + static_cast<std::uint64_t>(b)),
                                     lane);
            }
            if (mask_of && loaded.origin_of(lane) == 0) loaded.came_from(origin_of(site, lane, begin), lane);
            // Sign extension, or zeros above.
            if (ptx::is_signed(inst.type()) && (mask_of >> (element - 1) & 1))
                mask_of |= static_cast<std::uint8_t>(all_of(register_bytes(part)) & ~all_of(element));
        });
        put(inst, part, loaded, mask);
    }
}

void UndefinedValues::store(std::uint32_t site, Lanes mask, const std::uint64_t* addresses) {
    const ptx::Instruction& inst = code_.instruction(site);
    const auto bytes = static_cast<std::uint64_t>(code_.kernel->sites[site].bytes);
    each_lane(mask, [&](int lane) { memory_.set(addresses[lane], bytes, Byte::defined); });
    if (warp_->values.empty() || inst.opcode != Opcode::st) return;
    const Operand& from = inst.operands[1];
    const int count = kernel::vector_count(inst), element = ptx::type_bytes(inst.type());
    for (int i = 0; i < count; ++i) {
        const Operand& part =
            from.kind == Operand::Kind::vector ? from.elements[static_cast<std::size_t>(i)] : from;
        const Value* const stored = value(part);
        if (!stored) continue;
        each_lane(mask, [&](int lane) {
            const std::uint8_t undefined = stored->bytes[static_cast<std::size_t>(lane)] & all_of(element);
            if (!undefined) return;
            const std::uint64_t begin = addresses[lane] + static_cast<std::uint64_t>(i * element);
            const Byte state = stored->derived >> lane & 1 ? Byte::derived : Byte::copied;
            for (int b = 0; b < element; ++b)
                if (undefined >> b & 1) memory_.set(begin + static_cast<std::uint64_t>(b), 1, state);
            memory_.set_origin(begin, static_cast<std::uint64_t>(element), stored->origin_of(lane));
        });
    }
}

// An atomic computes with what is in memory.
void UndefinedValues::exchange(std::uint32_t site, Lanes mask, const std::uint64_t* addresses) {
    const ptx::Instruction& inst = code_.instruction(site);
    const auto bytes = static_cast<std::uint64_t>(code_.kernel->sites[site].bytes);
    const bool replaces = inst.has(Modifier::exch);
    const bool returns = inst.opcode == Opcode::atom;
    const Operand& given = inst.operands[returns ? 2 : 1];
    const Value* const operand = value(given);
    Value old;
    warp_->block = site_block_[site];
    each_lane(mask, [&](int lane) {
        const bool was = memory_.all_defined(addresses[lane], bytes);
        const bool good = !operand || operand->bytes[static_cast<std::size_t>(lane)] == 0;
        if (!was) {
            std::uint32_t origin = memory_.origin(addresses[lane]);
            if (memory_.at(addresses[lane]) == Byte::unwritten || origin == 0)
                origin = origin_of(site, lane, addresses[lane]);
            old.bytes[static_cast<std::size_t>(lane)] =
                all_of(static_cast<int>(std::min<std::uint64_t>(bytes, 8)));
            old.derived |= Lanes{1} << lane;
            old.came_from(origin, lane);
        }
        if ((was || replaces) && good) return memory_.set(addresses[lane], bytes, Byte::defined);
        memory_.set(addresses[lane], bytes, Byte::derived);
        memory_.set_origin(addresses[lane], bytes,
                           was || replaces ? operand->origin_of(lane) : old.origin_of(lane));
    });
    if (returns && (!old.none() || !warp_->values.empty())) put(inst, inst.operands[0], old, mask);
}

// ---- registers ----

const UndefinedValues::Value* UndefinedValues::value(const Operand& operand) const {
    if (operand.kind != Operand::Kind::reg) return nullptr;
    const auto found = warp_->values.find(operand.id);
    return found == warp_->values.end() ? nullptr : &found->second;
}

// Lanes of the register get this value. Where the instruction has a guard, whose value is not known here,
// what is defined on one of the two ways counts as defined.
void UndefinedValues::put(const ptx::Instruction& inst, const Operand& operand, const Value& value,
                          Lanes lanes) {
    if (operand.kind == Operand::Kind::pair) {
        for (const Operand& part : operand.elements) put(inst, part, value, lanes);
        return;
    }
    if (operand.kind != Operand::Kind::reg) return;
    const auto known = warp_->values.find(operand.id);
    const bool nothing = value.none();
    if (known == warp_->values.end() && nothing) return;
    // Accesses know which lanes took part.
    const bool guarded = inst.guard && kernel::accesses_of(function(), inst).empty();
    if (guarded && (known == warp_->values.end() || nothing)) {
        if (known == warp_->values.end()) return;
        each_lane(lanes, [&](int lane) { known->second.bytes[static_cast<std::size_t>(lane)] = 0; });
        if (known->second.none()) warp_->values.erase(known);
        return;
    }
    Value& after = warp_->values[operand.id];
    each_lane(lanes, [&](int lane) {
        const auto l = static_cast<std::size_t>(lane);
        const Lanes bit = Lanes{1} << lane;
        after.bytes[l] = guarded ? after.bytes[l] & value.bytes[l] : value.bytes[l];
        after.derived = (after.derived & ~bit) | (value.derived & bit);
        after.made_up = (after.made_up & ~bit) | (value.made_up & bit);
    });
    if (value.origin) after.origin = value.origin;
    if (after.none()) warp_->values.erase(operand.id);
}

void UndefinedValues::decides(const Value& value, Lanes lanes, const char* what) {
    Lanes bad = 0;
    each_lane(lanes & ~value.made_up, [&](int lane) {
        if (value.bytes[static_cast<std::size_t>(lane)]) bad |= Lanes{1} << lane;
    });
    if (!bad || value.origin == 0) return;
    ++decided_[{value.origin, what}];
}

// ---- code ----

void UndefinedValues::finish_block() {
    const kernel::NumberedBlock& at = code_.kernel->blocks[warp_->block];
    const kernel::Block& block = code_.kernel->functions[at.function].blocks[at.block];
    follow(warp_->block, static_cast<std::uint32_t>(block.instructions.size()));
    if (warp_->values.empty()) return;
    if (block.terminator.guard) {
        Operand guard;
        guard.kind = Operand::Kind::reg;
        guard.id = block.terminator.guard->reg;
        if (const Value* const condition = value(guard))
            decides(*condition, warp_->lanes, "decides a branch");
    }
    // What always follows has no record of its own.
    if (block.terminator.kind != kernel::Terminator::Kind::jump) return;
    const std::uint32_t next = warp_->block - at.block + block.terminator.targets[0];
    if (code_.kernel->blocks[next].entered_with != code_.kernel->blocks[warp_->block].entered_with) return;
    warp_->block = next;
    warp_->next = 0;
    finish_block();
}

void UndefinedValues::follow(std::uint32_t numbered_block, std::uint32_t instruction) {
    while (warp_->block != numbered_block) {
        const kernel::NumberedBlock& at = code_.kernel->blocks[warp_->block];
        const kernel::Block& block = code_.kernel->functions[at.function].blocks[at.block];
        const std::uint32_t before = warp_->block;
        follow(before, static_cast<std::uint32_t>(block.instructions.size()));
        if (block.terminator.kind != kernel::Terminator::Kind::jump ||
            code_.kernel->blocks[numbered_block].entered_with != code_.kernel->blocks[before].entered_with) {
            // Another function's, or a way that was not told: nothing is known any more.
            warp_->values.clear();
            warp_->block = numbered_block;
            warp_->next = instruction;
            return;
        }
        warp_->block = before - at.block + block.terminator.targets[0];
        warp_->next = 0;
    }
    const kernel::NumberedBlock& at = code_.kernel->blocks[numbered_block];
    const auto& instructions = code_.kernel->functions[at.function].blocks[at.block].instructions;
    for (; warp_->next < instruction && !warp_->values.empty(); ++warp_->next)
        evaluate(instructions[warp_->next]);
    warp_->next = instruction;
}

void UndefinedValues::evaluate_shuffle(const ptx::Instruction& inst) {
    const Value* const from = value(inst.operands[1]);
    Value result;
    if (from) {
        const bool known = inst.operands[2].kind == Operand::Kind::integer;
        const auto b = static_cast<int>(inst.operands[2].bits & 31);
        result.origin = from->origin;
        each_lane(warp_->lanes, [&](int lane) {
            int source = lane;
            if (known) {
                source = inst.has(Modifier::up)     ? lane - b
                         : inst.has(Modifier::down) ? lane + b
                         : inst.has(Modifier::bfly) ? lane ^ b
                                                    : b;
                if (source < 0 || source >= warp_lanes) source = lane;
            }
            result.bytes[static_cast<std::size_t>(lane)] = from->bytes[static_cast<std::size_t>(source)];
            if (from->derived >> source & 1) result.derived |= Lanes{1} << lane;
            if (from->made_up >> source & 1) result.made_up |= Lanes{1} << lane;
        });
        // From a lane that is not known: only if all have nothing better.
        if (!known)
            each_lane(warp_->lanes, [&](int lane) {
                std::uint8_t common = 0xff;
                each_lane(warp_->lanes,
                          [&](int other) { common &= from->bytes[static_cast<std::size_t>(other)]; });
                result.bytes[static_cast<std::size_t>(lane)] = common;
            });
    }
    put(inst, inst.operands[0].kind == Operand::Kind::pair ? inst.operands[0].elements[0] : inst.operands[0],
        result, warp_->lanes);
}

void UndefinedValues::evaluate(const ptx::Instruction& inst) {
    const auto& ops = inst.operands;
    const Lanes lanes = warp_->lanes;
    if (inst.opcode == Opcode::call) return warp_->values.clear();
    if (inst.opcode == Opcode::shfl) return evaluate_shuffle(inst);
    // Accesses have records, where lanes took part.
    if (!kernel::accesses_of(function(), inst).empty() && inst.opcode != Opcode::wmma &&
        inst.opcode != Opcode::ldmatrix)
        return;
    // By lane: f(bytes of the sources) for the destination.
    const auto combine = [&](auto f, bool derives) {
        Value result;
        const Value* sources[4] = {};
        bool any = false;
        for (std::size_t i = 1; i < std::min<std::size_t>(ops.size(), 5); ++i) {
            sources[i - 1] = value(ops[i]);
            any |= sources[i - 1] != nullptr;
        }
        if (any) {
            each_lane(lanes, [&](int lane) {
                const auto l = static_cast<std::size_t>(lane);
                std::uint8_t in[4] = {};
                Lanes derived = 0;
                for (int i = 0; i < 4; ++i)
                    if (sources[i]) {
                        in[i] = sources[i]->bytes[l];
                        if (in[i])
                            derived |= sources[i]->derived & Lanes{1} << lane,
                                result.came_from(sources[i]->origin_of(lane), lane);
                    }
                result.bytes[l] = f(in);
                if (result.bytes[l]) result.derived |= derives ? Lanes{1} << lane : derived;
            });
        }
        put(inst, ops[0], result, lanes);
    };
    if (ops.empty()) return;
    const int bytes = register_bytes(ops[0].kind == Operand::Kind::pair ? ops[0].elements[0] : ops[0]);
    const std::uint8_t whole = all_of(std::min(bytes, 8));
    const auto number = [&](std::size_t i) {
        return ops.size() > i && ops[i].kind == Operand::Kind::integer;
    };
    const auto any = [&](const std::uint8_t* in) -> std::uint8_t {
        return (in[0] | in[1] | in[2] | in[3]) ? whole : 0;
    };
    switch (inst.opcode) {
        case Opcode::mov: {
            if (ops[0].kind == Operand::Kind::vector) {  // unpack
                const Value* const from = value(ops[1]);
                int at = 0;
                for (const Operand& part : ops[0].elements) {
                    const int width = register_bytes(part);
                    Value result;
                    if (from) {
                        result.origin = from->origin;
                        result.derived = from->derived;
                        result.made_up = from->made_up;
                        each_lane(lanes, [&](int lane) {
                            result.bytes[static_cast<std::size_t>(lane)] = static_cast<std::uint8_t>(
                                from->bytes[static_cast<std::size_t>(lane)] >> at & all_of(width));
                        });
                    }
                    put(inst, part, result, lanes);
                    at += width;
                }
                return;
            }
            if (ops[1].kind == Operand::Kind::vector) {  // pack
                Value result;
                int at = 0;
                for (const Operand& part : ops[1].elements) {
                    if (const Value* const from = value(part)) {
                        result.origin = from->origin;
                        result.derived |= from->derived;
                        result.made_up |= from->made_up;
                        each_lane(lanes, [&](int lane) {
                            result.bytes[static_cast<std::size_t>(lane)] |=
                                static_cast<std::uint8_t>(from->bytes[static_cast<std::size_t>(lane)] << at);
                        });
                    }
                    at += register_bytes(part);
                }
                put(inst, ops[0], result, lanes);
                return;
            }
            return combine([&](const std::uint8_t* in) -> std::uint8_t { return in[0] & whole; }, false);
        }
        case Opcode::cvt: {
            const bool whole_numbers = !ptx::is_float(inst.types[0]) && !ptx::is_float(inst.types[1]);
            if (!whole_numbers) return combine(any, true);
            const int from = ptx::type_bytes(inst.types[1]), to = ptx::type_bytes(inst.types[0]);
            const bool extends = ptx::is_signed(inst.types[1]);
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    std::uint8_t low = in[0] & all_of(std::min(from, to));
                    if (extends && to > from && (in[0] >> (from - 1) & 1))
                        low |= static_cast<std::uint8_t>(whole & ~all_of(from));
                    return low;
                },
                false);
        }
        case Opcode::and_:
        case Opcode::or_: {
            // A number hides the bytes that it decides alone.
            const std::uint8_t decisive = inst.opcode == Opcode::and_ ? 0 : 0xff;
            std::uint8_t hidden = 0;
            for (std::size_t i = 1; i < ops.size(); ++i)
                if (number(i)) hidden |= bytes_that_are(ops[i].bits, decisive);
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    return static_cast<std::uint8_t>((in[0] | in[1]) & ~hidden & whole);
                },
                true);
        }
        case Opcode::xor_:
        case Opcode::not_:
        case Opcode::lop3:
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t { return (in[0] | in[1] | in[2]) & whole; },
                true);
        case Opcode::shl:
        case Opcode::shr: {
            if (!number(2)) return combine(any, true);
            const auto bits = static_cast<int>(std::min<std::uint64_t>(ops[2].bits, 64));
            const bool left = inst.opcode == Opcode::shl;
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    const unsigned source = in[0];
                    const unsigned moved = left ? source << bits / 8 : source >> bits / 8;
                    const unsigned edge = bits % 8 == 0 ? 0u : left ? moved << 1 : moved >> 1;
                    return static_cast<std::uint8_t>((moved | edge) & whole);
                },
                false);
        }
        case Opcode::prmt: {
            if (!number(3)) return combine(any, true);
            const std::uint64_t selector = ops[3].bits;
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    const unsigned both = (in[0] & 15u) | (in[1] & 15u) << 4;
                    unsigned result = 0;
                    for (int i = 0; i < 4; ++i)
                        if (both >> (selector >> 4 * i & 7) & 1) result |= 1u << i;
                    return static_cast<std::uint8_t>(result);
                },
                false);
        }
        case Opcode::add:
        case Opcode::sub:
        case Opcode::mul:
        case Opcode::mad:
            if (ptx::is_float(inst.type())) return combine(any, true);
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    return and_above(in[0] | in[1] | in[2]) & whole;
                },
                true);
        case Opcode::selp: {
            // Which of the two it takes is not known here.
            const Value* const chosen = value(ops[3]);
            return combine(
                [&](const std::uint8_t* in) -> std::uint8_t {
                    return (chosen && in[2]) ? whole : static_cast<std::uint8_t>(in[0] & in[1]);
                },
                false);
        }
        default: return combine(any, true);
    }
}

}  // namespace lockstep::check
