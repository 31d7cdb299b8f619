// What makes a program and its kernels slow, with what proves it: plain data for printers.
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
    bool wrong = false;  // no matter of time: the program may compute something else on a GPU
    std::optional<double>
        gain;  // of the kernel's time, if the advice is taken as far as it goes; nothing: not known
};

// How a kernel's figures come about, where they mislead: it costs nothing by itself.
struct Note {
    std::string id;  // "predicated"
    std::string text;
    std::vector<Place> places;
    std::vector<Evidence> evidence;
};

// Of all launches of a kernel.
struct KernelFindings {
    std::string kernel;
    double nanoseconds = 0;          // all its launches
    double share = 0;                // of the program's kernels
    std::vector<std::string> state;  // what bounds it, sentences
    std::vector<Finding> findings;   // the most expensive first
    std::vector<Note> notes;
    bool imagined = false;  // the run has what costs are found from
};

// Two kernels that take the same parameters, in the order of their first launches: steps of one ladder.
struct Step {
    std::string from, to;
    double nanoseconds_from = 0, nanoseconds_to = 0;  // an average launch
    std::vector<std::string> reasons;                 // sentences, each with its figures
};

// From the first copy or kernel to the last one's end.
struct ProgramFindings {
    double nanoseconds = 0;
    std::vector<std::string> state;  // what the GPU did in that time, sentences
    std::vector<Finding> findings;   // costs are shares of that time
};

struct Explanation {
    std::vector<KernelFindings> kernels;  // those that take most time first
    std::vector<Step> steps;
    ProgramFindings program;
};

}  // namespace lockstep::explain
