#include "compile/nvcc-plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "compile/architectures.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

bool is_true(const std::string& value) { return value == "true" || value == "1"; }

// "arch=compute_80,code=[sm_80,compute_80]" → compute_80
std::string gencode_architecture(const std::string& value) {
    const auto at = value.find("arch=");
    if (at == std::string::npos) return {};
    return value.substr(at + 5, value.find(',', at) - at - 5);
}

// The runtime is always linked, and is ours; the device runtime and the driver library have no counterpart.
bool is_cuda_runtime(const std::string& library) {
    return library == "cudart" || library == "cudart_static" || library == "cudadevrt" || library == "cuda" ||
           library == "cudart_shared";
}

// Of the libraries that lockstep has, there are shared ones only; what NVIDIA's static ones need is not
// needed.
std::string shared_library(const std::string& library) {
    if (library == "cublas_static" || library == "cublasLt_static" || library == "cufft_static" ||
        library == "curand_static" || library == "nvrtc_static")
        return library.substr(0, library.find('_'));
    return library == "culibos" ? "" : library;
}

// By its name, as in "x86_64-linux-gnu-g++-12". A folder may hold any.
bool is_gcc_or_clang(const fs::path& compiler) {
    std::error_code ignored;
    if (fs::is_directory(compiler, ignored)) return true;
    std::string name = compiler.filename().string();
    name.erase(std::min(name.size(), name.find_last_not_of("0123456789.") + 1));
    while (name.ends_with('-')) name.pop_back();
    name.erase(0, name.rfind('-') + 1);
    for (const char* known : {"gcc", "g++", "clang", "clang++", "cc", "c++"})
        if (name == known) return true;
    return false;
}

// nvcc hands its words to a shell again, so some who call it quote twice: Meson did.
std::string unquoted(const std::string& file) {
    const bool quoted = file.size() > 2 && file.front() == '"' && file.back() == '"';
    return quoted ? file.substr(1, file.size() - 2) : file;
}

class Planner {
  public:
    Planner(const NvccCommandLine& line, const std::vector<int>& gpus) : line_(line), gpus_(gpus) {}

    Result<NvccPlan> plan() {
        for (const NvccArgument& argument : line_.arguments) {
            if (!argument.option)
                files_.push_back(unquoted(argument.text));
            else if (auto applied = apply(argument); !applied)
                return applied.error();
            else
                hand_on(argument);
        }
        // As lockstep's own compiler does where nothing else was asked for.
        if (!given(NvccAction::optimize)) plan_.nvcc.push_back("-O2");
        if (!plan_.flags.device_debug && !given(NvccAction::line_info)) plan_.nvcc.push_back("-lineinfo");
        for (const std::string& option : line_.unknown) {
            if (forward_unknown_) {
                // The host compiler links as well.
                plan_.flags.host.push_back(option);
                plan_.link.push_back(option);
            } else {
                warn("unknown option {} is ignored", option);
            }
        }
        for (const fs::path& file : files_) {
            auto language = language_of(file);
            if (language && *language == Language::hip)
                return Error{fmt::format("{} is HIP: compile it with lockstep hipcc", file.string()), {}};
            // -x is about sources; objects and libraries stay what they are.
            if (plan_.language && (!language || *language != Language::linkable)) language = *plan_.language;
            if (!language && plan_.run && files_.size() == 1) {
                plan_.executable = file;
                break;
            }
            if (!language) return language.error();
            plan_.inputs.push_back({file, *language});
        }
        plan_.flags.architectures =
            choose_architectures(architectures_.empty() ? code_ : architectures_, gpus_, plan_.warnings);
        plan_.flags.specific = specific_architectures(architectures_.empty() ? code_ : architectures_);
        if (plan_.flags.device_debug) plan_.flags.debug = true;
        // gcc's spellings that clang does not know are no errors.
        plan_.flags.host.insert(plan_.flags.host.begin(),
                                {"-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument",
                                 "-Wno-unused-command-line-argument"});
        return std::move(plan_);
    }

  private:
    template <class... T>
    void warn(fmt::format_string<T...> format, T&&... values) {
        plan_.warnings.push_back(fmt::format(format, std::forward<T>(values)...));
    }

    void each(const NvccArgument& argument, Arguments& to, const std::string& prefix) {
        for (const std::string& value : argument.values) to.push_back(prefix + value);
    }
    void pairs(const NvccArgument& argument, Arguments& to, const std::string& flag) {
        for (const std::string& value : argument.values) to.insert(to.end(), {flag, value});
    }

    bool given(NvccAction action) const {
        return std::any_of(line_.arguments.begin(), line_.arguments.end(), [&](const NvccArgument& argument) {
            return argument.option && argument.option->action == action;
        });
    }

