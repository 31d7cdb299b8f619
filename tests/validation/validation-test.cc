// Our counts are a GPU's: the programs of h200.csv and the probes of h200-probes.csv, run from nvcc's
// recorded PTX through the real command. One process runs all tests, so that each program runs once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "gpu/model.h"
#include "occupancy-check.h"
#include "shared-suites.h"

namespace lockstep::validation {
namespace {

const std::filesystem::path folder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "tests/validation";

std::string describe(const Comparison& comparison) {
    const Row& row = *comparison.pair.recorded;
    return fmt::format("{} {} {} {}: {} is {} on the GPU, {} here", row.program, short_name(row.kernel),
                       to_string(row.grid), to_string(row.block), comparison.requirement->metric,
                       comparison.recorded, comparison.ours);
}

void expect_close(const Suite& runs, const std::vector<Exception>& exceptions,
                  const std::function<bool(const Requirement&)>& which) {
    ASSERT_FALSE(runs.pairs.empty());
    for (const Requirement& requirement : requirements()) {
        if (!which(requirement)) continue;
        const auto comparisons = runs.comparisons(requirement);
        EXPECT_FALSE(comparisons.empty()) << requirement.metric << " was not compared";
        for (const Comparison& comparison : comparisons)
            EXPECT_TRUE(comparison.close || find_exception(exceptions, *comparison.pair.recorded))
                << describe(comparison);
    }
}

bool is_memory(const Requirement& requirement) {
    return requirement.closeness == Closeness::equal && !requirement.branch;
}
bool is_branch(const Requirement& requirement) { return requirement.branch; }
bool is_wavefronts(const Requirement& requirement) { return requirement.closeness == Closeness::wavefronts; }

std::vector<Exception> exceptions() {
    auto read = read_exceptions(folder / "exceptions");
    if (!read) ADD_FAILURE() << read.error().to_string();
    return read ? *read : std::vector<Exception>{};
}

TEST(Validation, MemoryCountsAreEqual) { expect_close(measured(), {}, is_memory); }

TEST(Validation, SharedWavefrontsAreEqualButForArbitration) { expect_close(measured(), {}, is_wavefronts); }

TEST(Validation, BranchesAreEqualOrExplained) { expect_close(measured(), exceptions(), is_branch); }

TEST(Validation, InstructionsAndThreadsAreNear) {
    for (const Requirement& requirement : requirements()) {
        if (requirement.closeness != Closeness::near) continue;
        std::vector<double> errors;
        std::string misses;
        int close = 0;
        for (const Comparison& comparison : measured().comparisons(requirement)) {
            errors.push_back(comparison.relative_error());
            close += comparison.close;
            if (!comparison.close) misses += describe(comparison) + "\n";
        }
        ASSERT_FALSE(errors.empty()) << requirement.metric;
        EXPECT_GE(close * 5, static_cast<int>(errors.size()) * 4) << misses;
        EXPECT_LE(median(errors), 0.05) << requirement.metric;
    }
}

TEST(Validation, RegistersAreNear) {
    for (const Requirement& requirement : requirements()) {
        if (requirement.closeness != Closeness::registers) continue;
        std::vector<double> distances;
        for (const Comparison& comparison : measured().comparisons(requirement))
            distances.push_back(std::fabs(comparison.recorded - comparison.ours));
        ASSERT_FALSE(distances.empty());
        EXPECT_LE(median(distances), 4);
    }
}

TEST(Validation, OccupancyIsEqualGivenRegisters) {
    const auto gpu = gpu::find_model("h200", std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "gpus");
    ASSERT_TRUE(gpu) << gpu.error().to_string();
    for (const char* file : {"h200.csv", "h200-probes.csv"}) {
        const auto rows = read_recording(folder / file);
        ASSERT_TRUE(rows) << rows.error().to_string();
        for (const Row& row : *rows)
            for (const OccupancyNumber& number : occupancy_numbers(row, *gpu))
                EXPECT_NEAR(number.recorded, number.ours, 0.0051) << row.kernel << ' ' << number.metric;
    }
}

// The seeds' table of a Quadro P2000.
TEST(Validation, LoadEfficiencyOfTheLadderIsAsOnAnotherGpu) {
    const auto run = profile("reduce_int", "64", DeviceCode::nvcc, {"gld_efficiency"}, "p2000");
    ASSERT_TRUE(run) << run.error().to_string();
    const std::vector<double> expected = {25.02, 25.02, 96.15, 98.04, 98.68, 99.21, 99.43, 99.43, 99.43};
    ASSERT_EQ(run->launches.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(run->launches[i].values.at("gld_efficiency"), expected[i], 0.0051)
            << run->launches[i].kernel;
}

// ptxas moves, narrows and predicates accesses in ways that the machine view does not follow;
// docs/validation.md lists these probes.
TEST(Validation, CountsOfProbesAreMostlyEqual) {
    for (const Requirement& requirement : requirements()) {
        const auto comparisons = probes().comparisons(requirement);
        ASSERT_FALSE(comparisons.empty()) << requirement.metric;
        std::size_t close = 0;
        std::string misses;
        for (const Comparison& comparison : comparisons) {
            close += comparison.close;
            if (!comparison.close) misses += describe(comparison) + "\n";
        }
        const double part = double(close) / double(comparisons.size());
        EXPECT_GE(part, requirement.closeness == Closeness::equal && !requirement.branch ? 0.97 : 0.80)
            << misses;
    }
}

// Of both one is modelled by itself, where loops are unrolled and divisions have slow ways.
TEST(Validation, NoMoreBranchesDivergeThanThereAre) {
    for (const Suite* runs : {&measured(), &probes(), &our_probes()})
        for (const Row& row : runs->ours)
            EXPECT_LE(row.values.at("smsp__sass_branch_targets_threads_divergent.sum"),
                      row.values.at("smsp__sass_branch_targets.sum"))
                << row.kernel;
}

// The programs compute what they computed on the GPU, to the bit, but for the approximate functions.
TEST(Validation, ResultsOfProbesAreEqual) {
    std::set<std::string> approximate;
    std::ifstream list(folder / "probes/approximate.txt");
    for (std::string line; std::getline(list, line);) approximate.insert(line.substr(0, line.find(' ')));
    ASSERT_FALSE(approximate.empty());
    for (const auto& [program, output] : probes().outputs) {
        std::ifstream recorded(folder / "probes" / (program + ".results"));
        std::set<std::string> ours;
        std::istringstream lines(output);
        for (std::string line; std::getline(lines, line);) ours.insert(line);
        int compared = 0;
        for (std::string line; std::getline(recorded, line);) {
            if (approximate.count(line.substr(0, line.find(' ')))) continue;
            EXPECT_TRUE(ours.count(line)) << program << ": not among the results: " << line;
            ++compared;
        }
        EXPECT_GT(compared, 0) << program;
    }
}

// An exception that explains nothing any more has to go.
TEST(Validation, ExceptionsAreNeeded) {
    for (const Exception& exception : exceptions()) {
        bool needed = false;
        for (const Suite* runs : {&measured(), &probes()})
            for (const Requirement& requirement : requirements())
                for (const Comparison& comparison : runs->comparisons(requirement))
                    needed |= !comparison.close &&
                              find_exception(std::span(&exception, 1), *comparison.pair.recorded) != nullptr;
        EXPECT_TRUE(needed) << exception.title;
    }
}

}  // namespace
}  // namespace lockstep::validation
