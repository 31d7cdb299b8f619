#include "gpu/model-rewriting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "base/read-file.h"
#include "base/trimmed.h"
#include "gpu/model-comments.h"
#include "gpu/model-keys.h"

namespace lockstep::gpu {
namespace {

// "key = value  # comment"
struct Line {
    std::string key, value, comment;
};

std::optional<Line> parse_line(const std::string& line) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos || line.starts_with("#")) return {};
    const std::size_t hash = comment_begin(line);
    if (hash < equals) return {};
    Line result{base::trimmed(line.substr(0, equals)),
                base::trimmed(line.substr(equals + 3, hash - equals - 3)), ""};
    if (hash < line.size()) result.comment = base::trimmed(line.substr(hash + 1));
    return result;
}

class Rewriter {
  public:
    explicit Rewriter(const NewModel& changes) : changes_(changes), keys_(keys_of(any_)) {}

    RewrittenModel run(const std::string& base) {
        for (const std::string& line : changes_.head) add("# " + line);
        bool dropped = false;  // whether this table is
        std::istringstream lines(base);
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("#")) continue;
            if (line.starts_with("[")) {
                table_ = line.substr(1, line.find(']') - 1);
                // How near the other model is to its GPU says nothing of this one.
                dropped = table_ == "validated" || table_ == "textbook";
                if (!dropped) add(line);
            } else if (!dropped) {
                const auto parsed = parse_line(line);
                parsed ? rewrite(*parsed) : add(line);
            }
        }
        return std::move(result_);
    }

  private:
    void add(const std::string& line) {
        result_.text += line;
        result_.text += '\n';
    }

    void add(const std::string& key, const std::string& value, const std::string& comment) {
        add(fmt::format("{:<36} # {}", fmt::format("{} = {}", key, value), comment));
    }

    // What stands in a model for this figure; nothing where a model cannot have it.
    std::optional<std::string> spelled(const NewFigure& figure) {
        const auto key = std::ranges::find(keys_, figure.key, &Key::path);
        if (key == keys_.end()) return {};
        if (figure.value < key->least || figure.value > key->most) {
            result_.refused.push_back(fmt::format("{} = {:g}: a model takes {:g} to {:g}", figure.key,
                                                  figure.value, key->least, key->most));
            return {};
        }
        if (std::holds_alternative<bool*>(key->member)) return figure.value != 0 ? "true" : "false";
        if (!std::holds_alternative<double*>(key->member)) return fmt::format("{:.0f}", figure.value);
        const std::string text = fmt::format("{:.3g}", figure.value);
        if (text.find('e') != std::string::npos) return fmt::format("{:.0f}.0", figure.value);
        return text.find('.') == std::string::npos ? text + ".0" : text;
    }

    const NewFigure* figure_of(const std::string& key) const {
        const auto found = std::ranges::find(changes_.figures, key, &NewFigure::key);
        return found == changes_.figures.end() ? nullptr : &*found;
    }

    void rewrite(const Line& line) {
        if (table_.empty()) {
            if (line.key == "name") return add("name", '"' + changes_.name + '"', "[M] device.csv");
            if (line.key == "architecture") {
                add("architecture", '"' + changes_.architecture + '"', inherited(line));
                return add_validated();
            }
        }
        const std::string path = table_.empty() ? line.key : table_ + "." + line.key;
        if (line.value.starts_with("{")) return rewrite_members(line, path);
        if (path == "sm.shared_configurations")
            if (const NewFigure* const most = figure_of("sm.shared_bytes"))
                return add(line.key, splits(line.value, most->value), inherited(line));
        const NewFigure* const figure = figure_of(path);
        const auto value = figure ? spelled(*figure) : std::nullopt;
        value ? add(line.key, *value, figure->comment) : add(line.key, line.value, inherited(line));
    }

    // "alu = { latency = 4, lanes = 64 }": members with a figure of their own are replaced.
    void rewrite_members(const Line& line, const std::string& path) {
        std::string members, comment;
        bool all = true;
        std::istringstream in(line.value.substr(1, line.value.find('}') - 1));
        for (std::string member; std::getline(in, member, ',');) {
            const auto parsed = parse_line(member);
            if (!parsed) continue;
            const NewFigure* const figure = figure_of(path + "." + parsed->key);
            const auto value = figure ? spelled(*figure) : std::nullopt;
            all = all && value;
            members += fmt::format("{}{} = {}", members.empty() ? "" : ", ", parsed->key,
                                   value ? *value : parsed->value);
            if (value) comment += (comment.empty() ? "" : "; ") + figure->comment;
        }
        if (!all) comment += (comment.empty() ? "" : "; ") + inherited(line);
        add(line.key, "{ " + members + " }", comment);
    }

    // The splits of an SM's memory that it can have, and all of it.
    static std::string splits(const std::string& list, double most) {
        std::string kept = "[";
        std::istringstream in(list.substr(1));
        for (std::string one; std::getline(in, one, ',');)
            if (const double bytes = std::strtod(one.c_str(), nullptr); bytes < most)
                kept += fmt::format("{:.0f}, ", bytes);
        return fmt::format("{}{:.0f}]", kept, most);
    }

    std::string inherited(const Line& line) const {
        return line.comment.empty() ? changes_.rest_tag : changes_.rest_tag + " " + line.comment;
    }

    void add_validated() {
        if (changes_.validated.empty()) return;
        add("");
        add("[validated] # by the compiler of the device code");
        for (const std::string& line : changes_.validated) add(line);
    }

    const NewModel& changes_;
    GpuModel any_;  // that keys_ point into: only their types and ranges count here
    std::vector<Key> keys_;
    std::string table_;
    RewrittenModel result_;
};

}  // namespace

Result<RewrittenModel> rewrite_model(const std::filesystem::path& base, const NewModel& changes) {
    auto text = base::read_file(base);
    if (!text) return Error{"cannot read this GPU model", {base.string()}};
    return Rewriter(changes).run(*text);
}

}  // namespace lockstep::gpu
