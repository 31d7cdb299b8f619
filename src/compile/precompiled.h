// CUDA's and HIP's headers, as clang has read them: kept in the cache, since reading them is most of what
// compiling a short program takes.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file-cache.h"
#include "base/result.h"
#include "compile/commands.h"

namespace lockstep::compile {

// For the passes over files with these flags, made now where they are not there yet. None where an option
// may have effects that are not known here, where there are several architectures, or without a cache.
Precompiled precompiled_for(const Toolchain& toolchain, const Flags& flags, Language language, bool host,
                            const base::FileCache& files);

// For the device pass of code that is compiled while a program runs, which comes in small pieces with macros
// of their own: flags that name macros, folders and headers do not count. `more`: headers of ours that the
// code includes, beside those that all code has.
Result<std::filesystem::path> precompiled_at_run_time(const Toolchain& toolchain, const Flags& flags,
                                                      const std::vector<std::string>& more,
                                                      const base::FileCache& files);

// Of the headers that take long, those that `source` includes at once. None where macros decide what is in
// them.
std::vector<std::string> long_headers_in(std::string_view source, const Flags& flags);

}  // namespace lockstep::compile
