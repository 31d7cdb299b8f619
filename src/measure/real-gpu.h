// A GPU of this machine, whoever makes it.
#pragma once
#include <filesystem>
#include <string>

#include "metrics/metric.h"

namespace lockstep::measure {

using metrics::Vendor;

struct RealGpu {
    std::string name;                // "NVIDIA H200", "AMD Instinct MI210"
    std::string driver;              // "580.95.05"; empty: not told
    std::string compute_capability;  // "9.0"; of AMD's what compilers call it, "gfx90a"

    int capability() const;  // 90
    Vendor vendor() const;
};

// "gfx90a" is AMD's.
Vendor vendor_of(std::string_view compute_capability);

// The model of that GPU in a folder of models: the one that says its name, or, of AMD's, whose marketing
// names come in several spellings, the one for the same code whose own word ("MI250") is in it. Empty: there
// is none.
std::string model_of(const RealGpu& gpu, const std::filesystem::path& models);

}  // namespace lockstep::measure
