// HIPRTC's C functions: a program in memory becomes the same bundle that `hipcc --genco` writes, which
// hipModuleLoadData takes.
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "compile/files.h"
#include "compile/offload-bundle.h"
#include "compile/unit.h"
#include "nvrtc/name-expressions.h"

#pragma GCC visibility push(default)
#include "hip/hiprtc.h"
#pragma GCC visibility pop

namespace fs = std::filesystem;
using namespace lockstep;

struct _hiprtcProgram {
    std::string source, name;
    std::vector<std::pair<std::string, std::string>> headers;  // name, text
    std::vector<std::string> expressions;
    std::map<std::string, std::string> lowered;
    std::string code, log;
    bool compiled = false;
};

namespace {

// Handles are pointers, and clients hand in all kinds of them: these are the ones that are alive.
struct Living {
    std::mutex mutex;
    std::set<hiprtcProgram> programs;
};
Living& living() {
    static Living* const all = new Living;  // clients may destroy programs after our static objects
    return *all;
}

// Nothing is thrown into a client.
template <class Body>
hiprtcResult guarded(Body&& body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return HIPRTC_ERROR_OUT_OF_MEMORY;
    } catch (...) {
        return HIPRTC_ERROR_INTERNAL_ERROR;
    }
}
template <class Body>
hiprtcResult with(hiprtcProgram program, Body&& body) {
    return guarded([&] {
        {
            const std::lock_guard lock(living().mutex);
            if (!living().programs.count(program)) return HIPRTC_ERROR_INVALID_PROGRAM;
        }
        return body(*program);
    });
}

// What hipcc's options mean here; the others are clang's.
compile::Flags flags_of(int count, const char* const* options) {
    compile::Flags flags;
    for (int i = 0; i < count; ++i) {
        const std::string_view word = options[i];
        for (const std::string_view target : {"--gpu-architecture=", "--offload-arch="})
            if (word.starts_with(target)) flags.targets = {std::string(word.substr(target.size()))};
        if (!word.starts_with("--gpu-architecture=") && !word.starts_with("--offload-arch=") &&
            word != "-fgpu-rdc" && !word.empty())
            flags.common.emplace_back(word);
    }
    // The program includes no headers of HIP's: they are there.
    flags.device = {"-include", "hip/hip_runtime.h", "-D__HIPCC_RTC__=1"};
    return flags;
}

// The names that the expressions' variables hold, in assembly; the variables lose them, since no code reads
// them.
std::map<std::string, std::string> take_lowered_names(std::string& code,
                                                      const std::vector<std::string>& expressions) {
    std::map<std::string, std::string> names;
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        const std::size_t at = code.find(fmt::format("\n{}:", nvrtc::expression_variable(i)));
        const std::size_t quad = at == std::string::npos ? at : code.find(".quad", at);
        if (quad == std::string::npos) continue;
        const std::size_t begin = code.find_first_not_of(" \t", quad + 5), end = code.find('\n', begin);
        names[expressions[i]] = code.substr(begin, end - begin);
        code.replace(begin, end - begin, "0");
    }
    return names;
}

Result<void> compile_program(_hiprtcProgram& program, const compile::Flags& given) {
    const auto toolchain = compile::find_toolchain(reinterpret_cast<const void*>(&hiprtcVersion));
    if (!toolchain) return toolchain.error();
    auto scratch = compile::TempDir::create();
    if (!scratch) return scratch.error();
    const fs::path root = scratch->path(), source = root / "program.hip", headers = root / "headers";
    compile::Flags flags = given;
    flags.common.insert(flags.common.begin(), "-I" + headers.string());
    flags.common.push_back(fmt::format("-ffile-prefix-map={}={}", source.string(), program.name));
    for (const auto& [name, text] : program.headers) {
        const fs::path file = (headers / name).lexically_normal();
        if (!file.string().starts_with(headers.string() + "/"))
            return Error{fmt::format("the header '{}' has a name outside of its folder", name), {}};
        std::error_code failed;
        fs::create_directories(file.parent_path(), failed);
        if (auto written = compile::write_file(file, text); !written) return written.error();
    }
    if (auto written =
            compile::write_file(source, program.source + "\n" + nvrtc::instantiations(program.expressions));
        !written)
        return written.error();
    auto bundle = compile::compile_hip_code(*toolchain, source, flags, program.log);
    if (!bundle) return bundle.error();
    auto entries = compile::read_offload_bundle(bundle->data(), bundle->size());
    if (!entries) return entries.error();
    for (compile::BundleEntry& entry : *entries)
        program.lowered = take_lowered_names(entry.code, program.expressions);
    program.code = compile::write_offload_bundle(*entries);
    return {};
}

}  // namespace

