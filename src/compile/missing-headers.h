// A header that clang does not find may be one of NVIDIA's. Then users are told what it is, that lockstep
// does not have it, and what to do about it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::compile {

struct KnownHeader {
    std::string_view name;    // as it is included; one with a star at its end stands for all that begin so
    std::string_view what;    // "cuFFT, NVIDIA's Fourier transforms"
    std::string_view advice;  // what to do
};

// Whether a pattern of such a table is this name: one with a star at its end stands for all that begin so.
bool matches_name(std::string_view pattern, std::string_view name);

// The first row that matches counts. No header that lockstep has stands here by its full name.
const std::vector<KnownHeader>& known_headers();

// One sentence, or nothing if the header is nobody's that we know.
std::string explain_missing_header(std::string_view header);

// What to say after a compiler's messages: a line for each header that they miss and we know.
std::string explain_missing_headers(const std::string& messages);

}  // namespace lockstep::compile
