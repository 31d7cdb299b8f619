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
    for (const auto& [what, decided] : decided_) {
        if (origins_.dropped(what.first)) continue;
        Finding finding = origins_.finding(what.first);
        finding.message += ", and it " + what.second;
        finding.count = decided.times;
        const Place &read = finding.places[0], &use = decided.place;
        if (use.line && (use.file != read.file || use.line != read.line))
            finding.places.insert(finding.places.begin() + finding.own_places, use);
        findings_.add(std::move(finding));
    }
}

bool UndefinedValues::Value::none() const {
    return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; });
}

UndefinedValues::UndefinedValues(const KernelCode& code, std::uint32_t warps, Definedness& memory,
                                 Origins& origins, Findings& findings, Who who, History history)
    : code_(code),
      nests_(has_calls(*code.kernel)),
      memory_(memory),
      origins_(origins),
      findings_(findings),
      who_(std::move(who)),
      history_(std::move(history)),
      warps_of_block_(warps) {
    std::vector<std::uint32_t> first;
    for (std::uint32_t f = 0; f < code.kernel->functions.size(); ++f)
        first.push_back(code.kernel->first_block(f));
    for (const kernel::Site& site : code.kernel->sites)
        site_block_.push_back(first[site.function] + site.block);
    for (std::uint32_t i = 0; i < code.kernel->sites.size(); ++i) {
        const kernel::Site& site = code.kernel->sites[i];
        const bool loads = site.kind == kernel::SiteKind::load, stores = site.kind == kernel::SiteKind::store;
        if ((loads || stores) && !code.sites[i].async)
            simple_.push_back({static_cast<std::uint32_t>(site.bytes), loads});
        else
            simple_.push_back({});
    }
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
    for (Warp& warp : ended->second)
        warp.values.clear(), warp.frames.clear(), warp.called = 0, warp.begun = false;
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
        code_.add_callers(finding.places, site);
        if (!shared && !local && history_)
            for (Place& place : history_(address)) finding.places.push_back(std::move(place));
        return finding;
    });
}

void UndefinedValues::access_lanes(std::uint32_t site, Lanes mask, std::uint64_t first, std::int64_t stride,
                                   const events::Windows& windows) {
    std::uint64_t addresses[warp_lanes];
    for (int lane = 0; lane < warp_lanes; ++lane)
        addresses[lane] = first + static_cast<std::uint64_t>(stride * lane);
    access(site, mask, addresses, windows);
}