    // For nvcc: all but what lockstep decides itself (the file that is made, for which GPU, which runtime).
    void hand_on(const NvccArgument& argument) {
        using enum NvccAction;
        const auto as_written = [&](Arguments& to) {
            to.insert(to.end(), argument.words.begin(), argument.words.end());
        };
        switch (argument.option->action) {
            case output:
            case output_dir:
            case mode_compile:
            case mode_device_compile:
            case mode_ptx:
            case mode_cubin:
            case mode_fatbin:
            case mode_preprocess:
            case mode_dependencies:
            case mode_device_link:
            case mode_library:
            case mode_shared:
            case mode_run:
            case mode_link:
            case run_arguments:
            case with_dependencies:
            case dependency_file:
            case dependency_target:
            case dependency_extra:
            case architecture:
            case code:
            case generate_code:
            case cudart:
            case version:
            case help:
            case dry_run:
            case verbose:
            case response_file: break;
            case library_dir:
            case linker_option: as_written(plan_.nvcc_link); break;
            case library:
                // Its own runtime would be a second one.
                for (const std::string& name : argument.values)
                    if (!is_cuda_runtime(name) || name == "cuda" || name == "cudadevrt")
                        plan_.nvcc_link.push_back("-l" + name);
                break;
            case warnings_as_errors:
                // nvcc wants to know of which.
                if (argument.values.empty())
                    plan_.nvcc.insert(plan_.nvcc.end(), {"-Werror", "all-warnings"});
                else
                    as_written(plan_.nvcc);
                break;
            case passed: plan_.nvcc.insert(plan_.nvcc.end(), {"-Xcompiler", argument.text}); break;
            case compiler_flag:
                // Some are the host compiler's, which nvcc takes behind -Xcompiler only.
                if (argument.option->short_name == "fPIC" || argument.option->short_name == "Wall" ||
                    argument.option->short_name == "Wextra")
                    plan_.nvcc.push_back("-Xcompiler");
                as_written(plan_.nvcc);
                break;
            default: as_written(plan_.nvcc); break;
        }
    }

