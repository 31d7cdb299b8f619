// A figure that was fitted, measured or read off somewhere, as the tables of such figures have it
// (machine/ptxas.def, timing/fit.def): documents and tests go through the tables.
#pragma once
#include <string_view>

namespace lockstep {

struct Figure {
    std::string_view name;
    std::string_view value;  // as written
    std::string_view meaning;
    std::string_view source;  // "[P] …": the tags are explained where the figures are documented
};

}  // namespace lockstep
