#include "compile/hard-coded-lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <utility>

#include "compile/source-text.h"

namespace lockstep::compile {
namespace {

// Names that are 32 wherever they are given a value: not those that another GPU's branch gives another one.
std::set<std::string> names_of_32(const std::vector<std::string>& codes) {
    static const std::regex given[] = {
        std::regex(R"(#[ \t]*define[ \t]+(\w+)[ \t]+\(?(\w+))"),
        std::regex(R"(\b(?:const|constexpr)\b[^;={}()]*?\b(\w+)\s*[={]\s*(\w+))"),
        std::regex(R"(\benum\b[^;={}()]*\{\s*(\w+)\s*=\s*(\w+))"),
        std::regex(R"(\b(?:int|unsigned)\s+(\w+)\s*=\s*(\w+)\s*[,>])"),  // of a template
    };
    std::map<std::string, std::set<std::string>> values;
    for (const std::string& code : codes)
        for (const std::regex& form : given)
            for (std::sregex_iterator at(code.begin(), code.end(), form), end; at != end; ++at)
                values[(*at)[1].str()].insert((*at)[2].str());
    std::set<std::string> names;
    for (const auto& [name, all] : values)
        if (std::ranges::all_of(all,
                                [](const std::string& value) { return value == "32" || value == "32u"; }))
            names.insert(name);
    return names;
}

struct Found {
    std::size_t at;
    const char* what;
};

class LanesOfSources {
  public:
    explicit LanesOfSources(const std::vector<LaneSource>& sources) {
        for (const LaneSource& source : sources) codes_.push_back(only_code(source.text));
        names_ = names_of_32(codes_);
        std::string all = "32[uU]?";
        for (const std::string& name : names_) all += "|" + name;
        number_ = "(?:" + all + ")\\b";
        find_exchanging();
        make_patterns();
    }

    std::vector<Found> of(std::size_t source) const {
        std::vector<Found> found;
        if (!exchanges_) return found;
        const std::string& code = codes_[source];
        for (const FunctionText& function : parts(code))
            if (exchanging(code, function)) look(code, function, found);
        static const std::regex sizes(
            R"(\b(\w*(?:warp|WARP|Warp|wave|WAVE|Wave)_?(?:size|SIZE|Size)\w*)\s*=?\s*32\b)");
        for (std::sregex_iterator at(code.begin(), code.end(), sizes), end; at != end; ++at)
            if (names_.contains((*at)[1].str()))
                found.push_back(
                    {static_cast<std::size_t>(at->position()), "calls 32 the size of a wavefront"});
        return found;
    }

  private:
    bool is_32(std::string_view text) const {
        return text == "32" || text == "32u" || text == "32U" || names_.contains(std::string(text));
    }

    // Functions, and what is outside of them.
    static std::vector<FunctionText> parts(const std::string& code) {
        std::vector<FunctionText> all = functions_in(code);
        std::size_t at = 0;
        std::vector<FunctionText> between;
        for (const FunctionText& one : all) {
            if (one.begin > at) between.push_back({"", at, one.begin});
            at = one.end;
        }
        if (at < code.size()) between.push_back({"", at, code.size()});
        all.insert(all.end(), between.begin(), between.end());
        return all;
    }

    // Exchanges of values by all lanes of a wavefront: a place each.
    std::vector<std::size_t> exchanges_in(const std::string& code, std::size_t begin, std::size_t end) const {
        static const std::regex exchange(
            R"(\b(__shfl\w*|__ballot\w*|__any\w*|__all\w*|__activemask|__match_\w+)\s*\()");
        std::vector<std::size_t> found;
        for (std::sregex_iterator at(code.begin() + static_cast<std::ptrdiff_t>(begin),
                                     code.begin() + static_cast<std::ptrdiff_t>(end), exchange),
             last;
             at != last; ++at) {
            const std::size_t place = begin + static_cast<std::size_t>(at->position());
            const std::string name = (*at)[1].str();
            const auto arguments = arguments_at(code, place + at->str().size() - 1);
            const std::size_t with_width = name.find("_sync") == name.npos ? 3 : 4;
            if (name.starts_with("__shfl") && arguments.size() == with_width && is_32(arguments.back()))
                continue;
            found.push_back(place);
        }
        return found;
    }

    bool exchanging(const std::string& code, const FunctionText& function) const {
        if (function.name.empty() || !exchanging_.contains(function.name))
            return !exchanges_in(code, function.begin, function.end).empty();
        return true;
    }

