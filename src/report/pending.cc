#include "report/pending.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "report/run-schema.h"

namespace lockstep::report {
namespace {

constexpr std::array counters = {
    &InstructionCounts::executed,
    &InstructionCounts::active,
    &InstructionCounts::predicated_on,
    &InstructionCounts::branches,
    &InstructionCounts::divergent_branches,
    &InstructionCounts::requests,
    &InstructionCounts::sectors,
    &InstructionCounts::ideal_sectors,
    &InstructionCounts::wavefronts,
    &InstructionCounts::ideal_wavefronts,
    &InstructionCounts::unsynchronised,
};

class Writer {
  public:
    template <class T>
    void put(T value) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        out.insert(out.end(), bytes, bytes + sizeof value);
    }
    std::vector<std::byte> out;
};

class Reader {
  public:
    explicit Reader(std::span<const std::byte> in) : in_(in) {}
    template <class T>
    T get() {
        T value{};
        if (in_.size() < sizeof value) {
            bad_ = true;
            return value;
        }
        std::memcpy(&value, in_.data(), sizeof value);
        in_ = in_.subspan(sizeof value);
        return value;
    }
    std::string text(std::size_t size) {
        if (size > in_.size()) {
            bad_ = true;
            return {};
        }
        std::string result(reinterpret_cast<const char*>(in_.data()), size);
        in_ = in_.subspan(size);
        return result;
    }
    // Whether so many elements of `size` bytes can follow.
    bool has(std::uint64_t count, std::size_t size) {
        if (count > in_.size() / size) bad_ = true;
        return !bad_;
    }
    bool bad() const { return bad_ || !in_.empty(); }
    bool failed() const { return bad_; }
    void set_bad() { bad_ = true; }

  private:
    std::span<const std::byte> in_;
    bool bad_ = false;
};

// Most instructions have warps in two or three of the states.
void put_states(Writer& writer, const WarpCycles& cycles) {
    writer.put(static_cast<std::uint8_t>(
        std::count_if(cycles.begin(), cycles.end(), [](std::uint64_t spent) { return spent != 0; })));
    for (std::size_t s = 0; s < cycles.size(); ++s) {
        if (cycles[s] == 0) continue;
        writer.put(static_cast<std::uint8_t>(s));
        writer.put(cycles[s]);
    }
}

void get_states(Reader& reader, WarpCycles& cycles) {
    for (std::uint8_t left = reader.get<std::uint8_t>(); left != 0 && !reader.failed(); --left) {
        const auto state = reader.get<std::uint8_t>();
        const auto spent = reader.get<std::uint64_t>();
        if (state < cycles.size())
            cycles[state] = spent;
        else
            reader.set_bad();
    }
}

// Most instructions access no global memory.
void put_pattern(Writer& writer, const counters::PatternCost& cost) {
    writer.put(cost.pattern.kind);
    if (cost.requests == 0 || cost.pattern.kind == counters::PatternKind::none) return;
    writer.put(cost.pattern.stride);
    writer.put(cost.pattern.run);
    writer.put(cost.requests);
    writer.put(cost.surplus);
}

void get_pattern(Reader& reader, counters::PatternCost& cost) {
    const auto kind = reader.get<std::uint8_t>();
    if (kind > static_cast<std::uint8_t>(counters::PatternKind::scattered)) reader.set_bad();
    cost.pattern.kind = static_cast<counters::PatternKind>(kind);
    if (kind == 0 || reader.failed()) return;
    cost.pattern.stride = reader.get<std::int64_t>();
    cost.pattern.run = reader.get<std::uint32_t>();
    cost.requests = reader.get<std::uint64_t>();
    cost.surplus = reader.get<std::uint64_t>();
}

// The sums of one kernel's launches while they are folded.
struct KernelSums {
    std::uint64_t launches = 0, kept = 0, faults = 0;
    std::uint64_t already_kept = 0;
    std::vector<Aggregate> metrics;
    std::vector<InstructionCounts> instructions;
};

class Folder {
  public:
    explicit Folder(Database& database)
        : database_(database),
          insert_launch_(database,
                         "INSERT INTO launch VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
                         "?13, ?14, ?15, ?16)"),
          insert_value_(database, "INSERT INTO value VALUES (?1, ?2, ?3)") {}

    Result<void> fold(std::int64_t process);

  private:
    Result<void> add(std::int64_t id, std::int64_t process, std::int64_t kernel,
                     const PendingLaunch& pending);
    Result<void> keep(std::int64_t id, std::int64_t process, std::int64_t kernel, const Launch& launch);
    Result<void> write_sums();

