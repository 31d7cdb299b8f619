#include "compile/depfile.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockstep::compile {

std::vector<std::filesystem::path> parse_depfile(const std::string& text) {
    std::vector<std::filesystem::path> files;
    std::size_t at = 0;
    // The target ends at a colon followed by white space.
    while ((at = text.find(':', at)) != std::string::npos && ++at < text.size() &&
           !strchr(" \n\\", text[at])) {
    }
    if (at == std::string::npos) return files;
    std::string word;
    const auto finish = [&] {
        if (!word.empty()) files.emplace_back(std::exchange(word, {}));
    };
    for (; at < text.size(); ++at) {
        const char c = text[at], next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (c == '\\' && next == '\n') {
            finish();
            ++at;
        } else if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
            word += next;
            ++at;
        } else if (c == '$' && next == '$') {
            word += '$';
            ++at;
        } else if (c == '\n') {
            break;
        } else if (c == ' ') {
            finish();
        } else {
            word += c;
        }
    }
    finish();
    return files;
}

void add_dependencies(std::vector<std::filesystem::path>& files, const std::string& text) {
    for (std::filesystem::path& file : parse_depfile(text))
        if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
}

std::string to_depfile(const DependencyRule& rule) {
    std::string text = rule.target + ":", phony;
    for (const std::filesystem::path& file : rule.files) {
        std::string escaped;
        for (const char c : file.string()) escaped += c == ' ' ? std::string("\\ ") : std::string(1, c);
        text += " \\\n  " + escaped;
        if (rule.phony && file != rule.source) phony += escaped + ":\n";
    }
    return text + "\n" + phony;
}

}  // namespace lockstep::compile
