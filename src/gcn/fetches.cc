#include "gcn/fetches.h"

#include <algorithm>
#include <optional>

#include "gcn/encoding.h"
#include "gcn/segments.h"

namespace lockstep::gcn {
namespace {

constexpr std::uint32_t fetched_bytes = 32;
constexpr std::uint32_t kernel_alignment = 256;

// From one segment to another, by a jump or by going on.
struct Edge {
    std::size_t from = 0, to = 0;
    bool falls = false;
    std::optional<std::uint64_t> times;
};

// How often control went from each segment to the next one: what enters a segment and what leaves it is as
// often as it ran, from which edges follow one by one.
class Flow {
  public:
    Flow(const Code& code, const std::vector<Segment>& segments, const LaunchCounts& counts)
        : counts_(counts),
          in_(segments.size()),
          out_(segments.size()),
          known_in_(segments.size(), true),
          known_out_(segments.size(), true) {
        std::vector<std::size_t> of_instruction(code.instructions.size() + 1, segments.size());
        for (std::size_t s = 0; s < segments.size(); ++s) of_instruction[segments[s].first] = s;
        for (const Code::Part& part : code.parts) known_in_[of_instruction[part.first]] = false;
        if (code.jumps_by_register)  // to any place that has a name
            for (const auto& [name, at] : code.labels)
                if (of_instruction[at] < segments.size()) known_in_[of_instruction[at]] = false;
        for (std::size_t s = 0; s < segments.size(); ++s) {
            const Instruction& last = code.instructions[segments[s].first + segments[s].count - 1];
            const bool jumps = unit_of(last) == Unit::branch, ends = last.name == "s_endpgm";
            const auto target = jumps && !last.operands.empty() ? code.labels.find(last.operands.back().name)
                                                                : code.labels.end();
            const bool by_name = target != code.labels.end();
            if (by_name) add({s, of_instruction[target->second], false, {}});
            const bool always = ends || last.name == "s_branch" || (jumps && !by_name);
            if (ends || (jumps && !by_name)) known_out_[s] = false;
            if (s + 1 == segments.size()) continue;
            if (!always) add({s, s + 1, true, {}});
            if (jumps && !by_name) known_in_[s + 1] = false;  // a call comes back
        }
        for (bool changed = true; changed;) {
            changed = solve(in_, known_in_, true);
            changed |= solve(out_, known_out_, false);
        }
    }

    // Into a segment, from the one before it.
    std::uint64_t falls_into(std::size_t segment) const {
        for (const std::size_t e : in_[segment])
            if (edges_[e].falls)
                return edges_[e].times.value_or(std::min(runs(edges_[e].from), runs(segment)));
        return 0;
    }

  private:
    std::uint64_t runs(std::size_t segment) const {
        return segment < counts_.segments.size() ? counts_.segments[segment].executed : 0;
    }
    void add(const Edge& edge) {
        if (edge.to >= in_.size()) return;
        in_[edge.to].push_back(edges_.size()), out_[edge.from].push_back(edges_.size());
        edges_.push_back(edge);
    }
    // Whether something became known.
    bool solve(const std::vector<std::vector<std::size_t>>& of_segments, const std::vector<bool>& known,
               bool entering) {
        bool changed = false;
        for (std::size_t s = 0; s < of_segments.size(); ++s) {
            if (!known[s]) continue;
            std::uint64_t rest = runs(s);
            if (entering && s == 0) rest -= std::min(rest, counts_.waves);
            Edge* open = nullptr;
            std::size_t unknown = 0;
            for (const std::size_t e : of_segments[s]) {
                Edge& edge = edges_[e];
                if (edge.times)
                    rest -= std::min(rest, *edge.times);
                else
                    open = &edge, ++unknown;
            }
            if (unknown != 1) continue;
            open->times = rest;
            changed = true;
        }
        return changed;
    }

    const LaunchCounts& counts_;
    std::vector<Edge> edges_;
    std::vector<std::vector<std::size_t>> in_, out_;  // by segment, numbers of edges
    std::vector<bool> known_in_, known_out_;          // all edges of that side are there
};

}  // namespace

std::uint64_t count_fetches(const Code& code, const LaunchCounts& counts) {
    const std::vector<Segment> segments = segments_of(code);
    const Flow flow(code, segments, counts);
    std::uint64_t fetches = 0, at = 0;
    for (std::size_t s = 0; s < segments.size() && s < counts.segments.size(); ++s) {
        // A called function begins where a kernel could.
        for (const Code::Part& part : code.parts)
            if (part.first == segments[s].first)
                at = (at + kernel_alignment - 1) / kernel_alignment * kernel_alignment;
        const std::uint64_t begin = at;
        for (std::uint32_t i = 0; i < segments[s].count; ++i)
            at += encoded_bytes(code.instructions[segments[s].first + i]);
        if (at == begin) continue;
        const std::uint64_t pieces = (at - 1) / fetched_bytes - begin / fetched_bytes + 1;
        fetches += counts.segments[s].executed * pieces;
        // Who goes on within a piece has it already.
        if (s && begin % fetched_bytes) fetches -= flow.falls_into(s);
    }
    return fetches;
}

}  // namespace lockstep::gcn