    Database& database_;
    Statement insert_launch_, insert_value_;
    std::map<std::int64_t, KernelSums> kernels_;
};

Result<void> Folder::fold(std::int64_t process) {
    Statement rows(database_,
                   "SELECT id, process, kernel, record FROM pending WHERE ?1 IN (0, process) ORDER BY id");
    rows.bind(process);
    for (;;) {
        auto row = rows.step();
        if (!row) return row.error();
        if (!*row) break;
        auto pending = decode(rows.blob(3));
        if (!pending) return Error{pending.error().message, {database_.file().string()}};
        if (auto added = add(rows.number(0), rows.number(1), rows.number(2), *pending); !added) return added;
    }
    if (auto written = write_sums(); !written) return written;
    return Statement(database_, "DELETE FROM pending WHERE ?1 IN (0, process)").bind(process).run();
}

Result<void> Folder::add(std::int64_t id, std::int64_t process, std::int64_t kernel,
                         const PendingLaunch& pending) {
    auto [place, is_new] = kernels_.try_emplace(kernel);
    KernelSums& sums = place->second;
    if (is_new) {
        Statement kept(database_, "SELECT kept FROM kernel WHERE id = ?1");
        auto row = kept.bind(kernel).step();
        if (!row) return row.error();
        if (*row) sums.already_kept = static_cast<std::uint64_t>(kept.number(0));
    }
    const Launch& launch = pending.launch;
    ++sums.launches;
    if (!launch.fault.empty()) ++sums.faults;
    sums.metrics.resize(std::max(sums.metrics.size(), launch.values.size()));
    for (std::size_t m = 0; m < launch.values.size(); ++m)
        if (launch.values[m]) sums.metrics[m].add(*launch.values[m]);
    sums.instructions.resize(std::max(sums.instructions.size(), pending.instructions.size()));
    for (std::size_t i = 0; i < pending.instructions.size(); ++i) {
        for (const auto counter : counters) sums.instructions[i].*counter += pending.instructions[i].*counter;
        sums.instructions[i].pattern.keep_worse(pending.instructions[i].pattern);
        for (std::size_t s = 0; s < timing::warp_states; ++s)
            sums.instructions[i].warp_cycles[s] += pending.instructions[i].warp_cycles[s];
    }
    // A launch that failed is always worth a row.
    if (sums.already_kept + sums.kept >= most_launch_rows && launch.fault.empty()) return {};
    ++sums.kept;
    return keep(id, process, kernel, launch);
}

Result<void> Folder::keep(std::int64_t id, std::int64_t process, std::int64_t kernel, const Launch& launch) {
    insert_launch_.bind(id).bind(kernel).bind(process).bind(launch.stream);
    for (const auto& shape : {launch.grid, launch.block})
        for (const std::uint32_t n : shape) insert_launch_.bind(n);
    insert_launch_.bind(launch.dynamic_shared_bytes);
    if (launch.executed_blocks != 0)
        insert_launch_.bind(launch.executed_blocks);
    else
        insert_launch_.bind_null();
    insert_launch_.bind(launch.depth);
    for (const std::string* text : {&launch.parent, &launch.bound, &launch.fault})
        if (text->empty())
            insert_launch_.bind_null();
        else
            insert_launch_.bind(std::string_view(*text));
    if (auto done = insert_launch_.run(); !done) return done;
    for (std::size_t m = 0; m < launch.values.size(); ++m)
        if (launch.values[m])
            if (auto done = insert_value_.bind(id).bind(m).bind(*launch.values[m]).run(); !done) return done;
    return {};
}

Result<void> Folder::write_sums() {
    Statement kernel(database_,
                     "UPDATE kernel SET launches = launches + ?2, kept = kept + ?3, faults = faults + ?4 "
                     "WHERE id = ?1");
    Statement aggregate(
        database_,
        "INSERT INTO aggregate VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (kernel, metric) DO UPDATE SET "
        "count = count + excluded.count, min = min(min, excluded.min), max = max(max, excluded.max), "
        "sum = sum + excluded.sum");
    Statement instruction(
        database_,
        "UPDATE instruction SET executed = executed + ?3, active = active + ?4, "
        "predicated_on = predicated_on + ?5, branches = branches + ?6, "
        "divergent_branches = divergent_branches + ?7, requests = requests + ?8, sectors = sectors + ?9, "
        "ideal_sectors = ideal_sectors + ?10, wavefronts = wavefronts + ?11, "
        "ideal_wavefronts = ideal_wavefronts + ?12, unsynchronised = unsynchronised + ?13 WHERE kernel = ?1 "
        "AND position = ?2");
    // Of two patterns the costlier one stays.
    Statement pattern(database_,
                      "UPDATE instruction SET pattern_requests = ?6 + iif(pattern = ?3 AND pattern_stride = "
                      "?4 AND pattern_run = "
                      "?5, pattern_requests, 0), pattern_surplus = ?7 + iif(pattern = ?3 AND pattern_stride "
                      "= ?4 AND pattern_run "
                      "= ?5, pattern_surplus, 0), pattern = ?3, pattern_stride = ?4, pattern_run = ?5 WHERE "
                      "kernel = ?1 AND "
                      "position = ?2 AND ((pattern = ?3 AND pattern_stride = ?4 AND pattern_run = ?5) OR "
                      "pattern_requests = 0 OR "
                      "?7 > pattern_surplus)");
    Statement cycles(
        database_,
        "INSERT INTO warp_cycles VALUES (?1, ?2, ?3, ?4) ON CONFLICT (kernel, position, state) DO UPDATE SET "
        "cycles = cycles + excluded.cycles");
    for (const auto& [id, sums] : kernels_) {
        auto done = kernel.bind(id).bind(sums.launches).bind(sums.kept).bind(sums.faults).run();
        for (std::size_t m = 0; done && m < sums.metrics.size(); ++m) {
            const Aggregate& a = sums.metrics[m];
            if (a.count != 0)
                done = aggregate.bind(id).bind(m).bind(a.count).bind(a.min).bind(a.max).bind(a.sum).run();
        }
        for (std::size_t i = 0; done && i < sums.instructions.size(); ++i) {
            instruction.bind(id).bind(i);
            for (const auto counter : counters) instruction.bind(sums.instructions[i].*counter);
            done = instruction.run();
            const counters::PatternCost& cost = sums.instructions[i].pattern;
            if (done && cost.requests != 0)
                done = pattern.bind(id)
                           .bind(i)
                           .bind(counters::pattern_name(cost.pattern.kind))
                           .bind(cost.pattern.stride)
                           .bind(cost.pattern.run)
                           .bind(cost.requests)
                           .bind(cost.surplus)
                           .run();
            for (std::size_t s = 0; done && s < timing::warp_states; ++s) {
                const std::uint64_t spent = sums.instructions[i].warp_cycles[s];
                const auto state = timing::state_name(static_cast<timing::WarpState>(s));
                if (spent != 0) done = cycles.bind(id).bind(i).bind(state).bind(spent).run();
            }
        }
        if (!done) return done;
    }
    return {};
}

}  // namespace

