#include "measure/rocprof-recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "compile/files.h"

namespace lockstep::measure {
namespace {

namespace fs = std::filesystem;

constexpr const char* agents_name = "agent_info.csv";

// All CSV files, or that one and the one beside it that says which GPUs there are.
std::vector<fs::path> files_of(const fs::path& file_or_folder) {
    std::vector<fs::path> files;
    std::error_code ignored;
    if (!fs::is_directory(file_or_folder, ignored)) {
        files.push_back(file_or_folder);
        const std::string name = file_or_folder.filename().string();
        for (const std::string_view kind : {"kernel_trace.csv", "counter_collection.csv"})
            if (name.ends_with(kind)) {
                const fs::path agents =
                    file_or_folder.parent_path() / (name.substr(0, name.size() - kind.size()) + agents_name);
                if (fs::exists(agents, ignored)) files.push_back(agents);
            }
        return files;
    }
    for (const auto& entry : fs::recursive_directory_iterator(file_or_folder, ignored))
        if (entry.path().extension() == ".csv") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

// The launches of one run of the program, by all of its processes.
struct Pass {
    bool has_shapes = false;
    std::vector<MeasuredLaunch> launches;
};

// What makes a launch the same in every run.
using Kind = std::tuple<std::string, std::uint64_t, std::uint64_t>;
Kind kind_of(const MeasuredLaunch& launch) {
    return {spelled(launch.kernel), launch.blocks(), launch.block_threads()};
}

// Adds what another run counted. How many of its launches the first one had not.
std::uint64_t join(std::vector<MeasuredLaunch>& launches, const std::vector<MeasuredLaunch>& others) {
    std::map<Kind, std::vector<MeasuredLaunch*>> known;
    for (MeasuredLaunch& launch : launches) known[kind_of(launch)].push_back(&launch);
    std::map<Kind, std::size_t> seen;
    std::uint64_t left_over = 0;
    for (const MeasuredLaunch& other : others) {
        const Kind kind = kind_of(other);
        const std::vector<MeasuredLaunch*>& same = known[kind];
        const std::size_t number = seen[kind]++;
        if (number >= same.size()) {
            ++left_over;
            continue;
        }
        same[number]->values.insert(other.values.begin(), other.values.end());  // what is known stays
    }
    return left_over;
}

// Agents have numbers that begin with the CPUs'.
void number_devices(const std::vector<RocprofAgent>& agents, std::vector<MeasuredLaunch>& launches) {
    std::set<std::uint64_t> numbers;
    for (const RocprofAgent& agent : agents) numbers.insert(agent.number);
    if (agents.empty())
        for (const MeasuredLaunch& launch : launches)
            numbers.insert(static_cast<std::uint64_t>(launch.device));
    for (MeasuredLaunch& launch : launches) {
        const auto at = numbers.find(static_cast<std::uint64_t>(launch.device));
        launch.device = at == numbers.end() ? -1 : static_cast<int>(std::distance(numbers.begin(), at));
    }
}

}  // namespace

Result<RocprofRecording> read_rocprof_recording(const fs::path& file_or_folder) {
    std::vector<RocprofAgent> agents;
    std::map<std::pair<fs::path, bool>, Pass> by_folder;  // traces and counters apart
    const std::vector<fs::path> files = files_of(file_or_folder);
    for (const fs::path& file : files) {
        const auto text = compile::read_file(file);
        if (!text) return Error{"cannot read this file", {file.string()}};
        if (file.filename().string().ends_with(agents_name)) {
            auto read = read_rocprof_agents(*text, file.string());
            if (!read) return read.error();
            if (agents.empty()) agents = std::move(*read);
            continue;
        }
        // Of a folder's other files, such as sums and calls, nothing is wanted.
        if (files.size() > 1 && file != file_or_folder && !is_rocprof_csv(*text)) continue;
        auto read = read_rocprof_csv(*text, file.string());
        if (!read) return read.error();
        Pass& pass = by_folder[{file.parent_path(), read->has_shapes}];
        pass.has_shapes = read->has_shapes;
        std::move(read->all.begin(), read->all.end(), std::back_inserter(pass.launches));
    }
    std::vector<Pass> passes;
    for (auto& [place, pass] : by_folder) passes.push_back(std::move(pass));
    // The run without counters comes first: its times are those that nothing disturbs.
    std::ranges::stable_sort(passes, std::greater<>(), [](const Pass& pass) {
        const bool has_times = std::ranges::any_of(pass.launches, [](const MeasuredLaunch& launch) {
            return launch.values.contains(duration_name);
        });
        return std::pair(pass.has_shapes, has_times);
    });
    if (passes.empty())
        return Error{
            "there is no table of rocprof's in it (rocprofv3 writes kernel_trace.csv and "
            "counter_collection.csv, rocprof results.csv)",
            {file_or_folder.string()}};
    RocprofRecording recording;
    recording.launches = std::move(passes.front().launches);
    for (std::size_t pass = 1; pass < passes.size(); ++pass)
        recording.left_over += join(recording.launches, passes[pass].launches);
    number_devices(agents, recording.launches);
    for (RocprofAgent& agent : agents) recording.gpus.push_back(std::move(agent.gpu));
    for (MeasuredLaunch& launch : recording.launches)
        if (launch.device >= 0 && static_cast<std::size_t>(launch.device) < recording.gpus.size())
            launch.compute_capability =
                recording.gpus[static_cast<std::size_t>(launch.device)].compute_capability;
    return recording;
}

}  // namespace lockstep::measure
