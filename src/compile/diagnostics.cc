#include "compile/diagnostics.h"

#include <set>
#include <sstream>
#include <vector>

namespace lockstep::compile {
namespace {

std::string without_colours(const std::string& line) {
    std::string plain;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
            while (i < line.size() && line[i] != 'm' && line[i] != 'K') ++i;
            continue;
        }
        plain += line[i];
    }
    return plain;
}

bool starts_message(const std::string& plain) {
    for (const char* kind : {": error: ", ": warning: ", ": fatal error: ", ": remark: "})
        if (plain.find(kind) != std::string::npos) return true;
    return plain.rfind("error: ", 0) == 0 || plain.rfind("clang++", 0) == 0;
}

bool is_count(const std::string& plain) {
    return plain.find(" generated when compiling for ") != std::string::npos ||
           (plain.find(" generated.") != std::string::npos && !plain.empty() && plain[0] >= '0' &&
            plain[0] <= '9');
}

struct Message {
    std::string key;   // its first line, uncoloured
    std::string text;  // all lines, with the "In file included from" ones before it
};

std::vector<Message> messages_of(const std::string& text) {
    std::vector<Message> messages;
    std::istringstream lines(text);
    std::string pending;  // "In file included from …" belongs to the message that follows
    for (std::string line; std::getline(lines, line);) {
        const std::string plain = without_colours(line);
        if (is_count(plain)) continue;
        if (plain.rfind("In file included from", 0) == 0 || plain.rfind("                 from", 0) == 0) {
            pending += line + '\n';
            continue;
        }
        // Notes, source lines and carets stay with the message they explain.
        if (starts_message(plain) || messages.empty()) messages.push_back({plain, {}});
        messages.back().text += pending + line + '\n';
        pending.clear();
    }
    if (!pending.empty()) messages.push_back({pending, pending});
    return messages;
}

}  // namespace

std::string merge_diagnostics(const std::string& first, const std::string& second) {
    std::set<std::string> seen;
    std::string merged;
    for (const std::string* part : {&first, &second})
        for (const Message& message : messages_of(*part))
            if (seen.insert(message.key).second) merged += message.text;
    return merged;
}

std::string only_narrow_masks(const std::string& messages, bool all) {
    std::string kept;
    for (const Message& message : messages_of(messages)) {
        const bool narrows = message.key.find("[-Wshorten-64-to-32]") != std::string::npos;
        const std::string plain = without_colours(message.text);
        bool votes = false;
        for (const char* function : {"__ballot", "__activemask", "__lanemask_", "__match_a", ".ballot("})
            votes |= plain.find(function) != std::string::npos;
        if (!narrows || votes || all) kept += message.text;
        if (narrows && votes)
            kept +=
                "lockstep: a wavefront has 64 lanes, and this keeps 32 of them: it takes an unsigned long "
                "long, and __popcll "
                "and __ffsll\n";
    }
    return kept;
}

}  // namespace lockstep::compile
