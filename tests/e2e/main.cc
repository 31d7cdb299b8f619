// Finds the golden files and registers a test for each, so that ctest lists every program by name:
// e2e.NAME, example.NAME, bad_input.NAME, check.NAME and lab.NAME, and the first three with _nvcc after the
// group where nvcc compiles the program.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "check-programs.h"
#include "golden-file.h"
#include "lab-exercises.h"
#include "match.h"
#include "process.h"

namespace lockstep::e2e {
namespace {

namespace fs = std::filesystem;

const fs::path root = LOCKSTEP_SOURCE_DIR;

std::string read_text(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A program of that name in PATH or in nvcc's usual place.
std::string search_path() {
    const char* inherited = getenv("PATH");
    return fmt::format("{}:{}:/usr/local/cuda/bin", LOCKSTEP_BUILD_DIR, inherited ? inherited : "");
}

// A program, or a header in angle brackets.
bool is_installed(std::string program) {
    std::string path = search_path();
    if (program.starts_with('<')) {
        program = program.substr(1, program.size() - 2);
        const char* more = std::getenv("CPLUS_INCLUDE_PATH");
        path = fmt::format("/usr/include:{}", more ? more : "");
    }
    for (std::size_t start = 0; start <= path.size();) {
        std::size_t end = std::min(path.find(':', start), path.size());
        if (end > start && fs::exists(fs::path(path.substr(start, end - start)) / program)) return true;
        start = end + 1;
    }
    return false;
}

// Test names go into gtest's filters, where a dash has a meaning.
std::string test_name(const fs::path& path) {
    std::string name = path.stem().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (fs::temp_directory_path() / "lockstep-e2e-XXXXXX").string();
        if (mkdtemp(pattern.data())) path_ = pattern;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

// Each test begins with an empty cache, but for CUDA's headers: without them everything takes longer.
std::map<std::string, std::string> environment_of(const TemporaryFolder& folder) {
    std::error_code none;
    fs::copy(LOCKSTEP_BUILD_DIR "/tests/precompiled", folder.path() / "cache", none);
    return {
        {"PATH", search_path()},
        {"LOCKSTEP_CACHE", (folder.path() / "cache").string()},
        {"XDG_CACHE_HOME", (folder.path() / "cache").string()},
        {"LC_ALL", "C.UTF-8"},
    };
}

class GoldenTest : public testing::Test {
  public:
    GoldenTest(GoldenFile file, bool nvcc) : file_(std::move(file)), nvcc_(nvcc) {}

    void TestBody() override {
        for (const std::string& program : file_.needs)
            if (!is_installed(program)) GTEST_SKIP() << program << " is not installed";
        if (nvcc_ && !is_installed("nvcc")) GTEST_SKIP() << "nvcc is not installed";
        TemporaryFolder folder;
        ASSERT_FALSE(folder.path().empty()) << "cannot make a temporary folder";
        fs::path temporary = folder.path() / "t";
        fs::create_directory(temporary);
        const std::map<std::string, std::string> common = environment_of(folder);
        for (const Step& run : file_.runs) {
            Step actual = run;
            if (nvcc_) actual.command = with_nvcc(run.command);
            std::map<std::string, std::string> environment = common;
            for (const std::string& assignment : run.environment) {
                std::size_t equals = assignment.find('=');
                ASSERT_NE(equals, std::string::npos)
                    << file_.path << ": ENV wants NAME=value, not " << assignment;
                environment[assignment.substr(0, equals)] =
                    substitute(assignment.substr(equals + 1), file_, temporary);
            }
            Outcome outcome =
                run_shell(substitute(actual.command, file_, temporary), environment, root, run.limit_s);
            std::string text = differences(file_, actual, outcome, temporary);
            if (!text.empty()) ADD_FAILURE() << text;
        }
    }

  private:
    GoldenFile file_;
    bool nvcc_;
};

// A golden file that cannot be read must fail, not vanish.
class BrokenGoldenFile : public testing::Test {
  public:
    explicit BrokenGoldenFile(std::string message) : message_(std::move(message)) {}
    void TestBody() override { ADD_FAILURE() << message_; }

  private:
    std::string message_;
};

void add(const std::string& group, const fs::path& path, std::set<fs::path>& programs) {
    std::string name = test_name(path);
    Result<std::optional<GoldenFile>> parsed = parse_golden_file(path, read_text(path), root);
    if (!parsed) {
        std::string message = parsed.error().to_string();
        testing::RegisterTest(group.c_str(), name.c_str(), nullptr, nullptr, path.c_str(), 1,
                              [message]() -> testing::Test* { return new BrokenGoldenFile(message); });
        return;
    }
    if (!*parsed) return;
    const GoldenFile& file = **parsed;
    programs.insert(file.program);
    for (bool nvcc : {false, true}) {
        if (nvcc && !file.also_nvcc) continue;
        testing::RegisterTest((group + (nvcc ? "_nvcc" : "")).c_str(), name.c_str(), nullptr, nullptr,
                              path.c_str(), file.runs.front().line,
                              [file, nvcc]() -> testing::Test* { return new GoldenTest(file, nvcc); });
    }
}

std::vector<fs::path> golden_files(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const fs::path extension = entry.path().extension();
            extension == ".cu" || extension == ".hip" || extension == ".expect")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

void register_all() {
    std::set<fs::path> programs;
    for (const fs::path& path : golden_files(root / "tests/e2e")) add("e2e", path, programs);
    for (const fs::path& path : golden_files(root / "tests/e2e/examples")) add("example", path, programs);
    for (const fs::path& path : golden_files(root / "tests/bad-input")) add("bad_input", path, programs);
    register_check_programs(root / "tests/check", [](const auto& command, const auto& after) {
        constexpr int limit_s = 120;
        const TemporaryFolder folder;
        const Outcome outcome =
            run_shell(command(folder.path()), environment_of(folder), folder.path(), limit_s);
        after(folder.path());
        return outcome;
    });
    register_lab_exercises(root, [](const std::string& command) {
        constexpr int limit_s = 120;
        const TemporaryFolder folder;
        return run_shell(command, environment_of(folder), root, limit_s);
    });
    for (const fs::path& path : golden_files(root / "examples")) {
        if (programs.count(path)) continue;
        std::string message = fmt::format("{} has no tests/e2e/examples/*.expect", path.string());
        testing::RegisterTest("example", test_name(path).c_str(), nullptr, nullptr, path.c_str(), 1,
                              [message]() -> testing::Test* { return new BrokenGoldenFile(message); });
    }
}

}  // namespace
}  // namespace lockstep::e2e

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    lockstep::e2e::register_all();
    return RUN_ALL_TESTS();
}
