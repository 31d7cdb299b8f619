// What device code defines and what it takes from other files. Without relocatable device code a file has to
// have all of it itself. With it, the object gets a symbol for each, so that the system's linker resolves
// them as nvlink would: it takes members out of archives, and tells what is defined nowhere or twice. The
// code itself is joined when the program starts (ptx/link.h).
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ptx/ast.h"

namespace lockstep::compile {

struct DeviceSymbols {
    struct Definition {
        std::string name;
        bool weak = false;
        bool variable = false;
    };
    std::vector<Definition> definitions;
    std::vector<std::string> references;
};

DeviceSymbols device_symbols(const ptx::Module& module);

// For the assembler. The host may have functions of the same names, so these end in `device_symbol_suffix`.
inline constexpr std::string_view device_symbol_suffix = ".device";
std::string device_symbols_assembly(const DeviceSymbols& symbols);

// A file that is compiled alone: a function of another file is an error, and a variable of another file its
// own, as for nvcc. Changes `text`, PTX that clang has made. Returns warnings.
Result<std::string> close_device_code(std::string& text, const ptx::Module& module,
                                      const std::filesystem::path& source);

// The linker's messages, with those about device code in words.
std::string explain_device_symbols(const std::string& messages);

}  // namespace lockstep::compile