    Result<void> apply(const NvccArgument& argument) {
        using enum NvccAction;
        Flags& flags = plan_.flags;
        const std::string value = argument.values.empty() ? "" : argument.values[0];
        switch (argument.option->action) {
            case output:
                if (value.empty()) return Error{"-o: the name of the file is empty", {}};
                plan_.output = value;
                break;
            case output_dir: plan_.directory = value; break;
            case mode_compile: plan_.mode = NvccMode::compile; break;
            case mode_device_compile:
                plan_.mode = NvccMode::compile;
                flags.relocatable = true;
                break;
            case mode_ptx: plan_.mode = NvccMode::ptx; break;
            case mode_fatbin: plan_.mode = NvccMode::fatbin; break;
            case mode_cubin: plan_.mode = NvccMode::cubin; break;
            case mode_preprocess: plan_.mode = NvccMode::preprocess; break;
            case mode_dependencies:
                plan_.mode = NvccMode::dependencies;
                plan_.system_dependencies = argument.option->short_name == "M";
                break;
            case with_dependencies:
                plan_.write_dependencies = true;
                plan_.system_dependencies = argument.option->short_name == "MD";
                break;
            case dependency_file: plan_.dependency_file = value; break;
            case dependency_target: plan_.dependency_target = value; break;
            case dependency_extra: plan_.phony_targets = true; break;
            case mode_device_link: plan_.mode = NvccMode::device_link; break;
            case mode_library: plan_.mode = NvccMode::library; break;
            case mode_link: plan_.mode = NvccMode::link; break;
            case mode_shared: plan_.shared = true; break;
            case mode_run: plan_.run = true; break;
            case run_arguments: each(argument, plan_.run_arguments, ""); break;
            case language:
                if (value != "cu" && value != "c++" && value != "c")
                    return Error{fmt::format("-x {}: known are cu, c++ and c", value), {}};
                plan_.all_cuda = value == "cu";
                plan_.language = value == "cu" ? Language::cuda : value == "c" ? Language::c : Language::cxx;
                break;
            case relocatable: flags.relocatable = is_true(value); break;
            case architecture: architectures_.push_back(value); break;
            case code:
                // Machine code of these, all from the same PTX: -arch says which.
                code_.insert(code_.end(), argument.values.begin(), argument.values.end());
                break;
            case generate_code: architectures_.push_back(gencode_architecture(value)); break;
            case optimize: {
                const int level = value == "fast" || value == "max" ? 3
                                  : value == "min"                  ? 1
                                                                    : std::atoi(value.c_str());
                flags.host_level = std::clamp(level, 0, 3);
                break;
            }
            case debug: flags.debug = true; break;
            case device_debug: flags.device_debug = true; break;
            case line_info: break;  // always there
            case include_dir: each(argument, flags.common, "-I"); break;
            case system_include: pairs(argument, flags.common, "-isystem"); break;
            case define: each(argument, flags.common, "-D"); break;
            case undefine: each(argument, flags.common, "-U"); break;
            case preinclude: pairs(argument, flags.common, "-include"); break;
            case library_dir: each(argument, plan_.link, "-L"); break;
            case library:
                for (const std::string& given : argument.values)
                    if (const std::string name = shared_library(given);
                        !name.empty() && !is_cuda_runtime(name))
                        plan_.link.push_back("-l" + name);
                break;
            case standard: flags.common.push_back("-std=" + value); break;
            case host_option:
                each(argument, flags.host, "");
                each(argument, plan_.link, "");
                break;
            case linker_option: pairs(argument, plan_.link, "-Xlinker"); break;
            case ptxas_option:
                plan_.ptxas_report |= argument.values.empty() ||
                                      std::count(argument.values.begin(), argument.values.end(), "-v") ||
                                      std::count(argument.values.begin(), argument.values.end(), "--verbose");
                return ptx::read_assembler_options(fmt::format("{}", fmt::join(argument.values, " ")),
                                                   flags.assembler);
            case max_registers: return ptx::read_assembler_options("-maxrregcount=" + value, flags.assembler);
            case archive_option: each(argument, plan_.archive, ""); break;
            case fast_math:
                flags.fast_math = flags.flush_denormals = true;
                flags.precise_division = flags.precise_sqrt = false;
                break;
            case flush_denormals: flags.flush_denormals = is_true(value); break;
            case precise_division: flags.precise_division = is_true(value); break;
            case precise_sqrt: flags.precise_sqrt = is_true(value); break;
            case contract: flags.contract = is_true(value); break;
            case default_stream:
                if (value != "legacy" && value != "null" && value != "per-thread")
                    return Error{fmt::format("{}: expected legacy, null or per-thread, not '{}'",
                                             argument.text, value),
                                 {}};
                flags.thread_stream = value == "per-thread";
                break;
            case no_warnings: flags.no_warnings = true; break;
            case warnings_as_errors:
                if (argument.values.empty()) flags.common.push_back("-Werror");
                for (const std::string& kind : argument.values) {
                    if (kind == "all-warnings") flags.common.push_back("-Werror");
                    // The other kinds are warnings that clang does not have.
                    if (kind == "reorder" || kind == "deprecated-declarations")
                        flags.host.push_back("-Werror=" + kind);
                }
                break;
            case compiler_flag:
                flags.host.push_back(argument.option->short_name == "noeh"
                                         ? "-fno-exceptions"
                                         : "-" + std::string(argument.option->short_name));
                break;
            case compiler_value:
                flags.common.push_back(fmt::format("-{}={}", argument.option->short_name, value));
                break;
            case passed:
                flags.host.push_back("-" + std::string(argument.option->short_name));
                plan_.link.push_back("-" + std::string(argument.option->short_name));
                break;
            case verbose: flags.verbose = true; break;
            case dry_run: plan_.dry_run = flags.verbose = true; break;
            case version: plan_.mode = NvccMode::version; break;
            case help: plan_.mode = NvccMode::help; break;
            case list_architectures: plan_.mode = NvccMode::list_architectures; break;
            case list_code: plan_.mode = NvccMode::list_code; break;
            case host_compiler:
                // Build systems name one in every command. What gcc and clang compile goes together.
                if (!is_gcc_or_clang(value))
                    warn("{} {}: host code is compiled by clang", argument.text, value);
                break;
            case machine:
                if (argument.option->short_name == "m32" || value == "32")
                    return Error{"32-bit programs are not supported", {}};
                break;
            case cudart: break;  // there is only ours
            case profile: flags.host.push_back("-pg"), plan_.link.push_back("-pg"); break;
            case keep: warn("{}: intermediate files are not kept; -ptx writes the PTX", argument.text); break;
            case warned: warn("{} {}has no effect", argument.text, value.empty() ? "" : value + " "); break;
            case forward_unknown: forward_unknown_ = true; break;
            case ignored: break;
            case response_file: break;  // read while parsing
        }
        return {};
    }

    const NvccCommandLine& line_;
    const std::vector<int>& gpus_;
    NvccPlan plan_;
    std::vector<fs::path> files_;
    std::vector<std::string> architectures_, code_;
    bool forward_unknown_ = false;
};

}  // namespace

Result<NvccPlan> plan_nvcc(const NvccCommandLine& line, const std::vector<int>& gpus) {
    return Planner(line, gpus).plan();
}

}  // namespace lockstep::compile
