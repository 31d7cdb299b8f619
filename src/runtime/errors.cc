#include "runtime/call.h"

using namespace lockstep::runtime;

extern "C" {

cudaError_t cudaGetLastError(void) {
    const NotedCall noted(existing_process(), "cudaGetLastError");
    const cudaError_t error = last_error();
    clear_last_error();
    return error;
}

cudaError_t cudaPeekAtLastError(void) {
    const NotedCall noted(existing_process(), "cudaPeekAtLastError");
    return last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define ERROR(name, text) \
    case name: return #name;
#include "runtime/errors.def"
#undef ERROR
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define ERROR(name, text) \
    case name: return text;
#include "runtime/errors.def"
#undef ERROR
    }
    return "unrecognized error code";
}
}