    // Who calls one that exchanges exchanges, too.
    void find_exchanging() {
        static const std::regex call(R"(\b(\w+)\s*(?:<[\w\s,:]*>\s*)?\()");
        std::multimap<std::string, std::string> callers;  // by what they call
        std::vector<std::string> open;
        for (const std::string& code : codes_) {
            exchanges_ |= !exchanges_in(code, 0, code.size()).empty();
            for (const FunctionText& function : functions_in(code)) {
                if (!exchanges_in(code, function.begin, function.end).empty()) open.push_back(function.name);
                for (std::sregex_iterator at(code.begin() + static_cast<std::ptrdiff_t>(function.begin),
                                             code.begin() + static_cast<std::ptrdiff_t>(function.end), call),
                     end;
                     at != end; ++at)
                    callers.emplace((*at)[1].str(), function.name);
            }
        }
        while (!open.empty()) {
            const std::string name = open.back();
            open.pop_back();
            if (!exchanging_.insert(name).second) continue;
            const auto [first, last] = callers.equal_range(name);
            for (auto at = first; at != last; ++at) open.push_back(at->second);
        }
    }

    void make_patterns() {
        // What a thread's or a lane's number is called, and the operations that make lane and warp of it.
        const std::string thread =
            R"((?:\bthreadIdx\s*\.\s*x|\bblockDim\s*\.\s*x|\b\w*(?:tid|Tid|thread|Thread|lane|Lane)\w*|\+\s*31\s*)\s*\)?\s*)";
        const std::string lane = R"((?:\w*[lL]ane\w*|threadIdx\s*\.\s*x))";
        patterns_.emplace_back(std::regex(thread + "(?:%|/)\\s*" + number_), "divides by 32");
        patterns_.emplace_back(
            std::regex(thread + R"(&\s*(?:31[uU]?\b|0x1[fF][uU]?\b|\(\s*)" + number_ + R"(\s*-\s*1\s*\)))"),
            "keeps five bits");
        patterns_.emplace_back(std::regex(thread + R"(>>\s*5\b)"), "divides by 32");
        patterns_.emplace_back(std::regex("\\b" + lane + R"(\s*==\s*(?:31\b|)" + number_ + R"(\s*-\s*1\b))"),
                               "takes lane 31 for the last one");
        patterns_.emplace_back(std::regex(R"(\b1[uU]?\s*<<\s*\(?\s*)" + lane),
                               "shifts a number of 32 bits by a lane's number");
        patterns_.emplace_back(
            std::regex(
                R"((?:\(\s*|_cast<\s*)(?:unsigned|int|unsigned\s+int|uint32_t|int32_t)\s*[>)]\s*\(?\s*__(?:ballot|activemask))"),
            "keeps 32 of its bits");
        patterns_.emplace_back(
            std::regex(
                R"((?:\b\w*[mM]ask\w*|__(?:ballot|activemask)\w*\s*\([^;()]*\))\s*[!=]=\s*0x[fF]{8}[uUlL]*\b)"),
            "compares with 32 lanes");
    }

    void look(const std::string& code, const FunctionText& part, std::vector<Found>& found) const {
        const auto begin = code.begin() + static_cast<std::ptrdiff_t>(part.begin);
        const auto end = code.begin() + static_cast<std::ptrdiff_t>(part.end);
        for (const auto& [expression, what] : patterns_)
            for (std::sregex_iterator at(begin, end, expression), last; at != last; ++at)
                found.push_back({part.begin + static_cast<std::size_t>(at->position()), what});
        look_at_loops(code, part, found);
        look_at_distances(code, part, found);
        look_at_arrays(code, part, found);
    }

