// From a kernel of AMD's machine code to code of this machine. Holds no LLVM.
#pragma once
#include <memory>
#include <string>

#include "base/file-cache.h"
#include "base/result.h"
#include "exec/jit/compiler.h"
#include "exec/wave/symbols.h"
#include "gcn/module.h"

namespace lockstep::exec::wave {

struct Request {
    const gcn::Module* module = nullptr;
    const gcn::Kernel* kernel = nullptr;
    const Symbols* symbols = nullptr;
    bool counts = false;   // how often each segment runs, and with how many lanes
    bool records = false;  // memory accesses, for observers
    std::string cpu;       // empty: this machine
    std::string content;   // a hash of the module's text; empty: the code is not kept for the next run
    const base::FileCache* cache = nullptr;
    Warnings* warnings = nullptr;
};

Result<std::unique_ptr<jit::Code>> compile(const Request& request);
// Compiles for any machine, by LLVM's triple and request.cpu, and throws the code away.
Result<void> compile_for(const std::string& triple, const Request& request);

}  // namespace lockstep::exec::wave
