// Finds what lockstep brings along: headers, GPU models, the runtime library. The build directory and an
// installation are laid out alike, so that everything is found relative to the command or the library itself,
// wherever they have been moved to:
//     <root>/lockstep or <root>/bin/lockstep        the command
//     <root>/lib or <root>/lib/lockstep             libcudart.so.12, libcudart.so.13
//     <root>/share/lockstep/include, …/gpus, …/labs, …/examples, …/toolkit, …/hardware, …/judges   data (in
//     the build directory: links to the source tree)
#pragma once
#include <filesystem>

#include "base/result.h"

namespace lockstep::base {

// The file that holds the code at `address`: a shared library, or the program itself. Null: the program.
std::filesystem::path module_file(const void* address = nullptr);

// share/lockstep/NAME, for example "include" or "gpus".
Result<std::filesystem::path> find_resource(const std::string& name, const void* address = nullptr);

// The directory that holds libcudart.so.12.
Result<std::filesystem::path> find_library_dir(const void* address = nullptr);

}  // namespace lockstep::base
