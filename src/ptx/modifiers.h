// Everything that may follow an opcode after a dot and is not a type. The enumerators are spelt as in PTX, with
// '_' for "::" and a trailing '_' where C++ would object.
#pragma once
#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace lockstep::ptx {

enum class Modifier : std::uint8_t {
#define LOCKSTEP_MODIFIER(name, spelling) name,
#include "ptx/modifiers.def"
#undef LOCKSTEP_MODIFIER
    count
};

std::string_view modifier_name(Modifier modifier);                    // "shared::cta"
std::optional<Modifier> parse_modifier(std::string_view spelling);    // without the dot

class ModifierSet {
  public:
    ModifierSet() = default;
    ModifierSet(std::initializer_list<Modifier> list) {
        for (Modifier m : list) add(m);
    }
    void add(Modifier m) { bits_.set(static_cast<std::size_t>(m)); }
    bool has(Modifier m) const { return bits_.test(static_cast<std::size_t>(m)); }
    bool operator==(const ModifierSet&) const = default;

  private:
    std::bitset<static_cast<std::size_t>(Modifier::count)> bits_;
};

}  // namespace lockstep::ptx
