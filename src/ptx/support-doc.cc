#include "ptx/support-doc.h"

#include <fmt/format.h>

#include "ptx/special-registers.h"
#include "ptx/syntax.h"
#include "ptx/table.h"

namespace lockstep::ptx {
namespace {

std::string_view title(Family family) {
    switch (family) {
        case Family::integer: return "Integer arithmetic";
        case Family::bits: return "Bits";
        case Family::floating: return "Floating point";
        case Family::half: return "Half precision";
        case Family::compare: return "Comparison and selection";
        case Family::logic: return "Logic and shift";
        case Family::move: return "Moves and addresses";
        case Family::convert: return "Conversion";
        case Family::memory: return "Memory";
        case Family::atomic: return "Atomics";
        case Family::barrier: return "Barriers and fences";
        case Family::warp: return "Warp-level";
        case Family::control: return "Control flow";
        case Family::texture: return "Textures and surfaces";
        case Family::matrix: return "Matrices";
        case Family::video: return "Video";
        case Family::misc: return "Miscellaneous";
    }
    return "";
}

// The manual's way of writing: without the notes on operand types.
std::string plain_syntax(const Row& row) {
    std::string text(row.syntax.substr(0, row.syntax.find(' ')));
    for (std::size_t i = 0; i < row.operands.size(); ++i) (text += i == 0 ? " " : ", ") += row.operands[i];
    return text;
}

}  // namespace

std::string support_document() {
    std::string text =
        "# PTX instructions\n\n"
        "Written from the instruction table (`src/ptx/instructions.def`); do not edit. Everything here is "
        "read and checked\n"
        "by the parser. What is marked *no* is not executed: a kernel that holds it fails to load, with an "
        "error that names\n"
        "the instruction and its line.\n\n"
        "`{.x}` may be missing, `(.x|.y)` is a choice, `.<name>` is one of the words listed at the end, `.*` "
        "stands for\n"
        "whatever PTX allows there. The order of modifiers does not matter, that of types does.\n\n";
    std::size_t executed = 0;
    for (const Row& row : rows()) executed += row.implemented ? 1 : 0;
    fmt::format_to(std::back_inserter(text), "{} forms are executed, {} are not.\n", executed,
                   rows().size() - executed);
    for (int number = 0; number <= static_cast<int>(Family::misc); ++number) {
        auto family = static_cast<Family>(number);
        fmt::format_to(std::back_inserter(text), "\n## {}\n\n| syntax | executed |\n|---|---|\n",
                       title(family));
        for (const Row& row : rows()) {
            if (row.family != family) continue;
            std::string syntax;
            for (char c : plain_syntax(row)) {
                if (c == '|') syntax += '\\';  // a bar would end the table's cell, even in code
                syntax += c;
            }
            fmt::format_to(std::back_inserter(text), "| `{}` | {} |\n", syntax,
                           row.implemented ? "yes" : "no");
        }
    }
    text += "\n## Named choices\n\n| name | words |\n|---|---|\n";
    for (auto [name, words] : word_sets()) {
        std::string list;
        for (char c : words) list += c == '|' ? std::string(" ") : std::string(1, c);
        fmt::format_to(std::back_inserter(text), "| `.<{}>` | {} |\n", name, list);
    }
    text += "\n## Special registers\n\n";
    for (int i = 0; i < static_cast<int>(SpecialRegister::count); ++i)
        fmt::format_to(std::back_inserter(text), "{}`{}`",
                       i == 0       ? ""
                       : i % 8 == 0 ? ",\n"
                                    : ", ",
                       special_register_name(static_cast<SpecialRegister>(i)));
    text += "\n";
    return text;
}

}  // namespace lockstep::ptx
