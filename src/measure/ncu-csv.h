// What `ncu --csv --page raw` prints: a line for each launch, with the metrics that were asked for.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/measured-launch.h"

namespace lockstep::measure {

struct NcuOutput {
    std::vector<MeasuredLaunch> launches;
    std::string gpu_name;               // what ncu says of the GPU; empty: nothing
    std::vector<std::string> messages;  // ncu_messages
};

// The lines of ncu's own in what it printed: they begin with ==.
std::vector<std::string> ncu_messages(std::string_view text);

// The table may stand behind the program's own output. `file` is for messages.
Result<NcuOutput> read_ncu_csv(std::string_view text, const std::string& file);

}  // namespace lockstep::measure
