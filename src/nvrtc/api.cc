// NVRTC's C functions. Every library has its own number: NVRTC_RELEASE_MAJOR and _MINOR.
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>

#include "compile/architectures.h"
#include "nvrtc/program.h"

#pragma GCC visibility push(default)
#include "nvrtc.h"
#pragma GCC visibility pop

using lockstep::nvrtc::Header;
using lockstep::nvrtc::Outcome;
using lockstep::nvrtc::Program;

struct _nvrtcProgram {
    Program program;
    int (*flow)(void*, void*) = nullptr;
    void* flow_argument = nullptr;
};

namespace {

// CUDA 12 compiles for 5.2 unless told, CUDA 13 for 7.5.
constexpr int default_architecture = NVRTC_RELEASE_MAJOR >= 13 ? 75 : 52;

// Handles are pointers, and clients hand in all kinds of them: these are the ones that are alive.
struct Living {
    std::mutex mutex;
    std::set<nvrtcProgram> programs;
};
Living& living() {
    static Living* const all = new Living;  // clients may destroy programs after our static objects
    return *all;
}
bool lives(nvrtcProgram handle) {
    const std::lock_guard lock(living().mutex);
    return living().programs.count(handle) != 0;
}

// Nothing is thrown into a client.
template <class Body>
nvrtcResult guarded(Body&& body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    } catch (...) {
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
}
template <class Body>
nvrtcResult with(nvrtcProgram handle, Body&& body) {
    return guarded([&] { return lives(handle) ? body(*handle) : NVRTC_ERROR_INVALID_PROGRAM; });
}

// Texts are counted and copied with the zero behind them; code that there is none of has no bytes at all.
nvrtcResult give_size(size_t* size, size_t value) {
    if (!size) return NVRTC_ERROR_INVALID_INPUT;
    *size = value;
    return NVRTC_SUCCESS;
}
nvrtcResult give_bytes(char* to, const char* bytes, size_t count) {
    if (!to) return NVRTC_ERROR_INVALID_INPUT;
    std::memcpy(to, bytes, count);
    return NVRTC_SUCCESS;
}

nvrtcResult lacking(const char* what) {
    std::fprintf(stderr, "lockstep: NVRTC's %s is not there\n", what);
    return NVRTC_ERROR_INTERNAL_ERROR;
}

}  // namespace

