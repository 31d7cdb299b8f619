// Each rule looks for one reason, and says nothing where there is none of it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "explain/facts.h"
#include "explain/finding.h"
#include "gpu/model.h"

namespace lockstep::explain {

// Costs below this are not worth a reader's time.
inline constexpr double least_cost = 0.02;
inline void add_if_worth(std::vector<Finding>& findings, Finding finding) {
    if (finding.cost >= least_cost) findings.push_back(std::move(finding));
}

// Those whose cost is found by imagining the launch without it.
std::vector<Finding> imagined_findings(const Facts& facts);
std::vector<std::string> imagined_names();  // the ids of all that there are

// Those that follow from the launch's shape.
std::vector<Finding> launch_findings(const Facts& facts);
std::vector<std::string> launch_names();
inline constexpr const char *partial_wave_id = "partial-wave", *block_rate_id = "block-rate",
                            *block_size_id = "block-size";

// Those that the code shows, whose cost nobody has found.
std::vector<Finding> code_findings(const Facts& facts);
std::vector<std::string> code_names();

// What another run's code of the same kernel saves, where it is faster.
std::optional<Finding> compiler_finding(const Facts& here, const Facts& other);
std::vector<std::string> compiler_names();

// Those of the program as a whole. `gpu`: of a device, null where it is not at hand.
Result<ProgramFindings> program_findings(const report::RunFile& run,
                                         const std::function<const gpu::GpuModel*(int device)>& gpu);
std::vector<std::string> program_names();

// What figures do not say by themselves.
std::vector<Note> notes(const Facts& facts);

// From one kernel to the next that takes the same parameters; empty where they take others.
struct Explained {
    Facts facts;
    std::vector<Finding> findings;
};
std::optional<Step> step_between(const Explained& from, const Explained& to);

}  // namespace lockstep::explain
