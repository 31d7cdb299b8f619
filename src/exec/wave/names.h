// Taking names of instructions apart.
#pragma once
#include <string_view>

namespace lockstep::exec::wave {

inline bool takes_prefix(std::string_view& name, std::string_view prefix) {
    if (!name.starts_with(prefix)) return false;
    name.remove_prefix(prefix.size());
    return true;
}

inline bool takes_suffix(std::string_view& name, std::string_view suffix) {
    if (!name.ends_with(suffix)) return false;
    name.remove_suffix(suffix.size());
    return true;
}

}  // namespace lockstep::exec::wave
