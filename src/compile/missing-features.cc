#include "compile/missing-features.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <set>

#include "compile/missing-headers.h"

namespace lockstep::compile {
namespace {

struct Feature {
    std::string_view name;  // of what is missing; one with a star at its end stands for all that begin so
    std::string_view what;
};

// The first row that matches counts.
constexpr std::array features = {
    Feature{"cudaGraphics*", "resources of graphics libraries"},
    Feature{"cuGraphics*", "resources of graphics libraries"},
    Feature{"cudaImportExternal*", "memory and semaphores of other libraries"},
    Feature{"cuImportExternal*", "memory and semaphores of other libraries"},
    Feature{"cuGreenCtx*", "contexts that have a part of a GPU"},
};
constexpr std::string_view addresses = "addresses of kernels in device code, other than in a launch,";

// cudaMalloc, cuInit, CU_EVENT_DEFAULT, cudaErrorUnknown: what CUDA's API calls its things.
bool is_of_the_api(std::string_view name) {
    for (const std::string_view prefix : {"cuda", "cu", "CU"}) {
        if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
        const char next = name[prefix.size()];
        if (prefix == "CU" ? next == '_' || std::islower(static_cast<unsigned char>(next))
                           : std::isupper(static_cast<unsigned char>(next)))
            return true;
    }
    return false;
}

std::string not_there(std::string_view what) {
    return fmt::format("{} are not there yet: leave that part out, or do it in another way", what);
}

}  // namespace

std::string explain_missing_name(std::string_view name, Vendor program) {
    if (std::string foreign = explain_other_vendor(name, program); !foreign.empty()) return foreign;
    for (const Feature& feature : features)
        if (matches_name(feature.name, name)) return fmt::format("{}: {}", name, not_there(feature.what));
    if (is_of_the_api(name))
        return fmt::format("{}: if this is a name of CUDA's API, lockstep's headers do not have it yet",
                           name);
    return {};
}

std::string explain_missing_features(const std::string& messages, Vendor program) {
    std::string text;
    std::set<std::string> said;
    const auto say = [&](const std::string& sentence) {
        if (!sentence.empty() && said.insert(sentence).second) text += "lockstep: " + sentence + '\n';
    };
    // clang's words, before the name in quotes.
    for (const std::string_view words :
         {"use of undeclared identifier '", "unknown type name '", "no template named '"}) {
        for (std::size_t at = 0; (at = messages.find(words, at)) != std::string::npos;) {
            at += words.size();
            say(explain_missing_name(std::string_view(messages).substr(at, messages.find('\'', at) - at),
                                     program));
        }
    }
    if (messages.find("no matching function for call to 'cudaDeviceSynchronize'") != std::string::npos ||
        messages.find("reference to __host__ function 'cudaDeviceSynchronize' in __") != std::string::npos)
        say("cudaDeviceSynchronize in a kernel: GPUs from compute capability 9.0 on do not have it, and nvcc "
            "refuses it as a __host__ function; launch what comes behind the children with "
            "cudaStreamTailLaunch, or compile for an older GPU (--gpu a100)");
    for (std::size_t at = 0;
         (at = messages.find("reference to __global__ function '", at)) != std::string::npos;) {
        const std::size_t end = messages.find('\n', at);
        const std::string_view line = std::string_view(messages).substr(at, end - at);
        if (line.find("in __global__ function") != std::string_view::npos ||
            line.find("in __device__ function") != std::string_view::npos)
            say(not_there(addresses));
        at += line.size();
    }
    return text;
}

}  // namespace lockstep::compile
