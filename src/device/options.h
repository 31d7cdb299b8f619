// What the device compiler is asked for.
#pragma once
#include <string>

namespace lockstep::device {

enum class Division { approximate, full_range, rounded };  // of floats: div.approx, div.full, div.rn

struct Options {
    std::string input, output;
    int architecture = 90;  // compute capability
    int level = 3;          // -O0 … -O3
    bool contract = true;   // a * b + c as one fma
    Division division = Division::rounded;
    bool relocatable = false;  // other files may call its functions
    std::string passes;        // instead of those of the level, in opt's notation
    bool ir = false;           // write LLVM IR instead of PTX
    // Variables that are static are the driver's to set, by their names: there is no host code that would say
    // so.
    bool keep_statics = false;
    bool for_checks = false;  // device/for-checks.h
    bool overflow = false;    // … and signed numbers that overflow are told: device/check-events.h
};

}  // namespace lockstep::device
