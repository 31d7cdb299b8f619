// Any bytes into the parser of AMD's assembly: it says what is wrong, or has a module whose segments cover
// its code.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gcn/parse.h"
#include "gcn/segments.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto module = lockstep::gcn::parse({reinterpret_cast<const char*>(data), size}, "input");
    if (!module) return 0;
    for (const lockstep::gcn::Kernel& kernel : module->kernels) {
        std::size_t covered = 0;
        for (const lockstep::gcn::Segment& segment : lockstep::gcn::segments_of(kernel.code))
            covered += segment.count;
        if (covered != kernel.code.instructions.size()) std::abort();
    }
    return 0;
}
