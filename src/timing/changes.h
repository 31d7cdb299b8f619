// What a launch can be imagined without (timing/imagine.h makes it so): a list, for those who read
// predictions.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace lockstep::timing {

enum class Change : std::uint8_t {
#define LOCKSTEP_CHANGE(name, meaning) name,
#include "timing/changes.def"
#undef LOCKSTEP_CHANGE
};

struct ChangeRow {
    std::string_view name;     // "bank_conflicts"
    std::string_view meaning;  // what is imagined, a clause
};
inline constexpr auto change_table = std::to_array<ChangeRow>({
#define LOCKSTEP_CHANGE(name, meaning) {#name, meaning},
#include "timing/changes.def"
#undef LOCKSTEP_CHANGE
});
constexpr std::size_t changes = change_table.size();

}  // namespace lockstep::timing
