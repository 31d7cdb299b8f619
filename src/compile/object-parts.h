// What is added to an object behind the compiler's back: sections and symbols, as the assembler's text.
#pragma once
#include <filesystem>
#include <string>

#include "base/result.h"
#include "compile/process.h"
#include "compile/toolchain.h"

namespace lockstep::compile {

// A command of which only success is wanted; `what` begins the error.
Result<void> must_run(const Arguments& command, const std::string& what,
                      const std::filesystem::path& scratch);

// objcopy, of the system or of LLVM, with these options before the file.
Result<void> run_objcopy(Arguments options, const std::filesystem::path& file,
                         const std::filesystem::path& scratch);

Result<std::filesystem::path> assemble(const Toolchain& toolchain, const std::string& assembly,
                                       const std::filesystem::path& scratch);

// Assembles the text and joins it with the object.
Result<void> add_to_object(const Toolchain& toolchain, const std::filesystem::path& object,
                           const std::string& assembly, const std::filesystem::path& scratch);

}  // namespace lockstep::compile
