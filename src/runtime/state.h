// All state of the library: what the process has, what the API keeps of each device beside what the session
// knows of it, and what is a thread's. A library that a program calls by C functions cannot do without
// globals; these are all there are in runtime and session. Nothing of it is ever destroyed: programs call the
// library from their own destructors, in any order.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/own-work.h"
#include "runtime/api.h"
#include "runtime/contexts.h"
#include "runtime/links.h"
#include "runtime/pools.h"
#include "runtime/texture-state.h"
#include "session/process.h"
#include "session/program-time.h"
#include "session/registry.h"
#include "session/shared-memory.h"
#include "session/streams.h"
#include "session/virtual-memory.h"

struct nvtxDomainRegistration_st;

namespace lockstep::runtime {

// What a program may set for a device as a whole. None of it changes results.
struct DeviceSettings {
    std::mutex mutex;
    unsigned flags = cudaDeviceScheduleAuto;
    cudaSharedMemConfig banks = cudaSharedMemBankSizeFourByte;
};

// What the API keeps of a device.
struct DeviceState {
    DeviceSettings settings;
    CUmemPoolHandle_st standard_pool;
    cudaMemPool_t current_pool = &standard_pool;
    CUctx_st primary;  // the context that the runtime API uses
    std::atomic<int> primary_users{0};
    std::atomic<bool> runtime_uses_primary{false};  // it is one of them from its first call on
};

// What the program has named for NVTX. Handles are pointers that it keeps, so none of it goes.
struct NvtxNames {
    std::mutex mutex;
    std::vector<nvtxDomainRegistration_st*> domains;
    std::map<std::uint32_t, std::string> categories;  // of the default domain
};

// What the program calls the API that it uses. CUDA's words are the runtime's own.
struct DialectNames {
    session::Dialect dialect = session::Dialect::cuda;
    std::string (*function)(std::string_view cuda) = nullptr;
    const char* (*error)(cudaError_t error) = nullptr;
};

struct State {
    DialectNames dialect;

    // What the program's constructors have registered, before there is a process. Guarded by its own mutex.
    session::Registry registry;

    std::once_flag created;
    std::atomic<session::Process*> process{nullptr};  // null: not made yet, or it could not be made
    std::deque<DeviceState> devices;                  // by number; made with the process
    pid_t unusable = 0;                               // the process in which no session could be made
    int exit_status = 0;                              // that the process ends with

    std::mutex reported_mutex;
    std::set<std::string> reported;       // messages that are told once
    std::map<std::string, int> failures;  // of calls, by kind

    std::atomic<bool> driver_initialised{false};  // by cuInit, or a call of the runtime API
    session::Handles<CUctx_st> contexts;          // that the program made
    session::Handles<CUlinkState_st> links;
    session::Handles<CUlib_st> libraries;
    session::VirtualMemory virtual_memory;
    session::SharedMemory shared_memory;
    Pools pools;
    NvtxNames nvtx;
    TextureState textures;
};
State& state();

// A launch's configuration, between <<<…>>> and the call of the kernel's stub.
struct CallConfiguration {
    dim3 grid, block;
    std::size_t shared;
    cudaStream_t stream;
};

struct ThreadState {
    int device = 0;  // cudaSetDevice
    cudaError_t last_error = cudaSuccess;
    session::CaptureMode capture_mode = session::CaptureMode::global;  // cudaThreadExchangeStreamCaptureMode
    // How many scopes of each kind are open (call.h).
    int host_functions = 0, thread_stream_scopes = 0;
    const char* driver_function = nullptr;  // of the driver API, that the program called
    // Of the driver API: the last is current. One may have been destroyed by another thread.
    struct Context {
        CUctx_st* context;
        int device;
    };
    std::vector<Context> contexts;
    bool had_context = false;
    // A kernel's arguments may themselves launch kernels, so that configurations nest.
    std::vector<CallConfiguration> configurations;
};
ThreadState& this_thread();

// What the program's clocks tell, and this thread's part in it. Null: the real time. May be called from a
// signal handler.
session::ProgramTime* program_time();
session::ProgramTime::Thread& this_thread_time();

// While it lives, this thread does lockstep's work: the program's time does not go on with the real one.
class LockstepScope {
  public:
    LockstepScope();
    ~LockstepScope();
    LockstepScope(const LockstepScope&) = delete;
    LockstepScope& operator=(const LockstepScope&) = delete;

  private:
    const bool outermost_;
    const base::OwnWork own_;
};

// The process, made at its first use. Null where it could not be made; the reason has been printed.
session::Process* process();
// The process if there is one already.
session::Process* existing_process();

// Prints "lockstep: MESSAGE" to stderr …
void print(const std::string& message);
// … the same message only once.
void report(const std::string& message);

}  // namespace lockstep::runtime
