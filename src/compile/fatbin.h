// Fat binaries: the container in which compilers put device code into an executable, and which the program
// hands to the runtime
// (__cudaRegisterFatBinary). Reading needs no process, so the runtime library links just this file of the
// folder.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::compile {

struct FatbinPtx {
    std::string text;
    int sm = 0;  // 90 for sm_90
    bool relocatable =
        false;              // made by `lockstep nvcc -dc`: refers to other objects' functions and variables
    std::string options{};  // that ptxas is to be called with (ptx/assembler-options.h)
};

struct Fatbin {
    std::vector<FatbinPtx> ptx;
    std::vector<int> machine_code;  // the sm of each entry that holds machine code
    std::size_t bytes = 0;          // of the whole container
};

// `limit`: how many bytes may be read; the container's own header says how many there are.
Result<Fatbin> read_fatbin(const void* image, std::size_t limit = SIZE_MAX);

// The PTX in `image`, uncompressed; empty for an empty container. A container with machine code only is an
// error, which says how to build the program anew.
Result<std::vector<FatbinPtx>> ptx_entries(const void* image, std::size_t limit = SIZE_MAX);

// All containers in the bytes of a section: they stand one behind the other, with padding.
Result<std::vector<Fatbin>> read_fatbin_section(std::span<const std::byte> section);

// What to tell people whose program holds machine code only.
std::string machine_code_only_message(const std::vector<int>& machine_code);

// A container with uncompressed PTX entries.
std::string write_fatbin(std::span<const FatbinPtx> entries);

}  // namespace lockstep::compile
