// A function of CUDA's device math library by its name, to be called.
#pragma once
#include <stdexcept>
#include <string>

#include "exec/scalar/libdevice.h"

template <class R, class... A>
auto lib_function(const std::string& name) {
    const lockstep::exec::LibFunction* f = lockstep::exec::find_lib_function(name);
    if (!f) throw std::runtime_error("no " + name);
    return reinterpret_cast<R (*)(A...)>(f->address);
}
