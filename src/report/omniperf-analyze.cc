#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>

#include "report/counter-expression.h"
#include "report/fancy-grid.h"
#include "report/omniperf.h"

namespace lockstep::report {
namespace {

// Parts of several formulas.
#define FLOPS_OF(type)                                                                    \
    "64*(SQ_INSTS_VALU_ADD_" type "+SQ_INSTS_VALU_MUL_" type "+SQ_INSTS_VALU_TRANS_" type \
    "+2*SQ_INSTS_VALU_FMA_" type ")"
#define VALU_FLOPS "(" FLOPS_OF("F16") "+" FLOPS_OF("F32") "+" FLOPS_OF("F64") ")"
#define LDS_BYTES "((SQ_LDS_IDX_ACTIVE-SQ_LDS_BANK_CONFLICT)*4*lds_banks_per_cu)"
#define LDS_CONFLICTS "(SQ_LDS_BANK_CONFLICT/(SQ_LDS_IDX_ACTIVE-SQ_LDS_BANK_CONFLICT))"
#define L1_MISSES "(TCP_TCC_READ_REQ_sum+TCP_TCC_WRITE_REQ_sum+TCP_TCC_ATOMIC_REQ_sum)"
#define L1_HIT_RATE "(100-100*" L1_MISSES "/TCP_TOTAL_CACHE_ACCESSES_sum)"
#define L2_HIT_RATE "(100*TCC_HIT_sum/(TCC_HIT_sum+TCC_MISS_sum))"
#define FABRIC_READ "(TCC_EA_RDREQ_32B_sum*32+(TCC_EA_RDREQ_sum-TCC_EA_RDREQ_32B_sum)*64+wide_reads*64)"
#define FABRIC_WRITE "(TCC_EA_WRREQ_64B_sum*64+(TCC_EA_WRREQ_sum-TCC_EA_WRREQ_64B_sum)*32)"

enum class OmniperfForm { share, value, range, spread };
struct OmniperfRow {
    const char *name, *unit, *value, *peak;
};
struct OmniperfTable {
    int panel, number;
    const char *panel_title, *title;
    OmniperfForm form;
    std::vector<OmniperfRow> rows;
};

std::vector<OmniperfTable> omniperf_tables() {
    std::vector<OmniperfTable> all;
    int panel = 0;
    const char* panel_title = "";
#define PANEL(number, title) panel = number, panel_title = title;
#define TABLE(number, title, form) all.push_back({panel, number, panel_title, title, OmniperfForm::form, {}});
#define ROW(...) all.back().rows.push_back({__VA_ARGS__});
#include "report/omniperf-metrics.def"
#undef PANEL
#undef TABLE
#undef ROW
    return all;
}

// Panels of omniperf's that have no counter here at all.
constexpr std::pair<const char*, const char*> absent_panels[] = {{"3", "Memory Chart"}};

std::optional<double> number_in_cell(const std::string& text) {
    if (text.empty()) return {};
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end != '\0') return {};
    return value;
}

struct OmniperfKernel {
    std::string name;
    std::vector<std::size_t> rows;
    std::vector<double> times;  // ns
    double sum() const { return std::accumulate(times.begin(), times.end(), 0.0); }
};

std::string wrapped_name(const std::string& text, std::size_t width, std::size_t most) {
    std::string out;
    for (std::size_t at = 0, lines = 0; at < text.size() && lines < most; at += width, ++lines)
        out += (lines ? "\n" : "") + text.substr(at, width);
    if (text.size() > width * most) out.replace(out.size() - 3, 3, "...");
    return out;
}

// A row of a table of metrics. What has no value stays empty.
struct OmniperfCells {
    std::string number, name, unit;
    std::optional<double> average, deviation, least, most, peak, share;
};

class OmniperfAnalysis {
  public:
    // `baseline`: a workload that this one is compared with, or null; its kernels are taken.
    OmniperfAnalysis(const OmniperfWorkload& workload, const OmniperfView& view,
                     const OmniperfAnalysis* baseline)
        : workload_(workload), view_(view), baseline_(baseline) {}

    // `others`: shown beside this one, and what they differ by.
    std::string text(const std::vector<const OmniperfAnalysis*>& others) {
        if (shows("0") || view_.list_stats) top_stats(others);
        if (!view_.list_stats) {
            if (shows("1")) system_info(others);
            for (const OmniperfTable& table : omniperf_tables()) metrics(table, others);
            left_out();
        }
        return out_;
    }