extern "C" {

const char* nvrtcGetErrorString(nvrtcResult result) {
    switch (result) {
#define NAME(code) \
    case code: return #code
        NAME(NVRTC_SUCCESS);
        NAME(NVRTC_ERROR_OUT_OF_MEMORY);
        NAME(NVRTC_ERROR_PROGRAM_CREATION_FAILURE);
        NAME(NVRTC_ERROR_INVALID_INPUT);
        NAME(NVRTC_ERROR_INVALID_PROGRAM);
        NAME(NVRTC_ERROR_INVALID_OPTION);
        NAME(NVRTC_ERROR_COMPILATION);
        NAME(NVRTC_ERROR_BUILTIN_OPERATION_FAILURE);
        NAME(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
        NAME(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
        NAME(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
        NAME(NVRTC_ERROR_INTERNAL_ERROR);
        NAME(NVRTC_ERROR_TIME_FILE_WRITE_FAILED);
        NAME(NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED);
        NAME(NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED);
        NAME(NVRTC_ERROR_PCH_CREATE);
        NAME(NVRTC_ERROR_CANCELLED);
        NAME(NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED);
#undef NAME
    }
    return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
    if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
    *major = NVRTC_RELEASE_MAJOR;
    *minor = NVRTC_RELEASE_MINOR;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
    if (!count) return NVRTC_ERROR_INVALID_INPUT;
    return guarded([&] {
        *count = static_cast<int>(lockstep::compile::listed_architectures().size());
        return NVRTC_SUCCESS;
    });
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
    if (!architectures) return NVRTC_ERROR_INVALID_INPUT;
    return guarded([&] {
        for (const int number : lockstep::compile::listed_architectures()) *architectures++ = number;
        return NVRTC_SUCCESS;
    });
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int count,
                               const char* const* headers, const char* const* names) {
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
    if (!source || count < 0 || (count > 0 && (!headers || !names))) return NVRTC_ERROR_INVALID_INPUT;
    return guarded([&] {
        std::vector<Header> list;
        for (int i = 0; i < count; ++i) {
            if (!headers[i] || !names[i]) return NVRTC_ERROR_INVALID_INPUT;
            list.push_back({names[i], headers[i]});
        }
        auto made = std::make_unique<_nvrtcProgram>(
            _nvrtcProgram{Program(source, name && *name ? name : "default_program", std::move(list))});
        const std::lock_guard lock(living().mutex);
        living().programs.insert(made.get());
        *program = made.release();
        return NVRTC_SUCCESS;
    });
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
    if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
    return guarded([&] {
        {
            const std::lock_guard lock(living().mutex);
            if (living().programs.erase(*program) == 0) return NVRTC_ERROR_INVALID_PROGRAM;
        }
        delete *program;
        *program = nullptr;
        return NVRTC_SUCCESS;
    });
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram handle, int count, const char* const* options) {
    return with(handle, [&](_nvrtcProgram& it) {
        if (count < 0 || (count > 0 && !options)) return NVRTC_ERROR_INVALID_INPUT;
        if (it.flow && it.flow(it.flow_argument, nullptr)) return NVRTC_ERROR_CANCELLED;
        const Outcome outcome =
            it.program.compile({options, static_cast<size_t>(count)}, default_architecture);
        if (it.flow && it.flow(it.flow_argument, nullptr)) return NVRTC_ERROR_CANCELLED;
        switch (outcome) {
            case Outcome::success: return NVRTC_SUCCESS;
            case Outcome::invalid_option: return NVRTC_ERROR_INVALID_OPTION;
            case Outcome::compilation: return NVRTC_ERROR_COMPILATION;
        }
        return NVRTC_ERROR_INTERNAL_ERROR;
    });
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram handle, size_t* size) {
    return with(handle, [&](_nvrtcProgram& it) { return give_size(size, it.program.ptx().size() + 1); });
}
nvrtcResult nvrtcGetPTX(nvrtcProgram handle, char* ptx) {
    return with(handle, [&](_nvrtcProgram& it) {
        return give_bytes(ptx, it.program.ptx().c_str(), it.program.ptx().size() + 1);
    });
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram handle, size_t* size) {
    return with(handle, [&](_nvrtcProgram& it) { return give_size(size, it.program.image().size()); });
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram handle, char* cubin) {
    return with(handle, [&](_nvrtcProgram& it) {
        return give_bytes(cubin, it.program.image().data(), it.program.image().size());
    });
}

// There is never any: an option that asks for it is an error.
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram handle, size_t* size) {
    return with(handle, [&](_nvrtcProgram&) { return give_size(size, 0); });
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram handle, char*) {
    return with(handle, [](_nvrtcProgram&) { return NVRTC_SUCCESS; });
}
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram handle, size_t* size) {
    return with(handle, [&](_nvrtcProgram&) { return give_size(size, 0); });
}
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram handle, char*) {
    return with(handle, [](_nvrtcProgram&) { return NVRTC_SUCCESS; });
}
#if NVRTC_RELEASE_MAJOR < 13
nvrtcResult nvrtcGetNVVMSize(nvrtcProgram handle, size_t* size) { return nvrtcGetLTOIRSize(handle, size); }
nvrtcResult nvrtcGetNVVM(nvrtcProgram handle, char* nvvm) { return nvrtcGetLTOIR(handle, nvvm); }
#endif

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram handle, size_t* size) {
    return with(handle, [&](_nvrtcProgram& it) { return give_size(size, it.program.log().size() + 1); });
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram handle, char* log) {
    return with(handle, [&](_nvrtcProgram& it) {
        return give_bytes(log, it.program.log().c_str(), it.program.log().size() + 1);
    });
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram handle, const char* expression) {
    return with(handle, [&](_nvrtcProgram& it) {
        if (!expression) return NVRTC_ERROR_INVALID_INPUT;
        if (it.program.attempted()) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
        it.program.add_name_expression(expression);
        return NVRTC_SUCCESS;
    });
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram handle, const char* expression, const char** name) {
    return with(handle, [&](_nvrtcProgram& it) {
        if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
        if (!it.program.compiled()) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
        const auto& names = it.program.lowered_names();
        const auto found = names.find(expression);
        if (found == names.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
        *name = found->second.c_str();
        return NVRTC_SUCCESS;
    });
}

nvrtcResult nvrtcSetFlowCallback(nvrtcProgram handle, int (*callback)(void*, void*), void* argument) {
    return with(handle, [&](_nvrtcProgram& it) {
        if (!callback) return NVRTC_ERROR_INVALID_INPUT;
        it.flow = callback;
        it.flow_argument = argument;
        return NVRTC_SUCCESS;
    });
}

// Headers are precompiled by lockstep itself, and lie in its cache: clients make none.
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram handle) {
    return with(handle, [](_nvrtcProgram&) { return NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED; });
}
nvrtcResult nvrtcGetPCHHeapSize(size_t*) { return lacking("heap for precompiled headers"); }
nvrtcResult nvrtcSetPCHHeapSize(size_t) { return lacking("heap for precompiled headers"); }
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram, size_t*) {
    return lacking("heap for precompiled headers");
}
}
