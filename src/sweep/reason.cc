#include "sweep/reason.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/time-words.h"

namespace lockstep::sweep {
namespace {

using timing::Bound;

constexpr const char* threads = "launch__thread_count";
constexpr const char* instructions = "smsp__inst_executed.sum";
constexpr const char* achieved = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr const char* theoretical = "sm__maximum_warps_per_active_cycle_pct";
constexpr const char* waves = "launch__waves_per_multiprocessor";
constexpr const char* dram_read = "dram__bytes_read.sum";
constexpr const char* dram_written = "dram__bytes_write.sum";
constexpr const char* wavefronts = "memory_l1_wavefronts_shared";
constexpr const char* ideal_wavefronts = "memory_l1_wavefronts_shared_ideal";
constexpr const char* barrier_stalls = "smsp__warp_issue_stalled_barrier_per_warp_active.pct";

struct Access {
    const char *sectors_per_request, *what;
};
constexpr Access accesses[] = {
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "load"},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", "store"},
};

std::optional<double> quotient(std::optional<double> a, std::optional<double> b) {
    if (!a || !b || *b == 0) return {};
    return *a / *b;
}

std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
    if (!a || !b) return {};
    return *a + *b;
}

// Two digits, whole numbers without a point.
std::string digits(double value) {
    return value >= 10 || value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                     : fmt::format("{:.1f}", value);
}

std::uint64_t block_threads(const Facts& facts) {
    const auto& block = facts.kernel.block;
    return std::uint64_t{block[0]} * block[1] * block[2];
}

class Comparison {
  public:
    Comparison(const Facts& row, const Facts& best) : row_(row), best_(best) {}

    void say_work();
    void say_gpu();
    void say_bound();
    void say_access();
    void say_occupancy();

    std::vector<std::string> clauses;

  private:
    std::optional<double> of_row(const char* metric) const { return row_.kernel.value(metric); }
    std::optional<double> of_best(const char* metric) const { return best_.kernel.value(metric); }
    std::optional<double> ratio(const char* metric) const {
        return quotient(of_row(metric), of_best(metric));
    }
    void say(std::string clause) { clauses.push_back(std::move(clause)); }
    void say_blocks_started();
    void say_memory();
    void say_banks();

    const Facts &row_, &best_;
};

// The same program with other arguments, or blocks that reach beyond the matrix.
void Comparison::say_work() {
    const auto more_threads = ratio(threads), more_instructions = ratio(instructions);
    if (more_threads && *more_threads > 1.05) {
        say(fmt::format("{} times the threads", digits(*more_threads)));
        if (more_instructions && *more_instructions < *more_threads * 1.2) return;
    }
    if (more_instructions && *more_instructions > 1.1)
        say(fmt::format("{} times the instructions", digits(*more_instructions)));
}

// Memory's bandwidth explains what is bound by it, the SMs the rest.
void Comparison::say_gpu() {
    const gpu::GpuModel &own = row_.gpu, &other = best_.gpu;
    const auto bound = row_.kernel.bound;
    if (own.memory_bandwidth_gbs < other.memory_bandwidth_gbs && (!bound || *bound == Bound::dram_bandwidth))
        say(fmt::format("memory of {} against {} GB/s", own.memory_bandwidth_gbs,
                        other.memory_bandwidth_gbs));
    if (bound == Bound::dram_bandwidth) return;
    if (own.sms < other.sms)
        say(fmt::format("{} {} against {}", own.sms, own.sms == 1 ? "SM" : "SMs", other.sms));
    else if (own.clock_mhz < other.clock_mhz)
        say(fmt::format("{} MHz against {}", own.clock_mhz, other.clock_mhz));
}

void Comparison::say_blocks_started() {
    const double cycles = row_.gpu.timing.block_launch_cycles;
    if (cycles <= 0 || row_.gpu.clock_mhz <= 0)
        say(fmt::format("blocks of {} threads end faster than new ones start", block_threads(row_)));
    else
        say(fmt::format("blocks of {} threads: at most {:.2f} are started in a ns", block_threads(row_),
                        row_.gpu.clock_mhz / 1000.0 / cycles));
}

void Comparison::say_memory() {
    const auto own = sum(of_row(dram_read), of_row(dram_written));
    const auto more = quotient(own, sum(of_best(dram_read), of_best(dram_written)));
    if (more && *more > 1.05) say(fmt::format("{} times the bytes of memory", digits(*more)));
}

