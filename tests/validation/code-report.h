// The part of docs/validation.md about our compiler's code beside nvcc's.
#pragma once
#include "code-comparison.h"
#include "published-tables.h"

namespace lockstep::validation {

// One recording, from each compiler's code.
struct BothCodes {
    const Suite &nvcc, &ours;
};

struct CodeReport {
    std::string summary;  // what was found, and what was wanted
    std::string kernels;  // kernel by kernel
};

// The programs at the sizes that were measured; `public_programs` as public.csv has them.
CodeReport code_report(const BothCodes& programs, const BothCodes& probes,
                       std::span<const KernelCode> public_programs,
                       std::span<const PublishedTable> nvcc_published,
                       std::span<const PublishedTable> our_published);

// The table of a model file that says how close its times are, as docs/validation.md has it.
std::string validated_table(const BothCodes& programs);

}  // namespace lockstep::validation