    // for (int d = 16; d > 0; d >>= 1) … __shfl_down(…), or upwards to 32.
    void look_at_loops(const std::string& code, const FunctionText& part, std::vector<Found>& found) const {
        static const std::regex loop(R"(\bfor\s*\()");
        const std::regex down(R"(=\s*(?:16|)" + number_ + R"(\s*/\s*2|)" + number_ +
                              R"(\s*>>\s*1)\s*;[^;]*;[^;]*(?:>>=\s*1|/=\s*2|/\s*2|>>\s*1)\s*\)$)");
        const std::regex up(R"(=\s*1\s*;[^;]*(?:<\s*)" + number_ + R"(|<=\s*(?:16|)" + number_ +
                            R"(\s*/\s*2))\s*;[^;]*(?:<<=\s*1|\*=\s*2|\*\s*2|<<\s*1)\s*\)$)");
        for (std::sregex_iterator at(code.begin() + static_cast<std::ptrdiff_t>(part.begin),
                                     code.begin() + static_cast<std::ptrdiff_t>(part.end), loop),
             last;
             at != last; ++at) {
            const std::size_t place = part.begin + static_cast<std::size_t>(at->position());
            const std::size_t open = place + at->str().size() - 1, behind = behind_closing(code, open);
            const std::string header = code.substr(open, behind - open);
            const bool falls = std::regex_search(header, down), rises = std::regex_search(header, up);
            if (!falls && !rises) continue;
            const std::size_t body = code.find_first_not_of(" \t\n\\", behind);
            if (body == code.npos) continue;
            const std::size_t end =
                code[body] == '{' ? behind_closing(code, body) : std::min(code.size(), code.find(';', body));
            if (!exchanges_in(code, body, end).empty())
                found.push_back({place, falls ? "begins its exchanges with half of 32 lanes"
                                              : "ends its exchanges at 32 lanes"});
        }
    }

    // __shfl_down(x, 16) without one over 32; __shfl(x, 31).
    void look_at_distances(const std::string& code, const FunctionText& part,
                           std::vector<Found>& found) const {
        std::vector<std::size_t> sixteen;
        bool further = false;
        for (const std::size_t place : exchanges_in(code, part.begin, part.end)) {
            const std::size_t open = code.find('(', place);
            const std::string name = code.substr(place, code.find_first_of(" (", place) - place);
            const auto arguments = arguments_at(code, open);
            const std::size_t of_lane = name.find("_sync") == name.npos ? 1 : 2;
            if (!name.starts_with("__shfl") || arguments.size() != of_lane + 1) continue;
            const std::string_view lane = arguments[of_lane];
            const bool distance = name.starts_with("__shfl_down") || name.starts_with("__shfl_xor");
            if (distance && lane == "16") sixteen.push_back(place);
            if (distance && lane != "16" && lane != "8" && lane != "4" && lane != "2" && lane != "1")
                further = true;
            if (!distance && lane == "31") found.push_back({place, "takes lane 31 for the last one"});
        }
        if (!further && !sixteen.empty())
            found.push_back({sixteen.front(), "begins its exchanges with half of 32 lanes"});
    }

    // __shared__ int x[32], of which each lane writes its own.
    void look_at_arrays(const std::string& code, const FunctionText& part, std::vector<Found>& found) const {
        const std::regex shared(R"(__shared__[^;=\[]*\b(\w+)\s*\[\s*)" + number_ + R"(\s*\]\s*;)");
        const std::string body = code.substr(part.begin, part.end - part.begin);
        for (std::sregex_iterator at(body.begin(), body.end(), shared), last; at != last; ++at) {
            const std::regex written("\\b" + (*at)[1].str() + R"(\s*\[\s*\w*[lL]ane\w*\s*\]\s*[+|^&]?=[^=])");
            std::smatch match;
            if (std::regex_search(body, match, written))
                found.push_back({part.begin + static_cast<std::size_t>(match.position()),
                                 "writes an array of 32 by lane"});
        }
    }

    std::vector<std::string> codes_;
    std::set<std::string> names_;       // that are 32
    std::string number_;                // an expression for 32
    std::set<std::string> exchanging_;  // functions
    bool exchanges_ = false;            // somewhere
    std::vector<std::pair<std::regex, const char*>> patterns_;
};

}  // namespace

std::string hard_coded_lanes(const std::vector<LaneSource>& sources) {
    static const std::regex exchanges(R"(\b(?:__shfl|__ballot|__any|__all|__activemask|__match))");
    if (std::ranges::none_of(
            sources, [&](const LaneSource& source) { return std::regex_search(source.text, exchanges); }))
        return "";
    const LanesOfSources lanes(sources);
    std::string text;
    for (std::size_t s = 0; s < sources.size(); ++s) {
        const std::string& source = sources[s].text;
        std::set<std::pair<long, std::string>> lines;
        for (const Found& one : lanes.of(s))
            lines.insert(
                {1 + std::count(source.begin(), source.begin() + static_cast<long>(one.at), '\n'), one.what});
        for (const auto& [line, what] : lines)
            text += fmt::format(
                "{}:{}: warning: this {}, and a wavefront of this GPU has 64 lanes: warpSize is its size\n",
                sources[s].file, line, what);
    }
    return text;
}

}  // namespace lockstep::compile
