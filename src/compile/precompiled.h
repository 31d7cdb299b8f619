// CUDA's headers, as clang has read them: kept in the cache, so that a small piece of code that is compiled
// while a program runs need not wait for them.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file-cache.h"
#include "base/result.h"
#include "compile/unit.h"

namespace lockstep::compile {

// What -include-pch takes for code with these flags; those that name macros, folders and headers do not
// count. `more`: headers of ours that the code includes, beside those that all code has.
Result<std::filesystem::path> precompiled_headers(const Toolchain& toolchain, const Flags& flags,
                                                  const std::vector<std::string>& more,
                                                  const base::FileCache& files);

// Of the headers that take long, those that `source` includes at once. None where macros decide what is in
// them.
std::vector<std::string> long_headers_in(std::string_view source, const Flags& flags);

}  // namespace lockstep::compile
