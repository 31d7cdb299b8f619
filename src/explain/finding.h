// What makes a kernel slow, with what proves it: plain data for printers.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace lockstep::explain {

struct Place {
    std::string file;
    int line = 0;
    double share = 0;  // of what the finding is about that happens at this line
};

struct Evidence {
    std::string name;  // "sectors_per_request"
    double value = 0;
    std::string text;  // "16.0 sectors a request where 4.0 would do"
};

struct Finding {
    std::string id;     // "bank-conflicts"
    std::string title;  // a clause that has no numbers
    // Of the kernel's predicted time: what goes away where the model is run without this.
    double cost = 0;
    std::string cost_from;  // what was imagined, or how else it was found
    std::vector<Place> places;
    std::vector<Evidence> evidence;
    std::string advice;
    std::optional<double>
        gain;  // of the kernel's time, if the advice is taken as far as it goes; nothing: not known
};

// Of all launches of a kernel.
struct KernelFindings {
    std::string kernel;
    double nanoseconds = 0;          // all its launches
    double share = 0;                // of the program's kernels
    std::vector<std::string> state;  // what bounds it, sentences
    std::vector<Finding> findings;   // the most expensive first
    bool imagined = false;           // the run has what costs are found from
};

}  // namespace lockstep::explain
