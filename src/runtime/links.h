// What programs compile and link at run time: states of the linker, and libraries.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exec/engine.h"
#include "session/modules.h"

// The type that CUlinkState points to: PTX that was added, and where the messages go.
struct CUlinkState_st {
    struct Input {
        std::string name, text;
    };
    std::vector<Input> inputs;
    std::vector<std::pair<int, void**>>
        options;                                 // of cuLinkCreate: the values are written when there is news
    std::map<std::string, std::string> defined;  // visible names, and the input that has each
    bool failed = false;                         // by a name that is defined twice
    std::string linked;
};

// The type that CUlibrary and cudaLibrary_t point to: PTX, and the module that each device has made of it.
struct CUlib_st {
    std::string text;
    std::map<int, lockstep::exec::Module*> modules;
};