std::vector<std::byte> encode(const Launch& launch, std::span<const InstructionCounts> instructions) {
    Writer writer;
    for (const auto& shape : {launch.grid, launch.block})
        for (const std::uint32_t n : shape) writer.put(n);
    writer.put(launch.dynamic_shared_bytes);
    writer.put(launch.executed_blocks);
    writer.put(launch.stream);
    writer.put(launch.depth);
    for (const std::string* text : {&launch.parent, &launch.bound, &launch.fault}) {
        writer.put(static_cast<std::uint32_t>(text->size()));
        for (const char c : *text) writer.put(c);
    }
    writer.put(static_cast<std::uint32_t>(launch.values.size()));
    for (const auto& value : launch.values)
        writer.put(value.value_or(std::numeric_limits<double>::quiet_NaN()));
    writer.put(static_cast<std::uint32_t>(instructions.size()));
    for (const InstructionCounts& counts : instructions) {
        for (const auto counter : counters) writer.put(counts.*counter);
        put_pattern(writer, counts.pattern);
        put_states(writer, counts.warp_cycles);
    }
    return std::move(writer.out);
}

Result<PendingLaunch> decode(std::span<const std::byte> record) {
    Reader reader(record);
    PendingLaunch pending;
    Launch& launch = pending.launch;
    for (auto* shape : {&launch.grid, &launch.block})
        for (std::uint32_t& n : *shape) n = reader.get<std::uint32_t>();
    launch.dynamic_shared_bytes = reader.get<std::uint32_t>();
    launch.executed_blocks = reader.get<std::uint64_t>();
    launch.stream = reader.get<std::uint64_t>();
    launch.depth = reader.get<std::uint32_t>();
    launch.parent = reader.text(reader.get<std::uint32_t>());
    launch.bound = reader.text(reader.get<std::uint32_t>());
    launch.fault = reader.text(reader.get<std::uint32_t>());
    if (const auto count = reader.get<std::uint32_t>(); reader.has(count, sizeof(double))) {
        launch.values.resize(count);
        for (auto& value : launch.values)
            if (const double number = reader.get<double>(); !std::isnan(number)) value = number;
    }
    if (const auto count = reader.get<std::uint32_t>();
        reader.has(count, counters.size() * sizeof(std::uint64_t))) {
        pending.instructions.resize(count);
        for (InstructionCounts& counts : pending.instructions) {
            for (const auto counter : counters) counts.*counter = reader.get<std::uint64_t>();
            get_pattern(reader, counts.pattern);
            get_states(reader, counts.warp_cycles);
        }
    }
    if (reader.bad()) return Error{"a launch in this run file is damaged", {}};
    return pending;
}

Result<void> fold_pending(Database& database, std::int64_t process) {
    if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun) return begun;
    auto folded = Folder(database).fold(process);
    if (folded) folded = database.execute("COMMIT");
    if (!folded && database.in_transaction()) (void)database.execute("ROLLBACK");
    return folded;
}

}  // namespace lockstep::report
