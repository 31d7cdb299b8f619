#include "ptx/modifiers.h"

#include <array>
#include <unordered_map>

namespace lockstep::ptx {
namespace {

constexpr std::array spellings{
#define LOCKSTEP_MODIFIER(name, spelling) std::string_view{spelling},
#include "ptx/modifiers.def"
#undef LOCKSTEP_MODIFIER
};
static_assert(spellings.size() < 256, "Modifier is one byte");

}  // namespace

std::string_view modifier_name(Modifier modifier) { return spellings[static_cast<std::size_t>(modifier)]; }

std::optional<Modifier> parse_modifier(std::string_view spelling) {
    static const auto by_spelling = [] {
        std::unordered_map<std::string_view, Modifier> map;
        for (std::size_t i = 0; i < spellings.size(); ++i)
            map.emplace(spellings[i], static_cast<Modifier>(i));
        return map;
    }();
    auto found = by_spelling.find(spelling);
    if (found == by_spelling.end()) return std::nullopt;
    return found->second;
}

}  // namespace lockstep::ptx
