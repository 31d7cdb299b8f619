// Errors by HIP's names, and what runtime/ calls its functions and errors in messages.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "hip/same.h"

namespace lockstep::hip {
namespace {

struct Row {
    hipError_t error;
    const char* name;
    const char* text;
};
constexpr Row rows[] = {
#define LOCKSTEP_HIP_ERROR(name, number, text) {name, #name, text},
#include "lockstep/hip/errors.def"
#undef LOCKSTEP_HIP_ERROR
};

const Row* row_of(hipError_t error) {
    const auto* const row =
        std::find_if(std::begin(rows), std::end(rows), [&](const Row& one) { return one.error == error; });
    return row == std::end(rows) ? nullptr : row;
}

// cudaMalloc, cuModuleLoad: hipMalloc, hipModuleLoad. What is not HIP's keeps its name.
std::string name_of_function(std::string_view cuda) {
    for (const std::string_view prefix : {"cuda", "cu"})
        if (cuda.starts_with(prefix) && cuda.size() > prefix.size() && cuda[prefix.size()] >= 'A' &&
            cuda[prefix.size()] <= 'Z')
            return "hip" + std::string(cuda.substr(prefix.size()));
    return std::string(cuda);
}

const char* name_of_error(cudaError_t error) { return hipGetErrorName(error_of(error)); }

// Before the program begins.
__attribute__((constructor)) void speak_hip() {
    runtime::state().dialect = {session::Dialect::hip, name_of_function, name_of_error};
}

}  // namespace

// The numbers are CUDA's, but for a few errors that HIP has otherwise or does not have.
hipError_t error_of(cudaError_t error) {
    switch (static_cast<int>(error)) {
        case cudaErrorInvalidHostPointer: return hipErrorInvalidValue;
        case cudaErrorInvalidTexture: return hipErrorInvalidTexture;
        case cudaErrorInvalidChannelDescriptor: return hipErrorInvalidChannelDescriptor;
        case cudaErrorNotPermitted: return hipErrorNotSupported;
        case cudaErrorHardwareStackError:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc: return hipErrorLaunchFailure;
        default: break;
    }
    const auto same = static_cast<hipError_t>(error);
    return row_of(same) ? same : hipErrorUnknown;
}

}  // namespace lockstep::hip

using namespace lockstep::hip;

extern "C" {

const char* hipGetErrorName(hipError_t error) {
    // Whoever looks for errors that nobody looks at is told by CUDA's function.
    cudaGetErrorName(static_cast<cudaError_t>(error));
    const Row* const row = row_of(error);
    return row ? row->name : "hipErrorUnknown";
}

const char* hipGetErrorString(hipError_t error) {
    cudaGetErrorString(static_cast<cudaError_t>(error));
    const Row* const row = row_of(error);
    return row ? row->text : "unknown error";
}

hipError_t hipDrvGetErrorName(hipError_t error, const char** name) {
    if (!name || !row_of(error)) return hipErrorInvalidValue;
    *name = hipGetErrorName(error);
    return hipSuccess;
}

hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
    if (!text || !row_of(error)) return hipErrorInvalidValue;
    *text = hipGetErrorString(error);
    return hipSuccess;
}

hipError_t hipExtGetLastError(void) { return hipGetLastError(); }
}
