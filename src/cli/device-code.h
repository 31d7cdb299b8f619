// The PTX in whatever a user names: a .cu file, an executable, a PTX file.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/unit.h"

namespace lockstep::cli {

struct DeviceText {
    std::string name;  // for messages
    std::string ptx;
    int sm = 0;             // 90 for sm_90; 0: not known from outside
    std::size_t group = 0;  // texts of one group are the same code for several architectures
    bool relocatable = false;
    ptx::AssemblerOptions assembler{};  // what ptxas would be told of it
};

// A .cu file is compiled by clang with `flags`; its warnings go to stderr. What flags say to ptxas is also
// for PTX, and for executables that do not say it themselves.
Result<std::vector<DeviceText>> device_texts(const std::filesystem::path& file, const compile::Flags& flags);

}  // namespace lockstep::cli