void UndefinedValues::access(std::uint32_t site, Lanes mask, const std::uint64_t* addresses,
                             const events::Windows& windows) {
    const kernel::Site& at = code_.kernel->sites[site];
    if (nests_) come_back_to(site_block_[site]);
    // Most accesses, of warps that hold nothing undefined, are to somewhere in memory that is whole.
    if (warp_->values.empty() && simple_[site].bytes) {
        std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
        const auto widen = [&](int lane) {
            lowest = std::min(lowest, addresses[lane]);
            highest = std::max(highest, addresses[lane]);
        };
        if (mask == ~Lanes{0})
            for (int lane = 0; lane < warp_lanes; ++lane) widen(lane);
        else
            each_lane(mask, widen);
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
                    decides(*address, mask, "is used as an address", inst.source);
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
    else if (inst.opcode == Opcode::wmma || inst.opcode == Opcode::ldmatrix ||
             inst.opcode == Opcode::stmatrix)
        move_matrix(site, mask, addresses);
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
    if (nests_) come_back_to(numbered_block);
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
    if (nests_) come_back_to(numbered_block);
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
    if (nests_) come_back_to(site_block_[site]);
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
    if (nests_) come_back_to(site_block_[site]);
    if (warp_->values.empty()) return 0;
    follow(site_block_[site], code_.kernel->sites[site].instruction);
    Lanes found = 0;
    for (const Operand& operand : code_.instruction(site).operands)
        if (operand.kind == Operand::Kind::address)
            if (const Value* const address = value(operand.elements[0])) found |= address->made_up & lanes;
    return found;
}

void UndefinedValues::load_bytes(std::uint32_t site, int lane, std::uint64_t address, int bytes,
                                 int first_byte, Value& value) {
    std::uint8_t& undefined = value.bytes[static_cast<std::size_t>(lane)];
    for (int b = 0; b < bytes && first_byte + b < 8; ++b) {
        const std::uint64_t at = address + static_cast<std::uint64_t>(b);
        const Byte state = memory_.at(at);
        if (state == Byte::defined) continue;
        undefined |= static_cast<std::uint8_t>(1u << (first_byte + b));
        if (state == Byte::derived) value.derived |= Lanes{1} << lane;
        if (value.origin_of(lane) == 0)
            value.came_from(state == Byte::unwritten ? origin_of(site, lane, address) : memory_.origin(at),
                            lane);
    }
    if (undefined && value.origin_of(lane) == 0) value.came_from(origin_of(site, lane, address), lane);
}

void UndefinedValues::store_bytes(int lane, std::uint64_t address, int bytes, int first_byte,
                                  const Value& value) {
    const auto undefined =
        static_cast<std::uint8_t>(value.bytes[static_cast<std::size_t>(lane)] >> first_byte & all_of(bytes));
    if (!undefined) return;
    const Byte state = value.derived >> lane & 1 ? Byte::derived : Byte::copied;
    for (int b = 0; b < bytes; ++b)
        if (undefined >> b & 1) memory_.set(address + static_cast<std::uint64_t>(b), 1, state);
    memory_.set_origin(address, static_cast<std::uint64_t>(bytes), value.origin_of(lane));
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
            load_bytes(site, lane, addresses[lane] + static_cast<std::uint64_t>(i * element), element, 0,
                       loaded);
            std::uint8_t& mask_of = loaded.bytes[static_cast<std::size_t>(lane)];
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
    if (warp_->values.empty()) return;
    const Operand& from = inst.operands[1];
    const int count = kernel::vector_count(inst), element = ptx::type_bytes(inst.type());
    for (int i = 0; i < count; ++i) {
        const Operand& part =
            from.kind == Operand::Kind::vector ? from.elements[static_cast<std::size_t>(i)] : from;
        if (const Value* const stored = value(part))
            each_lane(mask, [&](int lane) {
                store_bytes(lane, addresses[lane] + static_cast<std::uint64_t>(i * element), element, 0,
                            *stored);
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

// How a texel becomes registers is the texture's affair: one that is not whole makes all of them undefined.
void UndefinedValues::texels(std::uint32_t site, const events::TexelAccess& record) {
    const bool writes = code_.sites[site].writes;
    Lanes undefined = 0;
    each_lane(record.mask, [&](int lane) {
        if (writes)
            memory_.set(record.addresses[lane], record.bytes, Byte::defined);
        else if (!memory_.all_defined(record.addresses[lane], record.bytes))
            undefined |= Lanes{1} << lane;
    });
    if (nests_) come_back_to(site_block_[site]);
    if (warp_->values.empty() && !undefined) return;
    const kernel::Site& at = code_.kernel->sites[site];
    if (record.part == 0 && !warp_->values.empty()) follow(site_block_[site], at.instruction);
    warp_->block = site_block_[site];
    const ptx::Instruction& inst = code_.instruction(site);
    const auto each_register = [](const Operand& operand, const auto& f) {
        if (operand.kind != Operand::Kind::vector) return f(operand, 0);
        for (std::size_t i = 0; i < operand.elements.size(); ++i) f(operand.elements[i], static_cast<int>(i));
    };
    if (writes && inst.opcode == Opcode::sust) {
        const int element = ptx::type_bytes(inst.type());
        each_register(inst.operands.back(), [&](const Operand& part, int i) {
            if (const Value* const stored = value(part))
                each_lane(record.mask, [&](int lane) {
                    store_bytes(lane, record.addresses[lane] + static_cast<std::uint64_t>(i * element),
                                element, 0, *stored);
                });
        });
    } else if (!writes) {
        each_register(inst.operands[0], [&](const Operand& part, int) {
            if (part.kind != Operand::Kind::reg) return;
            Value loaded{.derived = undefined};
            // What the texels before have made of it.
            if (const Value* const before = record.part ? value(part) : nullptr) loaded = *before;
            each_lane(undefined, [&](int lane) {
                load_bytes(site, lane, record.addresses[lane], static_cast<int>(record.bytes), 0, loaded);
                loaded.bytes[static_cast<std::size_t>(lane)] = all_of(std::min(register_bytes(part), 8));
                loaded.derived |= Lanes{1} << lane;
            });
            put(inst, part, loaded, record.mask);
        });
    }
    warp_->next = at.instruction + 1;
}

}  // namespace lockstep::check
