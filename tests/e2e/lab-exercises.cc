#include "lab-exercises.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <vector>

#include "base/read-file.h"

namespace lockstep::e2e {
namespace {

namespace fs = std::filesystem;
using RunCommand = std::function<Outcome(const std::string&)>;

fs::path program_of(const fs::path& stem) {
    for (const char* extension : {".cu", ".hip"})
        if (const fs::path file = stem.string() + extension; fs::exists(file)) return file;
    return {};
}

class LabExercise : public testing::Test {
  public:
    LabExercise(fs::path root, std::string name, RunCommand run)
        : root_(std::move(root)), name_(std::move(name)), run_(std::move(run)) {}

    void TestBody() override {
        const std::string page = base::read_file(root_ / "labs" / name_ / "lab.md").value_or("");
        std::size_t at = 0;
        for (const char* section :
             {"# ", "\n## Predict\n", "\n## Run it\n\n    $ lockstep ", "\n## What comes out\n",
              "\n## Picture\n", "\n## Why\n", "\n## Exercise\n"}) {
            at = page.find(section, at);
            ASSERT_NE(at, std::string::npos) << "the page lacks its part '" << section << "'";
        }
        const fs::path start = program_of(root_ / "labs" / name_ / "start");
        const fs::path solution = program_of(root_ / "tests/labs" / (name_ + "-solution"));
        ASSERT_FALSE(start.empty());
        ASSERT_FALSE(solution.empty());

        const Outcome begun = run_(fmt::format("lockstep lab check {} {}", name_, start.string()));
        EXPECT_EQ(begun.status, 1) << begun.out << begun.err;
        EXPECT_NE(begun.out.find("  missing  "), std::string::npos) << begun.out << begun.err;
        EXPECT_EQ(begun.out.find("does not compile"), std::string::npos) << begun.out;

        const Outcome solved = run_(fmt::format("lockstep lab check {} {}", name_, solution.string()));
        EXPECT_EQ(solved.status, 0) << solved.out << solved.err;
        EXPECT_NE(solved.out.find("the exercise is done."), std::string::npos) << solved.out << solved.err;
    }

  private:
    fs::path root_;
    std::string name_;
    RunCommand run_;
};

class AllLabsAreListed : public testing::Test {
  public:
    AllLabsAreListed(fs::path labs, std::vector<std::string> listed)
        : labs_(std::move(labs)), listed_(listed.begin(), listed.end()) {}

    void TestBody() override {
        std::set<std::string> folders;
        for (const auto& entry : fs::directory_iterator(labs_))
            if (entry.is_directory()) folders.insert(entry.path().filename().string());
        EXPECT_EQ(folders, listed_);
    }

  private:
    fs::path labs_;
    std::set<std::string> listed_;
};

}  // namespace

void register_lab_exercises(const fs::path& root, const RunCommand& run) {
    std::vector<std::string> names;
    const fs::path order = root / "labs/order.txt";
    std::ifstream in(order);
    for (std::string name; std::getline(in, name);) names.push_back(name);
    testing::RegisterTest(
        "lab", "all_are_listed", nullptr, nullptr, order.c_str(), 1,
        [root, names]() -> testing::Test* { return new AllLabsAreListed(root / "labs", names); });
    for (const std::string& name : names) {
        std::string test = name;
        std::replace(test.begin(), test.end(), '-', '_');
        testing::RegisterTest(
            "lab", test.c_str(), nullptr, nullptr, order.c_str(), 1,
            [root, name, run]() -> testing::Test* { return new LabExercise(root, name, run); });
    }
}

}  // namespace lockstep::e2e