    Result<void> choose() {
        const CsvTable& table = workload_.dispatches;
        std::vector<OmniperfKernel> all;
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            const auto begin = number_in_cell(table.cell(r, "Start_Timestamp")),
                       end = number_in_cell(table.cell(r, "End_Timestamp"));
            if (!begin || !end) return Error{fmt::format("dispatch {} has no times", r), {}};
            const std::string& name = table.cell(r, "Kernel_Name");
            auto found = std::ranges::find(all, name, &OmniperfKernel::name);
            if (found == all.end()) found = all.insert(all.end(), OmniperfKernel{name});
            found->rows.push_back(r), found->times.push_back(*end - *begin);
        }
        std::ranges::stable_sort(all, std::greater<>(), &OmniperfKernel::sum);
        const auto is_chosen = [&](std::size_t k) {
            if (view_.kernels.empty()) return true;
            return baseline_ ? baseline_->kernel_named(all[k].name) != nullptr : view_.kernels.contains(k);
        };
        for (const std::size_t k : view_.kernels)
            if (k >= all.size() && !baseline_)
                return Error{fmt::format("there is no kernel {}: {} are there", k, all.size()), {}};
        for (const std::size_t d : view_.dispatches)
            if (d >= table.rows.size())
                return Error{fmt::format("there is no dispatch {}: {} are there", d, table.rows.size()), {}};
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (!is_chosen(k)) continue;
            OmniperfKernel kept{all[k].name};
            for (std::size_t i = 0; i < all[k].rows.size(); ++i)
                if (view_.dispatches.empty() || view_.dispatches.contains(all[k].rows[i]))
                    kept.rows.push_back(all[k].rows[i]), kept.times.push_back(all[k].times[i]);
            if (!kept.rows.empty()) kernels_.push_back(std::move(kept));
        }
        for (const OmniperfKernel& kernel : kernels_)
            rows_.insert(rows_.end(), kernel.rows.begin(), kernel.rows.end());
        std::ranges::sort(rows_);
        if (rows_.empty()) return Error{"no dispatch is left to analyse", {}};
        return {};
    }

  private:
    const OmniperfKernel* kernel_named(const std::string& name) const {
        const auto found = std::ranges::find(kernels_, name, &OmniperfKernel::name);
        return found == kernels_.end() ? nullptr : &*found;
    }

    bool shows(const std::string& panel, const std::string& table = "", const std::string& row = "") const {
        if (view_.blocks.empty()) return true;
        const std::string whole = panel + "." + table, one = whole + "." + row;
        if (view_.blocks.contains(panel)) return true;
        if (table.empty())
            return panel == "0" || std::ranges::any_of(view_.blocks, [&](const std::string& block) {
                       return block.starts_with(panel + ".");
                   });
        if (view_.blocks.contains(whole)) return true;
        if (row.empty())
            return std::ranges::any_of(
                view_.blocks, [&](const std::string& block) { return block.starts_with(whole + "."); });
        return view_.blocks.contains(one);
    }

    std::string digits(double value) const { return fmt::format("{:.{}f}", value, view_.decimal); }
    std::string digits(std::optional<double> value) const { return value ? digits(*value) : ""; }
    // "12.00 (20.00%)": another workload's value, and how far it is from this one's.
    std::string beside(std::optional<double> base, std::optional<double> other) const {
        if (!base || !other) return digits(other);
        const double change = *base == 0 ? *other : (*other - *base) / *base;
        return fmt::format("{} ({}%)", digits(*other), digits(100 * change));
    }

    void panel(const std::string& title) { out_ += "\n" + std::string(80, '-') + "\n" + title + "\n"; }

    // Count, sum, mean, median, share.
    std::array<double, 5> statistics(const OmniperfKernel& kernel, double unit) const {
        double all = 0;
        for (const OmniperfKernel& one : kernels_) all += one.sum();
        std::vector<double> sorted = kernel.times;
        std::ranges::sort(sorted);
        const std::size_t half = sorted.size() / 2;
        const double median = sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        const double sum = kernel.sum(), count = static_cast<double>(sorted.size());
        return {count, sum / unit, sum / count / unit, median / unit, all > 0 ? 100 * sum / all : 0};
    }

    void top_stats(const std::vector<const OmniperfAnalysis*>& others) {
        static const std::map<std::string, double> units = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
        const double unit = units.at(view_.time_unit);
        panel("0. Top Stats");
        std::vector<std::vector<std::string>> rows;
        const std::size_t most = view_.list_stats ? kernels_.size() : view_.most_stats;
        for (std::size_t k = 0; k < std::min(most, kernels_.size()); ++k) {
            const OmniperfKernel& kernel = kernels_[k];
            const auto own = statistics(kernel, unit);
            std::vector<std::string> cells = {std::to_string(k), wrapped_name(kernel.name, 40, 3)};
            for (std::size_t i = 0; i < own.size(); ++i) {
                cells.push_back(digits(own[i]));
                for (const OmniperfAnalysis* other : others) {
                    const OmniperfKernel* same = other->kernel_named(kernel.name);
                    cells.push_back(same ? beside(own[i], other->statistics(*same, unit)[i]) : "");
                }
            }
            rows.push_back(std::move(cells));
        }
        const auto timed = [&](const char* what) { return fmt::format("{}({})", what, view_.time_unit); };
        std::vector<FancyColumn> columns = {{"", true}, {"Kernel_Name"}};
        for (const std::string& title :
             {std::string("Count"), timed("Sum"), timed("Mean"), timed("Median"), std::string("Pct")})
            columns.insert(columns.end(), others.size() + 1, {title, true});
        out_ += "0.1 Top Kernels\n" + fancy_grid(columns, rows);
        rows.clear();
        const CsvTable& table = workload_.dispatches;
        const std::size_t listed = view_.list_stats ? rows_.size() : view_.most_stats;
        for (std::size_t i = 0; i < std::min(listed, rows_.size()); ++i)
            rows.push_back({std::to_string(i), table.cell(rows_[i], "Dispatch_ID"),
                            wrapped_name(table.cell(rows_[i], "Kernel_Name"), 80, 4),
                            table.cell(rows_[i], "GPU_ID")});
        out_ += "0.2 Dispatch List\n" +
                fancy_grid({{"", true}, {"Dispatch_ID", true}, {"Kernel_Name"}, {"GPU_ID", true}}, rows);
    }

    void system_info(const std::vector<const OmniperfAnalysis*>& others) {
        panel("1. System Info");
        std::vector<std::vector<std::string>> rows;
        for (const std::string& name : workload_.system.names) {
            rows.push_back({name, wrapped_name(workload_.system.cell(0, name), 80, 4)});
            for (const OmniperfAnalysis* other : others)
                rows.back().push_back(wrapped_name(other->workload_.system.cell(0, name), 80, 4));
        }
        std::vector<FancyColumn> columns = {{""}};
        columns.insert(columns.end(), others.size() + 1, {"Info"});
        out_ += fancy_grid(columns, rows);
    }

    std::optional<double> lookup(std::size_t row, std::string_view name) const {
        const auto cell = [&](std::string_view column) {
            return number_in_cell(workload_.dispatches.cell(row, column));
        };
        const auto system = [&](std::string_view column) {
            return number_in_cell(workload_.system.cell(0, column));
        };
        if (name == "ns") return *cell("End_Timestamp") - *cell("Start_Timestamp");
        if (name == "cycles") {
            const auto all = cell("GRBM_GUI_ACTIVE");
            if (!all) return {};
            return *all / system("num_xcd").value_or(1);
        }
        if (name == "denom") {
            if (view_.normal == "per_wave") return cell("SQ_WAVES");
            if (view_.normal == "per_cycle") return lookup(row, "cycles");
            if (view_.normal == "per_second") return *lookup(row, "ns") / 1e9;
            return 1;
        }
        if (name == "l2_bytes") return workload_.system.cell(0, "gpu_arch") == "gfx908" ? 64 : 128;
        if (name == "wide_reads") return cell("TCC_BUBBLE_sum").value_or(0);
        if (name == "matrix_products") return cell("SQ_INSTS_MFMA").value_or(0);
        // Operations of matrix instructions in a compute unit's cycle.
        const bool newest = workload_.system.cell(0, "gpu_arch").starts_with("gfx94");
        if (name == "narrow_rate") return newest ? 2048 : 1024;
        if (name == "byte_rate") return newest ? 4096 : 1024;
        if (const auto value = cell(name)) return value;
        if (const auto value = over_channels(row, name)) return value;
        // Hardware has two counters for what is one here.
        if (name == "TCP_TCC_ATOMIC_REQ_sum") {
            const auto with = cell("TCP_TCC_ATOMIC_WITH_RET_REQ_sum"),
                       without = cell("TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum");
            if (with && without) return *with + *without;
        }
        return system(name);
    }

    OmniperfCells with_norm(OmniperfCells cells) const {
        if (cells.unit.ends_with(" per")) cells.unit += " " + view_.normal.substr(4);
        return cells;
    }

    // TCC_REQ_max of TCC_REQ[0], TCC_REQ[1] …, which omniperf itself keeps.
    std::optional<double> over_channels(std::size_t row, std::string_view name) const {
        const std::size_t end = name.rfind('_');
        if (end == name.npos) return {};
        const std::string_view what = name.substr(end + 1);
        std::vector<double> values;
        for (;;) {
            const std::string column = fmt::format("{}[{}]", name.substr(0, end), values.size());
            if (!workload_.dispatches.column(column)) break;
            const auto value = number_in_cell(workload_.dispatches.cell(row, column));
            if (!value) return {};
            values.push_back(*value);
        }
        if (values.empty()) return {};
        if (what == "min") return std::ranges::min(values);
        if (what == "max") return std::ranges::max(values);
        double sum = 0, squares = 0;
        for (const double value : values) sum += value, squares += value * value;
        if (what == "sum") return sum;
        const auto count = static_cast<double>(values.size());
        const double mean = sum / count;
        if (what == "std") return std::sqrt(std::max(0.0, squares / count - mean * mean));
        return {};
    }

    // Of a channel of the L2, averages over the dispatches; what lacks, or nothing.
    std::string spread_over_channels(const std::string& counter, OmniperfCells& cells) const {
        const auto averaged = [&](const std::string& formula, std::optional<double>& into) {
            double sum = 0;
            for (const std::size_t dispatch : rows_) {
                const CounterValue value =
                    evaluate(formula, [&](std::string_view name) { return lookup(dispatch, name); });
                if (!value.value) return value.missing.empty() ? counter + "_sum" : value.missing;
                sum += *value.value;
            }
            into = sum / static_cast<double>(rows_.size());
            return std::string();
        };
        std::string lacking = averaged(counter + "_sum/total_l2_chan/denom", cells.average);
        for (const auto& [end, into] :
             {std::pair{"_std", &cells.deviation}, {"_min", &cells.least}, {"_max", &cells.most}})
            if (lacking.empty()) lacking = averaged(counter + end + "/denom", *into);
        return lacking;
    }

    // The rows that are shown; the names of those that are not go to `missing`.
    std::vector<OmniperfCells> cells_of(const OmniperfTable& table, std::vector<std::string>& missing) const {
        const std::string panel_id = std::to_string(table.panel), id = std::to_string(table.number);
        std::vector<OmniperfCells> shown;
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            const OmniperfRow& row = table.rows[r];
            const std::string row_id = std::to_string(r);
            if (!shows(panel_id, id, row_id)) continue;
            OmniperfCells cells{fmt::format("{}.{}.{}", panel_id, id, row_id), row.name, row.unit};
            std::string lacking;
            if (table.form == OmniperfForm::spread) {
                lacking = spread_over_channels(row.value, cells);
                if (lacking.empty())
                    shown.push_back(with_norm(std::move(cells)));
                else
                    missing.push_back(fmt::format("{} {} ({})", cells.number, row.name, lacking));
                continue;
            }
            std::vector<double> values;
            for (const std::size_t dispatch : rows_) {
                const CounterValue value =
                    evaluate(row.value, [&](std::string_view name) { return lookup(dispatch, name); });
                if (lacking.empty()) lacking = value.missing;
                if (value.value) values.push_back(*value.value);
            }
            if (!lacking.empty()) {
                missing.push_back(fmt::format("{} {} ({})", cells.number, row.name, lacking));
                continue;
            }
            cells = with_norm(std::move(cells));
            if (!values.empty()) {
                const auto [least, most] = std::ranges::minmax_element(values);
                cells.least = *least, cells.most = *most;
                cells.average =
                    std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
            }
            if (*row.peak)
                cells.peak = evaluate(row.peak, [&](std::string_view name) {
                                 return lookup(rows_.front(), name);
                             }).value;
            if (cells.average && cells.peak && *cells.peak > 0)
                cells.share = 100 * *cells.average / *cells.peak;
            shown.push_back(std::move(cells));
        }
        return shown;
    }

    void metrics(const OmniperfTable& table, const std::vector<const OmniperfAnalysis*>& others) {
        const std::string panel_id = std::to_string(table.panel), id = std::to_string(table.number);
        if (!shows(panel_id, id)) return;
        const std::vector<OmniperfCells> own = cells_of(table, missing_);
        if (own.empty()) return;
        std::vector<std::vector<OmniperfCells>> beside_own;
        for (const OmniperfAnalysis* other : others) {
            std::vector<std::string> told_already;
            beside_own.push_back(other->cells_of(table, told_already));
        }
        using Value = std::optional<double> OmniperfCells::*;
        std::vector<FancyColumn> columns = {{"Metric_ID"}, {"Metric"}};
        const auto titled = [&](const char* title) {
            columns.insert(columns.end(), others.size() + 1, {title, true});
        };
        const bool spread = table.form == OmniperfForm::spread;
        const bool range = spread || table.form == OmniperfForm::range;
        const bool share = table.form == OmniperfForm::share;
        titled("Avg");
        if (spread) titled("Std Dev");
        if (range) titled("Min"), titled("Max");
        columns.push_back({"Unit"});
        if (share) titled("Peak"), titled("Pct of Peak");
        std::vector<std::vector<std::string>> rows;
        for (const OmniperfCells& cells : own) {
            std::vector<std::string> row = {cells.number, cells.name};
            const auto add = [&](Value value) {
                row.push_back(digits(cells.*value));
                for (const auto& other : beside_own) {
                    const auto same = std::ranges::find(other, cells.number, &OmniperfCells::number);
                    row.push_back(same == other.end() ? "" : beside(cells.*value, (*same).*value));
                }
            };
            add(&OmniperfCells::average);
            if (spread) add(&OmniperfCells::deviation);
            if (range) add(&OmniperfCells::least), add(&OmniperfCells::most);
            row.push_back(cells.unit);
            if (share) add(&OmniperfCells::peak), add(&OmniperfCells::share);
            rows.push_back(std::move(row));
        }
        if (table.panel != last_panel_) panel(panel_id + ". " + table.panel_title);
        last_panel_ = table.panel;
        out_ += fmt::format("{}.{} {}\n", panel_id, id, table.title) + fancy_grid(columns, rows);
    }

    void left_out() {
        std::vector<std::string> panels;
        for (const auto& [id, title] : absent_panels)
            if (view_.blocks.empty() || view_.blocks.contains(id))
                panels.push_back(fmt::format("{}. {}", id, title));
        if (missing_.empty() && panels.empty()) return;
        out_ += "\nLeft out, since lockstep does not count what they are made of";
        if (!panels.empty()) out_ += fmt::format(":\n  {}", fmt::join(panels, "\n  "));
        if (panels.empty()) out_ += ":";
        for (const std::string& one : missing_) out_ += "\n  " + one;
        out_ += "\n";
    }

    const OmniperfWorkload& workload_;
    const OmniperfView& view_;
    const OmniperfAnalysis* baseline_;
    std::vector<OmniperfKernel> kernels_;
    std::vector<std::size_t> rows_;
    std::vector<std::string> missing_;
    std::string out_;
    int last_panel_ = -1;
};

}  // namespace

Result<std::string> analyze(const std::vector<OmniperfWorkload>& workloads, const OmniperfView& view) {
    std::vector<std::unique_ptr<OmniperfAnalysis>> all;
    std::vector<const OmniperfAnalysis*> others;
    for (const OmniperfWorkload& workload : workloads) {
        all.push_back(
            std::make_unique<OmniperfAnalysis>(workload, view, all.empty() ? nullptr : all.front().get()));
        if (auto chosen = all.back()->choose(); !chosen) return chosen.error();
        if (all.size() > 1) others.push_back(all.back().get());
    }
    return all.front()->text(others);
}

bool is_omniperf_block(const std::string& block) {
    if (block == "0" || block == "1") return true;
    for (const auto& [id, title] : absent_panels)
        if (block == id) return true;
    for (const OmniperfTable& table : omniperf_tables()) {
        if (block == std::to_string(table.panel)) return true;
        const std::string id = fmt::format("{}.{}", table.panel, table.number);
        if (block == id) return true;
        for (std::size_t r = 0; r < table.rows.size(); ++r)
            if (block == fmt::format("{}.{}", id, r)) return true;
    }
    return false;
}

}  // namespace lockstep::report
