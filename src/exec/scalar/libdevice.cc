#include "exec/scalar/libdevice.h"

#include <algorithm>

#include "exec/scalar/libdevice-groups.h"

namespace lockstep::exec {

namespace {

const ScalarTable& table() {
    static const ScalarTable all = [] {
        ScalarTable t;
        add_libdevice_double(t);
        add_libdevice_float(t);
        add_libdevice_arithmetic(t);
        add_libdevice_integer(t);
        return t;
    }();
    return all;
}

}  // namespace

const LibFunction* find_lib_function(std::string_view name) { return table().find(name); }

std::vector<std::string_view> lib_function_names() {
    std::vector<std::string_view> names;
    for (const auto& [name, row] : table().rows()) names.push_back(name);
    std::ranges::sort(names);
    return names;
}

}  // namespace lockstep::exec
