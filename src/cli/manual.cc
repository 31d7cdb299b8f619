#include "cli/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::cli {
namespace {

// What roff would take for its own: backslashes, and a dot or a quote at the begin of a line.
std::string escaped(const std::string& text) {
    std::string result;
    bool begins = true;
    for (const char c : text) {
        if (begins && (c == '.' || c == '\'')) result += "\\&";
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
        begins = c == '\n';
    }
    return result;
}

// Lines as they are.
std::string verbatim(const std::string& text) {
    return text.empty() ? "" : ".nf\n" + escaped(text) + "\n.fi\n";
}

}  // namespace

std::string manual(const std::string& version, const std::string& description, const std::string& examples,
                   const std::vector<DescribedCommand>& commands) {
    std::string text =
        fmt::format(".TH LOCKSTEP 1 \"\" \"lockstep {}\" \"User Commands\"\n", escaped(version));
    text += ".SH NAME\nlockstep \\- the CUDA execution model as a program\n";
    text +=
        ".SH SYNOPSIS\n.B lockstep\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIPROGRAM\\fR] [\\-\\- "
        "\\fIARGUMENTS\\fR]\n";
    text += ".SH DESCRIPTION\n" + escaped(description) + "\n.SH COMMANDS\n";
    for (const DescribedCommand& command : commands) {
        text += fmt::format(".SS lockstep {}\n{}\n", escaped(command.name), escaped(command.description));
        for (const DescribedOption& option : command.options)
            text +=
                fmt::format(".TP\n.B {}{}\n{}\n", escaped(fmt::format("{}", fmt::join(option.names, ", "))),
                            option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", escaped(option.value)),
                            escaped(option.help));
        if (!command.footer.empty()) text += ".PP\n" + verbatim(command.footer);
    }
    return text + ".SH EXAMPLES\n" + verbatim(examples);
}

}  // namespace lockstep::cli
