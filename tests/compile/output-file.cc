#include "compile/output-file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "compile/files.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

class OutputFile : public testing::Test {
  protected:
    void SetUp() override {
        auto made = TempDir::create();
        ASSERT_TRUE(made);
        folder = std::make_unique<TempDir>(std::move(*made));
    }
    fs::path file(const std::string& name, const std::string& text) const {
        EXPECT_TRUE(write_file(folder->path() / name, text));
        return folder->path() / name;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const auto& entry : fs::directory_iterator(folder->path()))
            result.push_back(entry.path().filename().string());
        std::sort(result.begin(), result.end());
        return result;
    }
    // Why an output is refused, if it is.
    static std::string reason(const fs::path& output, const std::vector<fs::path>& inputs = {},
                              Output::Kind kind = Output::Kind::report) {
        const Output one{"--csv", output, kind};
        auto good = check_outputs({&one, 1}, inputs);
        return good ? "" : good.error().message;
    }
    std::unique_ptr<TempDir> folder;
};

TEST_F(OutputFile, IsNoInputByWhateverName) {
    const fs::path input = file("a.txt", "text");
    fs::create_symlink("a.txt", folder->path() / "link");
    fs::create_hard_link(input, folder->path() / "same");
    for (const char* name : {"a.txt", "link", "same", "./a.txt"})
        EXPECT_NE(reason(folder->path() / name, {input}).find("this is an input"), std::string::npos) << name;
    EXPECT_EQ(reason(folder->path() / "b.txt", {input}), "");
    // One that is not there yet.
    EXPECT_NE(reason(folder->path() / "x" / ".." / "new", {folder->path() / "new"}), "");
    EXPECT_EQ(reason("-", {input}), "");
    EXPECT_EQ(reason("", {input}), "");
}

TEST_F(OutputFile, SparesWhatSomebodyHasWritten) {
    EXPECT_NE(reason(file("a.cu", "")).find("a source file"), std::string::npos);
    EXPECT_NE(reason(file("a.toml", "")).find("a source file"), std::string::npos);
    EXPECT_NE(reason("/proc/self/exe"), "");
    const fs::path database = file("run", "SQLite format 3 and so on");
    EXPECT_NE(reason(database).find("a database"), std::string::npos);
    EXPECT_EQ(reason(database, {}, Output::Kind::run_file), "");
    EXPECT_EQ(reason(file("old.csv", "a,b\n")), "");
    EXPECT_EQ(reason(folder->path() / "new.cu"), "");
    // A compiler makes PTX, and programs, again and again; but no source.
    const fs::path ptx = file("k.ptx", ""), elf = file("a.out",
                                                       "\x7f"
                                                       "ELF");
    EXPECT_EQ(reason(ptx, {}, Output::Kind::translation), "");
    EXPECT_EQ(reason(elf, {}, Output::Kind::binary), "");
    EXPECT_NE(reason(folder->path() / "a.cu", {}, Output::Kind::binary), "");
    EXPECT_NE(reason(elf), "");
}

TEST_F(OutputFile, NeedsAPlace) {
    EXPECT_NE(reason(folder->path() / "nowhere" / "a").find("there is no directory"), std::string::npos);
    EXPECT_NE(reason(folder->path()).find("this is a directory"), std::string::npos);
    EXPECT_NE(reason("/proc/a.csv"), "");
    EXPECT_EQ(reason("/dev/null"), "");
}

TEST_F(OutputFile, EachHasItsOwn) {
    const fs::path a = folder->path() / "a", b = folder->path() / "b";
    const auto check = [](const fs::path& one, const fs::path& other) {
        const Output outputs[] = {{"--json", one}, {"--csv", other}};
        return static_cast<bool>(check_outputs(outputs, {}));
    };
    EXPECT_TRUE(check(a, b));
    EXPECT_FALSE(check(a, a));
    EXPECT_FALSE(check("-", "-"));
    EXPECT_TRUE(check("-", a));
    EXPECT_TRUE(check("", ""));
    EXPECT_TRUE(check("/dev/null", "/dev/null"));
}

TEST_F(OutputFile, IsReplacedAsAWhole) {
    const fs::path old = file("old", "before");
    fs::permissions(old, fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("old", folder->path() / "link");
    {
        auto given_up = Replacement::create(old);
        ASSERT_TRUE(given_up);
        EXPECT_TRUE(write_file(given_up->path(), "half"));
    }
    EXPECT_EQ(read_file(old), "before");
    EXPECT_EQ(names(), (std::vector<std::string>{"link", "old"}));
    EXPECT_TRUE(replace_file(folder->path() / "link", "after"));
    EXPECT_EQ(read_file(old), "after");
    EXPECT_TRUE(fs::is_symlink(folder->path() / "link"));
    EXPECT_EQ(fs::status(old).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_TRUE(replace_file("/dev/null", "anything"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    auto failed = replace_file(folder->path() / "nowhere" / "a", "text");
    ASSERT_FALSE(failed);
    EXPECT_NE(failed.error().message.find("nowhere/a"), std::string::npos) << failed.error().message;
    EXPECT_EQ(names(), (std::vector<std::string>{"link", "old"}));
}

// A process that was killed leaves its folder; the next one takes it away, but not one that is in use.
TEST_F(OutputFile, AbandonedFoldersAreRemoved) {
    const std::string before = getenv("TMPDIR") ? getenv("TMPDIR") : "";
    setenv("TMPDIR", folder->path().c_str(), 1);
    auto used = TempDir::create();
    const fs::path abandoned = folder->path() / "lockstep-tmp-dead00",
                   young = folder->path() / "lockstep-tmp-young0",
                   foreign = folder->path() / "lockstep-other";
    for (const fs::path& one : {abandoned, young, foreign}) fs::create_directory(one);
    EXPECT_TRUE(write_file(abandoned / "file", "text"));
    const auto old = fs::file_time_type::clock::now() - std::chrono::minutes(2);
    for (const fs::path& one : {abandoned, foreign, used->path()}) fs::last_write_time(one, old);
    TempDir::remove_abandoned();
    EXPECT_FALSE(fs::exists(abandoned));
    EXPECT_TRUE(fs::exists(young));
    EXPECT_TRUE(fs::exists(foreign));
    EXPECT_TRUE(fs::exists(used->path()));
    if (before.empty())
        unsetenv("TMPDIR");
    else
        setenv("TMPDIR", before.c_str(), 1);
}

}  // namespace
}  // namespace lockstep::compile
