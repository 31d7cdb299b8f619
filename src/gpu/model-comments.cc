#include "gpu/model-comments.h"

#include <toml++/toml.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace lockstep::gpu {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

// Without the mark before it.
std::string comment_of(const std::string& line) {
    const std::size_t begin = line.find_first_not_of("# ", comment_begin(line));
    return begin == line.npos ? "" : line.substr(begin, line.find_last_not_of(" \r") + 1 - begin);
}

void add_keys(const toml::table& table, const std::string& prefix, const std::vector<std::string>& lines,
              ModelComments& comments) {
    for (const auto& [key, node] : table) {
        const std::string path = prefix + std::string(key.str());
        if (const toml::table* below = node.as_table()) {
            add_keys(*below, path + ".", lines, comments);
            continue;
        }
        const std::size_t line = node.source().begin.line;
        if (line >= 1 && line <= lines.size()) comments.of_key[path] = comment_of(lines[line - 1]);
    }
}

struct Tag {
    std::size_t begin, end;
    std::string name;
};

// The next "[A]" or "[A1]".
std::optional<Tag> find_tag(const std::string& line, std::size_t from) {
    for (std::size_t at = line.find('[', from); at != std::string::npos; at = line.find('[', at + 1)) {
        const std::size_t end = line.find(']', at);
        if (end == std::string::npos) return {};
        const std::string name = line.substr(at + 1, end - at - 1);
        const bool letter = !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
        const bool digit = name.size() == 2 && name[1] >= '0' && name[1] <= '9';
        if (letter && (name.size() == 1 || digit)) return Tag{at, end + 1, name};
    }
    return {};
}

// The head: comments before the first key. Lines that begin with "Sources:" or are indented define tags, each
// up to the next one; the others are remarks.
void add_head(const std::vector<std::string>& lines, ModelComments& comments) {
    for (const std::string& line : lines) {
        if (!line.starts_with("#")) break;
        const bool legend = line.starts_with("# Sources:") || line.starts_with("#    ");
        if (!legend) {
            comments.remarks.push_back(comment_of(line));
            continue;
        }
        for (auto tag = find_tag(line, 0); tag;) {
            const auto next = find_tag(line, tag->end);
            std::string text = line.substr(tag->end, next ? next->begin - tag->end : std::string::npos);
            text.erase(0, text.find_first_not_of(' '));
            text.erase(text.find_last_not_of(' ') + 1);
            comments.sources.push_back({tag->name, text});
            tag = next;
        }
    }
}

}  // namespace

std::size_t comment_begin(const std::string& line) {
    bool quoted = false;
    std::size_t at = 0;
    for (; at < line.size() && (quoted || line[at] != '#'); ++at)
        if (line[at] == '"') quoted = !quoted;
    return at;
}

Result<ModelComments> read_comments(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return Error{"cannot open this GPU model", {file.string()}};
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const toml::parse_result parsed = toml::parse(text, file.string());
    if (!parsed) return Error{std::string(parsed.error().description()), {file.string()}};
    ModelComments comments;
    const std::vector<std::string> lines = lines_of(text);
    add_head(lines, comments);
    add_keys(parsed.table(), "", lines, comments);
    return comments;
}

}  // namespace lockstep::gpu