extern "C" {

const char* hiprtcGetErrorString(hiprtcResult result) {
    switch (result) {
#define NAME(code) \
    case code: return #code
        NAME(HIPRTC_SUCCESS);
        NAME(HIPRTC_ERROR_OUT_OF_MEMORY);
        NAME(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE);
        NAME(HIPRTC_ERROR_INVALID_INPUT);
        NAME(HIPRTC_ERROR_INVALID_PROGRAM);
        NAME(HIPRTC_ERROR_INVALID_OPTION);
        NAME(HIPRTC_ERROR_COMPILATION);
        NAME(HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE);
        NAME(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
        NAME(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
        NAME(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
        NAME(HIPRTC_ERROR_INTERNAL_ERROR);
        NAME(HIPRTC_ERROR_LINKING);
#undef NAME
    }
    return "HIPRTC_ERROR unknown";
}

hiprtcResult hiprtcVersion(int* major, int* minor) {
    if (!major || !minor) return HIPRTC_ERROR_INVALID_INPUT;
    *major = 6, *minor = 2;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name, int count,
                                 const char* const* headers, const char* const* names) {
    if (!program || !source || count < 0 || (count > 0 && (!headers || !names)))
        return HIPRTC_ERROR_INVALID_INPUT;
    return guarded([&] {
        auto* made = new _hiprtcProgram;
        made->source = source;
        made->name = name ? name : "program";
        for (int i = 0; i < count; ++i) made->headers.emplace_back(names[i], headers[i]);
        const std::lock_guard lock(living().mutex);
        living().programs.insert(made);
        *program = made;
        return HIPRTC_SUCCESS;
    });
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) {
    if (!program) return HIPRTC_ERROR_INVALID_INPUT;
    const std::lock_guard lock(living().mutex);
    if (!living().programs.erase(*program)) return HIPRTC_ERROR_INVALID_PROGRAM;
    delete *program;
    *program = nullptr;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char* expression) {
    return with(program, [&](_hiprtcProgram& it) {
        if (!expression) return HIPRTC_ERROR_INVALID_INPUT;
        if (it.compiled) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
        it.expressions.emplace_back(expression);
        return HIPRTC_SUCCESS;
    });
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char* expression, const char** name) {
    return with(program, [&](_hiprtcProgram& it) {
        if (!expression || !name) return HIPRTC_ERROR_INVALID_INPUT;
        if (!it.compiled) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
        const auto found = it.lowered.find(expression);
        if (found == it.lowered.end()) return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
        *name = found->second.c_str();
        return HIPRTC_SUCCESS;
    });
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int count, const char* const* options) {
    return with(program, [&](_hiprtcProgram& it) {
        if (count < 0 || (count > 0 && !options)) return HIPRTC_ERROR_INVALID_INPUT;
        it.code.clear(), it.log.clear();
        if (auto done = compile_program(it, flags_of(count, options)); !done) {
            it.log += done.error().message + "\n";
            return HIPRTC_ERROR_COMPILATION;
        }
        it.compiled = true;
        return HIPRTC_SUCCESS;
    });
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t* size) {
    return with(program, [&](_hiprtcProgram& it) {
        if (!size) return HIPRTC_ERROR_INVALID_INPUT;
        *size = it.log.size() + 1;
        return HIPRTC_SUCCESS;
    });
}
hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char* log) {
    return with(program, [&](_hiprtcProgram& it) {
        if (!log) return HIPRTC_ERROR_INVALID_INPUT;
        std::memcpy(log, it.log.c_str(), it.log.size() + 1);
        return HIPRTC_SUCCESS;
    });
}
hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t* size) {
    return with(program, [&](_hiprtcProgram& it) {
        if (!size) return HIPRTC_ERROR_INVALID_INPUT;
        *size = it.code.size();
        return HIPRTC_SUCCESS;
    });
}
hiprtcResult hiprtcGetCode(hiprtcProgram program, char* code) {
    return with(program, [&](_hiprtcProgram& it) {
        if (!code) return HIPRTC_ERROR_INVALID_INPUT;
        std::memcpy(code, it.code.data(), it.code.size());
        return HIPRTC_SUCCESS;
    });
}
}
