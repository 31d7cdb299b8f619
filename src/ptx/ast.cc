#include "ptx/ast.h"

namespace lockstep::ptx {

std::uint64_t Variable::element_size() const {
    return static_cast<std::uint64_t>(type_bytes(type)) * static_cast<std::uint64_t>(vector_width);
}

std::uint64_t Variable::size() const {
    std::uint64_t bytes = element_size();
    for (std::uint64_t extent : extents) bytes *= extent;
    return bytes;
}

std::uint64_t Variable::align() const { return alignment != 0 ? alignment : element_size(); }

}  // namespace lockstep::ptx
