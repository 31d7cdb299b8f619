#include "compile/object-parts.h"

#include <fmt/format.h>

#include "compile/files.h"

namespace lockstep::compile {

namespace fs = std::filesystem;

Result<void> must_run(const Arguments& command, const std::string& what, const fs::path& scratch) {
    auto finished = run(command, scratch);
    if (!finished) return finished.error();
    if (!finished->status.ok()) return Error{what + ": " + finished->errors, {}};
    return {};
}

Result<void> run_objcopy(Arguments options, const fs::path& file, const fs::path& scratch) {
    auto program = find_program("objcopy");
    if (!program) program = find_program("llvm-objcopy-19");
    if (!program) return Error{"separate compilation needs objcopy (package binutils)", {}};
    options.insert(options.begin(), program->string());
    options.push_back(file.string());
    return must_run(options, "objcopy", scratch);
}

Result<fs::path> assemble(const Toolchain& toolchain, const std::string& assembly, const fs::path& scratch) {
    const fs::path text = scratch / "part.s", part = scratch / "part.o";
    if (auto written = write_file(text, assembly); !written) return written.error();
    auto made =
        must_run({toolchain.clang.string(), "-c", "-x", "assembler", text.string(), "-o", part.string()},
                 "the assembler", scratch);
    if (!made) return made.error();
    return part;
}

Result<void> add_to_object(const Toolchain& toolchain, const fs::path& object, const std::string& assembly,
                           const fs::path& scratch) {
    const auto part = assemble(toolchain, assembly, scratch);
    if (!part) return part.error();
    const fs::path whole = scratch / "whole.o";
    if (auto joined = must_run({toolchain.clang.string(), "-r", "-nostdlib", object.string(), part->string(),
                                "-o", whole.string()},
                               "the linker", scratch);
        !joined)
        return joined;
    std::error_code error;
    fs::copy_file(whole, object, fs::copy_options::overwrite_existing, error);
    if (error) return Error{fmt::format("{}: {}", object.string(), error.message()), {}};
    return {};
}

}  // namespace lockstep::compile
