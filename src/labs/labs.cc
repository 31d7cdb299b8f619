#include "labs/labs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <string_view>

#include "base/paths.h"
#include "base/read-file.h"
#include "base/unknown-name.h"

namespace lockstep::labs {
namespace {

Result<Lab> read_lab(const std::filesystem::path& folder) {
    Lab lab{.name = folder.filename().string(), .folder = folder, .page = "", .title = ""};
    const auto page = base::read_file(folder / "lab.md");
    if (!page) return Error{fmt::format("{} cannot be read", (folder / "lab.md").string()), {}};
    lab.page = *page;
    lab.title = lab.page.substr(0, lab.page.find('\n'));
    lab.title.erase(0, lab.title.find_first_not_of("# "));
    return lab;
}

}  // namespace

std::vector<std::string> Lab::commands() const {
    constexpr std::string_view prompt = "    $ ";
    std::vector<std::string> commands;
    std::istringstream lines(page);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## ")) inside = line == "## Run it";
        if (inside && line.starts_with(prompt)) commands.push_back(line.substr(prompt.size()));
    }
    return commands;
}

Result<std::filesystem::path> Lab::starting_file() const {
    std::error_code ignored;
    for (const char* name : {"start.cu", "start.hip"})
        if (std::filesystem::exists(folder / name, ignored)) return folder / name;
    return Error{fmt::format("{} holds no start.cu or start.hip", folder.string()), {}};
}

Result<std::filesystem::path> labs_root() {
    auto folder = base::find_resource("labs");
    if (!folder) return folder.error();
    return folder->parent_path();
}

Result<std::vector<Lab>> all_labs() {
    auto root = labs_root();
    if (!root) return root.error();
    const std::filesystem::path folder = *root / "labs", order = folder / "order.txt";
    const auto names = base::read_file(order);
    if (!names) return Error{fmt::format("{} cannot be read", order.string()), {}};
    std::vector<Lab> labs;
    std::istringstream lines(*names);
    for (std::string name; std::getline(lines, name);) {
        auto lab = read_lab(folder / name);
        if (!lab) return lab.error();
        labs.push_back(std::move(*lab));
    }
    return labs;
}

Result<Lab> find_lab(const std::string& name) {
    auto labs = all_labs();
    if (!labs) return labs.error();
    std::vector<std::string> names;
    for (Lab& lab : *labs) {
        if (lab.name == name) return std::move(lab);
        names.push_back(lab.name);
    }
    return Error{base::unknown_name("lab", name, names), {}};
}

}  // namespace lockstep::labs
