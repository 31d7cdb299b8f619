#include "profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "e2e/process.h"

namespace lockstep::validation {

namespace fs = std::filesystem;

Result<std::vector<Row>> read_launches(const std::string& program, const fs::path& file) {
    std::ifstream in(file);
    const auto json = nlohmann::json::parse(in, nullptr, false);
    if (json.is_discarded() || !json.contains("launches"))
        return Error{"expected JSON with launches", {file.string()}};
    std::vector<Row> rows;
    for (const auto& launch : json["launches"]) {
        Row& row = rows.emplace_back();
        row.program = program;
        row.kernel = launch["kernel"];
        row.grid = launch["grid"].get<Shape>();
        row.block = launch["block"].get<Shape>();
        for (const auto& [name, value] : launch["metrics"].items())
            if (value.is_number()) row.values[name] = value;
    }
    return rows;
}

Result<Profile> profile(const std::string& program, const std::string& arguments, DeviceCode code,
                        const std::vector<std::string>& metrics, const std::string& gpu,
                        const std::string& options) {
    const fs::path root = fs::path(LOCKSTEP_SOURCE_DIR) / "tests/validation";
    fs::path source;
    for (const char* sources : {"programs", "probes", "varied"})
        if (!fs::exists(source)) source = root / sources / (program + ".cu");
    std::string folder = (fs::temp_directory_path() / "lockstep-validation-XXXXXX").string();
    if (!mkdtemp(folder.data())) return Error{"no temporary folder", {folder}};
    const fs::path json = fs::path(folder) / "launches.json";
    std::string source_of_code;
    if (code == DeviceCode::nvcc) source_of_code = fmt::format("--ptx {}/ptx/{}.ptx", root.string(), program);
    if (code == DeviceCode::installed_nvcc) source_of_code = "--compiler nvcc -DWITH_CUB -arch=compute_90";
    const std::string command = fmt::format(
        "{}/lockstep profile --gpu {} --launches --json {} -o {}/run --metrics {} {} {} -std=c++17 -O3 {} -- "
        "{}",
        LOCKSTEP_BUILD_DIR, gpu, json.string(), folder, fmt::join(metrics, ","), options, source_of_code,
        source.string(), arguments);
    const e2e::Outcome outcome = e2e::run_shell(command, {}, root, 3600);
    Profile result;
    result.output = outcome.out;
    result.seconds = outcome.seconds;
    auto launches =
        outcome.status == 0 && outcome.signal.empty()
            ? read_launches(program, json)
            : Result<std::vector<Row>>(Error{
                  fmt::format("{}\n{}\n{}{}", command, outcome.ending(), outcome.out, outcome.err), {}});
    fs::remove_all(folder);
    if (!launches) return launches.error();
    result.launches = std::move(*launches);
    return result;
}

}  // namespace lockstep::validation
