#include "cli/device-code.h"

#include <fmt/format.h>

#include "compile/cache.h"
#include "compile/executable.h"
#include "compile/fatbin.h"
#include "compile/files.h"
#include "compile/precompiled.h"

namespace lockstep::cli {

namespace fs = std::filesystem;

Result<std::vector<DeviceText>> device_texts(const fs::path& file, const compile::Flags& flags) {
    if (auto good = compile::check_input(file); !good) return good.error();
    if (file.extension() == ".hip")
        return Error{
            fmt::format(
                "{}: HIP has no PTX; lockstep hipcc --offload-device-only -S {} shows the GPU's assembly",
                file.string(), file.string()),
            {}};
    if (file.extension() == ".cu") {
        auto toolchain = compile::find_toolchain();
        if (!toolchain) return toolchain.error();
        auto scratch = compile::TempDir::create();
        if (!scratch) return scratch.error();
        const fs::path ptx = scratch->path() / "device.ptx";
        compile::Flags with = flags;
        with.precompiled = compile::precompiled_for(*toolchain, flags, compile::Language::cuda, false,
                                                    compile::usable_cache());
        auto compiled = compile::compile_to_ptx(*toolchain, file, with, ptx);
        if (!compiled) return compiled.error();
        fmt::print(stderr, "{}", compiled->messages);
        return std::vector<DeviceText>{{file.string(), compile::read_file(ptx).value_or(""),
                                        flags.architectures.back(), 0, flags.relocatable, flags.assembler}};
    }
    if (compile::is_elf(file)) {
        auto fatbins = compile::fatbins_of(file);
        if (!fatbins) return fatbins.error();
        std::vector<DeviceText> texts;
        std::vector<int> machine_code;
        for (std::size_t group = 0; group < fatbins->size(); ++group)
            for (compile::FatbinPtx& entry : (*fatbins)[group].ptx) {
                ptx::AssemblerOptions assembler = flags.assembler;
                // What a compiler has written there it understood itself.
                (void)ptx::read_assembler_options(entry.options, assembler);
                texts.push_back({fmt::format("{}:sm_{}", file.string(), entry.sm), std::move(entry.text),
                                 entry.sm, group, entry.relocatable, assembler});
            }
        for (const compile::Fatbin& fatbin : *fatbins)
            machine_code.insert(machine_code.end(), fatbin.machine_code.begin(), fatbin.machine_code.end());
        if (texts.empty() && !machine_code.empty())
            return Error{file.string() + ": " + compile::machine_code_only_message(machine_code), {}};
        if (texts.empty()) return Error{file.string() + ": there is no PTX in it", {}};
        return texts;
    }
    auto text = compile::read_file(file);
    if (!text) return Error{file.string() + ": cannot be read", {}};
    return std::vector<DeviceText>{{file.string(), std::move(*text), 0, 0, false, flags.assembler}};
}

}  // namespace lockstep::cli
