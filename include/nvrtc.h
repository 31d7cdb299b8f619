/* NVRTC: CUDA C++ compiled while a program runs. */
#ifndef __NVRTC_H__
#define __NVRTC_H__
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16,
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram* nvrtcProgram;

const char* nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int* major, int* minor);
nvrtcResult nvrtcGetNumSupportedArchs(int* count);
nvrtcResult nvrtcGetSupportedArchs(int* architectures);

/* `source` and the headers are texts; `names` is what #include calls the headers. */
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int count,
                               const char* const* headers, const char* const* names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options);

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* cubin);
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char* ir);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char* ir);
nvrtcResult nvrtcGetNVVMSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetNVVM(nvrtcProgram program, char* ir);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log);

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name);

nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void*, void*), void* argument);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program);
nvrtcResult nvrtcGetPCHHeapSize(size_t* size);
nvrtcResult nvrtcSetPCHHeapSize(size_t size);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t* size);

#ifdef __cplusplus
}
#endif

/* The name of a type, as it stands in a name expression: programs ask for it with this macro. */
#if defined(__cplusplus) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>

#include <cstdlib>
#include <string>
#include <typeinfo>

inline nvrtcResult nvrtcGetTypeName(const std::type_info& type, std::string* result) {
    int status = -1;
    char* const name = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
    if (status == 0) *result = name;
    std::free(name);
    return status == 0 ? NVRTC_SUCCESS : NVRTC_ERROR_INTERNAL_ERROR;
}
/* typeid drops const, volatile and references: a template's argument keeps them. */
template <class T>
struct __lockstep_type_name {};
template <class T>
nvrtcResult nvrtcGetTypeName(std::string* result) {
    const nvrtcResult outcome = nvrtcGetTypeName(typeid(__lockstep_type_name<T>), result);
    const std::size_t open = result->find('<');
    if (outcome == NVRTC_SUCCESS && open != std::string::npos)
        *result = result->substr(open + 1, result->rfind('>') - open - 1);
    return outcome;
}
#endif

#endif
