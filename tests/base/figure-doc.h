// Tables of figures against the documents that show them.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <string>

#include "base/figure.h"

namespace lockstep {

// Every figure has a name of its own, a meaning, a source whose tags the document explains, and a row there.
inline void expect_documented(std::span<const Figure> figures, const std::string& document) {
    std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR) + "/docs/" + document);
    std::stringstream stream;
    stream << file.rdbuf();
    const std::string text = stream.str();
    std::set<std::string_view> names;
    for (const Figure& figure : figures) {
        EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
        EXPECT_FALSE(figure.meaning.empty()) << figure.name;
        ASSERT_TRUE(figure.source.size() >= 3 && figure.source[0] == '[' && figure.source[2] == ']')
            << figure.name << " has no source";
        const std::string row = fmt::format("| `{}` | {} | {} | {} |\n", figure.name, figure.value,
                                            figure.meaning, figure.source);
        EXPECT_NE(text.find(row), std::string::npos) << "docs/" << document << " lacks\n" << row;
        // Explained: the tag stands somewhere outside the rows of the tables.
        const std::string tag(figure.source.substr(0, 3));
        bool explained = false;
        for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag, at + 1))
            explained |= text[text.rfind('\n', at) + 1] != '|';
        EXPECT_TRUE(explained) << "docs/" << document << " does not say what " << tag << " is";
    }
}

}  // namespace lockstep
