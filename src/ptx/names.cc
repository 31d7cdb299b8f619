#include "ptx/names.h"

namespace lockstep::ptx {

void NameTable::close_scope() {
    while (!declared_names_.empty() && declared_names_.back().first == depth_) {
        names_[declared_names_.back().second].pop_back();
        declared_names_.pop_back();
    }
    while (!declared_families_.empty() && declared_families_.back().first == depth_) {
        families_[declared_families_.back().second].pop_back();
        declared_families_.pop_back();
    }
    --depth_;
}

bool NameTable::declare(std::string_view name, Symbol symbol) {
    std::uint32_t number = 0;
    const Family* family = find_family(name, number);
    if (family != nullptr && family->depth == depth_) return false;
    std::vector<Binding>& bindings = names_[name];
    if (!bindings.empty() && bindings.back().depth == depth_) return false;
    bindings.push_back({depth_, symbol, Type::none, {}});
    declared_names_.emplace_back(depth_, name);
    return true;
}

bool NameTable::declare_register(std::string_view name, Type type, std::uint32_t width) {
    Symbol symbol{width == 1 ? Symbol::Kind::reg : Symbol::Kind::vector_reg, 0, width};
    if (!declare(name, symbol)) return false;
    names_[name].back().type = type;
    return true;
}

bool NameTable::declare_registers(std::string_view prefix, std::uint32_t count, Type type) {
    std::vector<Family>& families = families_[prefix];
    if (!families.empty() && families.back().depth == depth_) return false;
    families.push_back({depth_, count, type, {}});
    declared_families_.emplace_back(depth_, prefix);
    return true;
}

std::uint32_t NameTable::add_register(std::string name, Type type) {
    registers_.push_back({std::move(name), type});
    return static_cast<std::uint32_t>(registers_.size() - 1);
}

// %r12 may be number 12 of %r<…> or number 2 of %r1<…>.
NameTable::Family* NameTable::find_family(std::string_view name, std::uint32_t& number) {
    Family* best = nullptr;
    std::uint64_t value = 0;
    std::uint64_t power = 1;
    for (std::size_t i = name.size(); i-- > 1 && name.size() - i <= 10;) {
        char c = name[i];
        if (c < '0' || c > '9') break;
        value += static_cast<std::uint64_t>(c - '0') * power;
        power *= 10;
        if (c == '0' && i + 1 != name.size()) continue;  // numbers are written without leading zeros
        auto found = families_.find(name.substr(0, i));
        if (found == families_.end() || found->second.empty()) continue;
        Family& family = found->second.back();
        if (value >= family.count || (best != nullptr && best->depth >= family.depth)) continue;
        best = &family;
        number = static_cast<std::uint32_t>(value);
    }
    return best;
}

std::optional<Symbol> NameTable::find(std::string_view name) {
    auto found = names_.find(name);
    Binding* binding = found != names_.end() && !found->second.empty() ? &found->second.back() : nullptr;
    std::uint32_t number = 0;
    Family* family = find_family(name, number);
    if (family != nullptr && (binding == nullptr || family->depth > binding->depth)) {
        auto [entry, first_use] = family->used.try_emplace(number, 0);
        if (first_use) entry->second = add_register(std::string(name), family->type);
        return Symbol{Symbol::Kind::reg, entry->second, 1};
    }
    if (binding == nullptr) return std::nullopt;
    if (binding->type != Type::none && binding->symbol.width == 1) {
        if (!binding->registers[0]) binding->registers[0] = add_register(std::string(name), binding->type);
        binding->symbol.id = *binding->registers[0];
    }
    return binding->symbol;
}

std::uint32_t NameTable::find_part(std::string_view vector_name, std::uint32_t part) {
    Binding& binding = names_.find(vector_name)->second.back();
    std::optional<std::uint32_t>& reg = binding.registers[part];
    if (!reg) reg = add_register(std::string(vector_name) + "_" + "xyzw"[part], binding.type);
    return *reg;
}

std::string UniqueNames::take(std::string name) {
    if (used_.insert(name).second) return name;
    std::uint32_t& next = next_[name];
    while (true) {
        std::string candidate = name + "$" + std::to_string(++next);
        if (used_.insert(candidate).second) return candidate;
    }
}

}  // namespace lockstep::ptx
