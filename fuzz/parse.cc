// Any bytes into the PTX parser. What parses must print, parse again, and be the same tree.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ptx/compare.h"
#include "ptx/parser.h"
#include "ptx/printer.h"

namespace {

[[noreturn]] void complain(const std::string& what, const std::string& printed) {
    std::fprintf(stderr, "%s\n---- printed:\n%s\n", what.c_str(), printed.c_str());
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep::ptx;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    ParseOutcome first = parse_all(text, "input");
    for (const auto& error : first.errors)
        if (error.place.line < 1 || error.place.column < 1) complain("no place: " + error.to_string(), "");
    if (!first.errors.empty()) return 0;
    for (const Function& function : first.module.functions) (void)unsupported(first.module, function);
    std::string printed = print(first.module);
    ParseOutcome second = parse_all(printed, "printed");
    if (!second.errors.empty()) complain(second.errors.front().to_string(), printed);
    std::string found = difference(first.module, second.module);
    if (!found.empty()) complain(found, printed);
    return 0;
}
