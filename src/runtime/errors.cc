#include "runtime/call.h"
#include "session/checker.h"

using namespace lockstep::runtime;

namespace {

// Null where nobody looks for bugs, or it is not the program that asks.
lockstep::session::HostChecks* checks() {
    lockstep::session::Process* const process = lockstep::base::in_own_work() ? nullptr : existing_process();
    return process && process->checker() ? &process->checker()->host() : nullptr;
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError(void) {
    const NotedCall noted(existing_process(), "cudaGetLastError");
    if (auto* const host = checks()) host->errors_looked_at();
    const cudaError_t error = last_error();
    clear_last_error();
    return error;
}

cudaError_t cudaPeekAtLastError(void) {
    const NotedCall noted(existing_process(), "cudaPeekAtLastError");
    if (auto* const host = checks()) host->errors_looked_at();
    return last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
    if (auto* const host = checks()) host->error_looked_at(static_cast<Status>(error));
    switch (error) {
#define ERROR(name, text) \
    case name: return #name;
#include "runtime/errors.def"
#undef ERROR
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    if (auto* const host = checks()) host->error_looked_at(static_cast<Status>(error));
    switch (error) {
#define ERROR(name, text) \
    case name: return text;
#include "runtime/errors.def"
#undef ERROR
    }
    return "unrecognized error code";
}
}