void Comparison::say_banks() {
    const auto own = quotient(of_row(wavefronts), of_row(ideal_wavefronts));
    const auto other = quotient(of_best(wavefronts), of_best(ideal_wavefronts));
    if (own && other && *own > *other * 1.05)
        say(fmt::format("bank conflicts: {} times the passes that would do, against {}", digits(*own),
                        digits(*other)));
}

void Comparison::say_bound() {
    if (!row_.kernel.bound) return;
    switch (*row_.kernel.bound) {
        case Bound::block_rate: say_blocks_started(); break;
        case Bound::launch_overhead:
            say(fmt::format("too little work: a launch alone takes {:.1f} us",
                            row_.gpu.timing.kernel_overhead_us));
            break;
        case Bound::dram_bandwidth: say_memory(); break;
        case Bound::shared_bandwidth: say_banks(); break;
        case Bound::tail:
            if (const auto own = of_row(waves))
                say(fmt::format("{} waves of blocks: most SMs have none", digits(*own)));
            break;
        case Bound::barriers:
            if (const auto own = of_row(barrier_stalls), other = of_best(barrier_stalls);
                own && other && *own > *other)
                say(fmt::format("warps wait at barriers for {:.0f} % of their time against {:.0f} %", *own,
                                *other));
            break;
        case Bound::l2_bandwidth:
        case Bound::l1_bandwidth:        // say_access tells
        case Bound::memory_latency:      // say_occupancy tells
        case Bound::arithmetic_latency:  // the same
        case Bound::issue_slots:         // say_work tells
        case Bound::arithmetic:
        case Bound::atomics:
        case Bound::constant_memory:
        case Bound::texture_units: break;
    }
}

void Comparison::say_access() {
    for (const Access& access : accesses) {
        const auto own = of_row(access.sectors_per_request), other = of_best(access.sectors_per_request);
        if (own && other && *own > *other * 1.1) {
            say(fmt::format("{} sectors a {} against {}", digits(*own), access.what, digits(*other)));
            return;  // loads and stores mostly have the same pattern
        }
    }
}

void Comparison::say_occupancy() {
    const auto own = of_row(achieved), other = of_best(achieved);
    const auto possible = of_row(theoretical), other_possible = of_best(theoretical);
    if (possible && other_possible && *possible < *other_possible - 5) {
        say(fmt::format("room for {:.0f} % of an SM's warps against {:.0f} %", *possible, *other_possible));
        return;
    }
    // Beside another cause, occupancy is mostly its effect: only a large difference is worth a word then.
    if (!own || !other || *own > *other - 3 || (!clauses.empty() && *own > 0.6 * *other)) return;
    const std::uint64_t warps = (block_threads(row_) + 31) / 32;
    const auto resident =
        possible && warps != 0
            ? static_cast<std::uint64_t>(
                  std::llround(*possible / 100 * row_.gpu.max_warps_per_sm() / static_cast<double>(warps)))
            : 0;
    // A block's place is free when its last warp has ended: the fewer and larger the blocks, the more waits.
    if (block_threads(row_) > block_threads(best_) && resident != 0)
        say(fmt::format(
            "{} block{} of {} threads an SM, replaced as a whole: occupancy {:.0f} % against {:.0f} %",
            resident, resident == 1 ? "" : "s", block_threads(row_), *own, *other));
    else
        say(fmt::format("occupancy {:.0f} % against {:.0f} %", *own, *other));
}

}  // namespace

std::string why_slower(const Facts& row, const Facts& best, double ratio) {
    if (ratio < 1.02) return "within 2 % of the best";
    Comparison comparison(row, best);
    comparison.say_work();
    comparison.say_bound();
    comparison.say_gpu();
    comparison.say_access();
    comparison.say_occupancy();
    auto& clauses = comparison.clauses;
    if (clauses.empty() && row.kernel.bound)
        return fmt::format("bound by {}", report::bound_text(*row.kernel.bound));
    // The first ones weigh most; a row is no place for an essay.
    if (clauses.size() > 2) clauses.resize(2);
    return fmt::format("{}", fmt::join(clauses, "; "));
}

}  // namespace lockstep::sweep
