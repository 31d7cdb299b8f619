#include "check-programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

namespace lockstep::e2e {
namespace {

namespace fs = std::filesystem;

// What the head of a program says.
struct Expected {
    std::string bug;         // "none": it is correct
    std::vector<int> lines;  // that one finding has to name
    // Of programs with several bugs: the lines of each, and there are no others.
    std::vector<std::vector<int>> all;
    std::string found;  // its class/kind, or what that begins with; empty: any
};

std::vector<int> numbers_in(const std::string& text) {
    std::vector<int> numbers;
    std::istringstream in(text);
    for (std::string number; std::getline(in, number, ',');) numbers.push_back(std::stoi(number));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

Expected read_head(const fs::path& program) {
    Expected expected;
    std::ifstream in(program);
    for (std::string line; std::getline(in, line) && line.starts_with("// ");) {
        if (line.starts_with("// bug: ")) expected.bug = line.substr(8);
        if (line.starts_with("// found: ")) expected.found = line.substr(10);
        if (line.starts_with("// line: ") && line != "// line: 0")
            expected.lines = numbers_in(line.substr(9));
        if (!line.starts_with("// lines of all: ")) continue;
        std::istringstream each(line.substr(17));
        for (std::string lines; std::getline(each, lines, ';');) expected.all.push_back(numbers_in(lines));
    }
    std::sort(expected.all.begin(), expected.all.end());
    return expected;
}

std::vector<int> own_lines(const nlohmann::json& finding) {
    std::vector<int> lines;
    for (std::size_t i = 0; i < finding.at("own_places").get<std::size_t>(); ++i)
        if (i < finding.at("places").size()) lines.push_back(finding.at("places")[i].at("line"));
    std::sort(lines.begin(), lines.end());
    return lines;
}

class CheckedProgram : public testing::Test {
  public:
    CheckedProgram(fs::path program, RunInFolder run) : program_(std::move(program)), run_(std::move(run)) {}

    void TestBody() override {
        const Expected expected = read_head(program_);
        ASSERT_FALSE(expected.bug.empty()) << program_ << " does not say what is wrong with it";
        nlohmann::json findings;
        // What never ends is stopped soon; others may take as long as a busy machine makes them.
        const int seconds = expected.bug == "endless-loop" ? 2 : 60;
        const Outcome outcome = run_(
            [&](const fs::path& folder) {
                return fmt::format("lockstep check --timeout {} --json {} {}{}", seconds,
                                   (folder / "found.json").string(),
                                   program_.stem() == "stream-race-6" ? "-lcuda " : "", program_.string());
            },
            [&](const fs::path& folder) {
                std::ifstream in(folder / "found.json");
                findings = nlohmann::json::parse(in, nullptr, false);
            });
        if (expected.bug == "does-not-compile") {
            EXPECT_EQ(outcome.status, 2);
            EXPECT_NE(outcome.err.find("does not compile"), std::string::npos) << outcome.err;
            return;
        }
        ASSERT_TRUE(findings.is_object()) << outcome.out << outcome.err;
        const nlohmann::json& all = findings.at("findings");
        if (expected.bug == "none") {
            EXPECT_TRUE(all.empty()) << "it is correct, but: " << all.dump(1);
            EXPECT_EQ(outcome.status, 0) << outcome.err;
            return;
        }
        if (!expected.all.empty()) {
            std::vector<std::vector<int>> told;
            for (const nlohmann::json& finding : all) told.push_back(own_lines(finding));
            std::sort(told.begin(), told.end());
            EXPECT_EQ(told, expected.all) << all.dump(1);
            return;
        }
        const bool found = std::any_of(all.begin(), all.end(), [&](const nlohmann::json& finding) {
            const std::string kind =
                finding.at("class").get<std::string>() + "/" + finding.at("kind").get<std::string>();
            if (!kind.starts_with(expected.found)) return false;
            const std::vector<int> lines = own_lines(finding);
            return std::all_of(expected.lines.begin(), expected.lines.end(), [&](int line) {
                return std::find(lines.begin(), lines.end(), line) != lines.end();
            });
        });
        EXPECT_TRUE(found) << expected.bug << " was not found at its lines, but: " << all.dump(1);
        EXPECT_EQ(outcome.status, 1);
    }

  private:
    fs::path program_;
    RunInFolder run_;
};

}  // namespace

void register_check_programs(const fs::path& folder, const RunInFolder& run) {
    const bool all = getenv("LOCKSTEP_EXAM") != nullptr;
    std::vector<fs::path> programs;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".cu") programs.push_back(entry.path());
    std::sort(programs.begin(), programs.end());
    for (const fs::path& program : programs) {
        std::string name = program.stem().string();
        // Those of the host's side have golden files.
        if (name.starts_with("host-") && !name.starts_with("host-pointer-")) continue;
        const bool numbered =
            name.size() > 3 && name[0] == 'a' && std::isdigit(static_cast<unsigned char>(name[1]));
        const bool of_end = name == "m04-nocopyback" || name == "m07-threads" || name == "m26-missingsync";
        if (!all && !numbered && !of_end && !name.starts_with("ok-") && !name.ends_with("-2")) continue;
        std::replace(name.begin(), name.end(), '-', '_');
        testing::RegisterTest(
            "check", name.c_str(), nullptr, nullptr, program.c_str(), 1,
            [program, run]() -> testing::Test* { return new CheckedProgram(program, run); });
    }
}

}  // namespace lockstep::e2e
