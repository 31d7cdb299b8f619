#include "timing/balance.h"

#include <algorithm>
#include <numeric>

namespace lockstep::timing {
namespace {

class Balance {
  public:
    Balance(const Code& code, BlockTrace& block) : code_(code), block_(block) {}

    bool run() {
        // By warp: where what it does between two barriers begins; the barrier's own step ends it.
        std::vector<std::vector<std::size_t>> begins;
        for (const WarpTrace& warp : block_.warps) {
            begins.emplace_back(1, 0);
            for (std::size_t s = 0; s < warp.steps.size(); ++s)
                if (has_unit(warp.steps[s], Unit::barrier)) begins.back().push_back(s + 1);
        }
        const std::size_t phases = begins.empty() ? 0 : begins.front().size();
        // Without barriers nobody waits for another; where warps leave early, phases are not each other's.
        if (phases < 2 || std::ranges::any_of(begins, [&](const auto& one) { return one.size() != phases; }))
            return false;
        std::vector<std::vector<Step>> steps(block_.warps.size());
        for (std::size_t p = 0; p < phases; ++p) add_phase(p, begins, steps);
        for (std::size_t w = 0; changed_ && w < steps.size(); ++w)
            block_.warps[w].steps = std::move(steps[w]);
        return changed_;
    }

  private:
    bool has_unit(const Step& step, Unit unit) const {
        return std::ranges::any_of(section_of(code_, step).ops,
                                   [&](const Op& op) { return op.unit == unit; });
    }
    double work_of(const Step& step) const { return section_of(code_, step).instructions; }
    // What lanes of one warp do together is its own.
    bool movable(const Step& step) const {
        return std::ranges::none_of(section_of(code_, step).ops, [](const Op& op) {
            return op.unit == Unit::barrier || op.unit == Unit::shuffle || op.unit == Unit::bulk ||
                   op.async != Async::none;
        });
    }

    // What the warps do from one barrier to the next, evened out.
    void add_phase(std::size_t p, const std::vector<std::vector<std::size_t>>& begins,
                   std::vector<std::vector<Step>>& out) {
        const std::size_t warps = block_.warps.size();
        std::vector<std::vector<Step>> phase(warps);
        std::vector<double> work(warps);
        for (std::size_t w = 0; w < warps; ++w) {
            const std::vector<Step>& all = block_.warps[w].steps;
            const std::size_t end = p + 1 < begins[w].size() ? begins[w][p + 1] : all.size();
            phase[w].assign(all.begin() + static_cast<std::ptrdiff_t>(begins[w][p]),
                            all.begin() + static_cast<std::ptrdiff_t>(end));
            for (const Step& step : phase[w]) work[w] += work_of(step);
        }
        const double mean = std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(warps);
        for (std::size_t w = 0; w < warps; ++w)
            for (std::size_t s = phase[w].size(); s-- > 0;) {
                const Step step = phase[w][s];
                const auto least = static_cast<std::size_t>(std::ranges::min_element(work) - work.begin());
                if (!movable(step) || work[w] - work_of(step) < mean || work[least] + work_of(step) > mean)
                    continue;
                move(w, step, least, phase[least]);
                phase[w].erase(phase[w].begin() + static_cast<std::ptrdiff_t>(s));
                work[w] -= work_of(step), work[least] += work_of(step);
            }
        for (std::size_t w = 0; w < warps; ++w) out[w].insert(out[w].end(), phase[w].begin(), phase[w].end());
    }

    // To the begin of what the other one does.
    void move(std::size_t from, Step step, std::size_t to, std::vector<Step>& phase) {
        const std::vector<std::uint32_t>& given = block_.warps[from].accesses;
        std::vector<std::uint32_t>& taken = block_.warps[to].accesses;
        const std::size_t first = taken.size(), sites = section_of(code_, step).sites.size();
        for (std::size_t i = 0; i < sites; ++i) taken.push_back(given[step.first_access + i]);
        step.first_access = static_cast<std::uint32_t>(first);
        phase.insert(phase.begin(), step);
        changed_ = true;
    }

    const Code& code_;
    BlockTrace& block_;
    bool changed_ = false;
};

}  // namespace

bool balance_warps(const Code& code, BlockTrace& block) { return Balance(code, block).run(); }

}  // namespace lockstep::timing
