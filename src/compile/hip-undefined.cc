#include "compile/hip-undefined.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/demangle.h"

namespace lockstep::compile {
namespace {

// What stands between quotation marks, last.
std::string last_quoted(std::string_view line) {
    const std::size_t end = line.rfind('"');
    const std::size_t begin = end == std::string_view::npos || end == 0 ? end : line.rfind('"', end - 1);
    return begin == std::string_view::npos ? "" : std::string(line.substr(begin + 1, end - begin - 1));
}

std::string_view word_at(std::string_view line, std::size_t number) {
    std::size_t at = 0;
    for (;; --number) {
        at = line.find_first_not_of(" \t", at);
        if (at == std::string_view::npos) return {};
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        if (number == 0) return line.substr(at, end - at);
        at = end;
    }
}

}  // namespace

std::string undefined_device_names(std::string_view assembly, const std::string& source) {
    std::set<std::string, std::less<>> defined;
    std::map<std::string, std::string, std::less<>> used;  // and where
    std::map<std::string, std::string, std::less<>> files;
    std::string place = source;
    for (std::size_t at = 0; at < assembly.size();) {
        const std::size_t end = std::min(assembly.find('\n', at), assembly.size());
        const std::string_view line = assembly.substr(at, end - at), first = word_at(line, 0);
        at = end + 1;
        if (first == ".file") {
            files[std::string(word_at(line, 1))] = last_quoted(line.substr(0, line.find(" md5")));
        } else if (first == ".loc") {
            const auto file = files.find(word_at(line, 1));
            if (file != files.end() && word_at(line, 2) != "0")
                place = fmt::format("{}:{}", file->second, word_at(line, 2));
        } else if (first == ".set" || first == ".lds" || first == ".amdgpu_lds") {
            const std::string_view name = word_at(line, 1);
            defined.emplace(name.substr(0, name.find(',')));
        } else if (first.ends_with(":")) {
            defined.emplace(first.substr(0, first.size() - 1));
        } else if (const std::size_t mark = std::min(line.find("@rel32@lo"), line.find("@gotpcrel32@lo"));
                   mark != std::string_view::npos) {
            const std::size_t begin = line.find_last_of(" \t", mark) + 1;
            used.emplace(line.substr(begin, mark - begin), place);
        }
    }
    std::string errors;
    for (const auto& [name, where] : used)
        if (!defined.count(name))
            errors += fmt::format(
                "{}: error: {} is used in device code and defined for the device nowhere in this file; what "
                "other files define needs -fgpu-rdc for all of them\n",
                where, base::demangle(name));
    return errors;
}

}  // namespace lockstep::compile
