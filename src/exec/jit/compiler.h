// From a kernel's PTX to machine code. The only header of the JIT that the rest of exec sees; it holds no
// LLVM.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/file-cache.h"
#include "base/result.h"
#include "events/observer.h"
#include "exec/warnings.h"
#include "exec/warp-context.h"
#include "kernel/kernel.h"

namespace lockstep::exec::jit {

struct Symbols;
struct Callbacks;

// What the code depends on is part of its key in the cache (compiler.cc), unless it follows from
// `content` and `function`.
struct Request {
    // The kernel to compile; not asked for where the code is in the cache and nobody observes.
    std::function<Result<std::shared_ptr<const kernel::Kernel>>()> kernel;
    std::uint32_t function = 0;  // the entry, in its module
    int row_lanes = warp_lanes;  // what the kernel was analysed for
    const Symbols* symbols = nullptr;
    const Callbacks* callbacks = nullptr;
    std::map<std::string, std::uint64_t> shared_offsets;
    std::vector<bool> address_taken;
    bool poll_stop = false;
    bool exact_variables = false;  // an address may not leave the shared variable of which it was made
    bool preempts = false;         // a warp may be left before each access to memory that others see
    events::Wants wants;           // what is recorded
    bool draft = false;            // little time to compile counts more than quick code
    int sms = 1;
    std::string cpu;      // empty: this machine
    std::string content;  // a hash of the module's texts; empty: the code is not kept for the next run
    const base::FileCache* cache = nullptr;
    Warnings* warnings = nullptr;
};

// Compiled code and what the scheduler must know of it. Owns the memory of the code.
class Code {
  public:
    virtual ~Code() = default;
    WarpFunction function = nullptr;
    std::vector<kernel::Site> sites;               // places that can fault; the kernel's own first
    std::shared_ptr<const kernel::Kernel> kernel;  // what records speak of; null where there are none
    int lanes = warp_lanes;                        // of a warp
    bool stacks = false;                           // a warp that waits needs a stack of its own …
    std::size_t state_bytes = 0,
                state_header_bytes = 0;  // … else memory, of which the first bytes begin as 0
    bool order_matters = false;
    bool may_wait = false;          // blocks, for each other
    std::uint32_t local_bytes = 0;  // a thread needs
    bool calls = false;             // has calls that were not inlined
    std::size_t frame_bytes = 0;    // the largest stack frame of its functions, with those of the small ones
};

Result<std::unique_ptr<Code>> compile(const Request& request);

// Compiles for any machine, by LLVM's triple and request.cpu, and throws the code away: the error is what
// `compile` would have said there.
Result<void> compile_for(const std::string& triple, const Request& request);

}  // namespace lockstep::exec::jit
