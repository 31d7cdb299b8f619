// Device code of several HIP files (-fgpu-rdc). An object keeps its device code as LLVM's IR, in a section of
// its own, and a symbol for each function and variable that files share (device-symbols.h), so that it is the
// system's linker that takes members out of archives and tells what is defined nowhere or twice. What it has
// linked then says which files belong together: their IR becomes one module and that the GPU's code, as
// hipcc's linker does it, across files.
#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "compile/device-symbols.h"
#include "compile/offload-bundle.h"
#include "compile/toolchain.h"

namespace lockstep::compile {

// Of LLVM's IR as text.
DeviceSymbols ir_symbols(std::string_view ir);

// clang names a static variable that the host uses anew, so that files can have the same: but only where it
// comes by after having seen that use. Kernels before it have the old name, which this replaces.
std::string with_late_names(std::string ir);

// The object of a file's host code gets its device code, an entry a target.
Result<void> add_relocatable_code(const Toolchain& toolchain, const std::filesystem::path& object,
                                  std::span<const BundleEntry> device, const std::filesystem::path& scratch);

// Whether these are a linker's complaints of objects that need link_relocatable.
bool wants_device_link(std::string_view linker_messages);

// Links a program of such objects: `link` makes the program of all objects and one more. Returns its
// messages.
using LinkWith = std::function<Result<std::string>(const std::filesystem::path& more)>;
Result<std::string> link_relocatable(const Toolchain& toolchain, const std::filesystem::path& program,
                                     const LinkWith& link);

}  // namespace lockstep::compile
