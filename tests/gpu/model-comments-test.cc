#include "gpu/model-comments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "gpu/model-keys.h"
#include "models.h"

namespace lockstep::gpu {
namespace {

const std::filesystem::path root = LOCKSTEP_SOURCE_DIR;

TEST(ModelComments, OfKeysAndOfTheHead) {
    const auto path = std::filesystem::path(testing::TempDir()) / "comments.toml";
    std::ofstream(path) << "# A GPU.\n"
                           "# Sources: [G] the guide.   [W2] the white paper.\n"
                           "#          [A] assumed.\n"
                           "# All to be checked.\n"
                           "name = \"no # comment\"   # [W2]\n"
                           "[pipes]\n"
                           "alu = { latency = 4, lanes = 64 } # [G] table 3 \n"
                           "plain = 1\n";
    const auto comments = read_comments(path);
    ASSERT_TRUE(comments) << comments.error().to_string();
    EXPECT_EQ(comments->of_key.find("name")->second, "[W2]");
    EXPECT_EQ(comments->of_key.find("pipes.alu.latency")->second, "[G] table 3");
    EXPECT_EQ(comments->of_key.find("pipes.alu.lanes")->second, "[G] table 3");
    EXPECT_EQ(comments->of_key.find("pipes.plain")->second, "");
    ASSERT_EQ(comments->sources.size(), 3u);
    EXPECT_EQ(comments->sources[0].tag, "G");
    EXPECT_EQ(comments->sources[0].text, "the guide.");
    EXPECT_EQ(comments->sources[1].tag, "W2");
    EXPECT_EQ(comments->sources[2].text, "assumed.");
    EXPECT_EQ(comments->remarks, (std::vector<std::string>{"A GPU.", "All to be checked."}));
    EXPECT_FALSE(read_comments("/nowhere/x.toml"));
}

// Every tag that a number has is explained, and every tag that is explained is some number's.
TEST(ModelComments, TagsOfTheShippedModelsAreExplained) {
    for (const std::string& name : list_models(root / "gpus")) {
        const auto comments = read_comments(root / "gpus" / (name + ".toml"));
        ASSERT_TRUE(comments) << name;
        std::set<std::string> known, used;
        for (const Source& source : comments->sources) known.insert(source.tag);
        for (const auto& [key, text] : comments->of_key) {
            EXPECT_TRUE(text.starts_with("[")) << name << ": " << key;
            for (std::size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1))
                used.insert(text.substr(at + 1, text.find(']', at) - at - 1));
        }
        EXPECT_EQ(known, used) << name;
    }
}

// A figure that stands in for one that nobody has measured is the H200's as it is now.
TEST(ModelComments, FiguresThatAreSaidToBeTheH200sAre) {
    const GpuModel h200 = model("h200");
    std::size_t compared = 0;
    for (const std::string& name : list_models(models)) {
        const auto comments = read_comments(models / (name + ".toml"));
        ASSERT_TRUE(comments) << name;
        GpuModel other = model(name.c_str()), reference = h200;
        const std::vector<Key> theirs = keys_of(reference);
        for (const Key& key : keys_of(other)) {
            const auto comment = comments->of_key.find(key.path);
            if (comment == comments->of_key.end()) continue;
            std::string_view text = comment->second;
            if (const auto end = text.find(','); end != text.npos) text = text.substr(0, end);
            if (text != "[A] as on the H200" && text != "[A] as measured on the H200" &&
                text != "[A] as assumed for the H200" && text != "[A] as on an H200")
                continue;
            const auto same = std::ranges::find(theirs, key.path, &Key::path);
            ASSERT_NE(same, theirs.end());
            EXPECT_EQ(number_of(key), number_of(*same)) << name << ": " << key.path;
            ++compared;
        }
    }
    EXPECT_GT(compared, 100u);
}

TEST(ModelComments, TheManualExplainsEveryKey) {
    std::ifstream file(root / "docs" / "gpus.md");
    std::stringstream text;
    text << file.rdbuf();
    GpuModel model;
    for (const Key& key : keys_of(model)) {
        std::string path(key.path);
        // The pipes have their figures in common.
        if (path.starts_with("pipes.") &&
            (path.ends_with(".lanes") || path.ends_with(".cycles") || path.ends_with(".latency")))
            path.erase(path.rfind('.'));
        EXPECT_NE(text.str().find("`" + path + "`"), std::string::npos) << "docs/gpus.md lacks " << path;
    }
}

}  // namespace
}  // namespace lockstep::gpu
