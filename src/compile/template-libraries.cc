#include "compile/template-libraries.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compile/files.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const Arguments& options) {
    std::vector<fs::path> folders;
    for (std::size_t i = 0; i < options.size(); ++i)
        for (const std::string_view option : {"-I", "-isystem", "-iquote", "-idirafter"}) {
            if (options[i] == option && i + 1 < options.size())
                folders.emplace_back(options[i + 1]);
            else if (options[i].starts_with(option) && options[i].size() > option.size())
                folders.emplace_back(options[i].substr(option.size()));
        }
    return folders;
}

// What stands between the quotes or angles of each #include.
std::vector<std::string> names_in(std::string_view text) {
    constexpr std::string_view blank = " \t";
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto skip = [&](std::string_view word) {
            line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
            if (!line.starts_with(word)) return false;
            line.remove_prefix(word.size());
            return true;
        };
        if (!skip("#") || !skip("include")) continue;
        if (!skip("<") && !skip("\"")) continue;
        names.emplace_back(line.substr(0, line.find_first_of(">\"")));
    }
    return names;
}

}  // namespace

bool includes_cub_or_thrust(const fs::path& source, const Arguments& options) {
    const std::vector<fs::path> folders = folders_in(options);
    std::vector<fs::path> files = {source};
    std::set<fs::path> seen = {source};
    while (!files.empty()) {
        const fs::path file = std::move(files.back());
        files.pop_back();
        for (const std::string& name : names_in(read_file(file).value_or(""))) {
            if (name.starts_with("cub/") || name.starts_with("thrust/")) return true;
            std::vector<fs::path> places = {file.parent_path()};
            places.insert(places.end(), folders.begin(), folders.end());
            for (const fs::path& place : places) {
                std::error_code ignored;
                const fs::path header = (place / name).lexically_normal();
                if (!fs::is_regular_file(header, ignored)) continue;
                if (seen.insert(header).second) files.push_back(header);
                break;
            }
        }
    }
    return false;
}

}  // namespace lockstep::compile
