#include "cli/start-program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>
#include <utility>

#include "base/alarm.h"
#include "base/paths.h"
#include "cli/models.h"
#include "cli/native-program.h"
#include "compile/architectures.h"
#include "compile/executable.h"
#include "compile/hipcc-plan.h"
#include "compile/nvcc-plan.h"
#include "compile/offload-bundle.h"
#include "compile/output-file.h"
#include "compile/program.h"
#include "compile/toolkit.h"
#include "gpu/block-limits.h"
#include "gpu/model-settings.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

// … in a list that colons separate.
void put_before(const char* name, const std::string& value) {
    const char* before = getenv(name);
    set(name, before && *before ? value + ":" + before : value);
}

std::vector<std::string> split_names(const std::string& list) {
    std::vector<std::string> names;
    std::istringstream in(list);
    for (std::string name; std::getline(in, name, ',');) names.push_back(name);
    return names;
}

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// What LOCKSTEP_DEVICES is to say; empty: one device.
Result<std::string> devices_setting(const ProgramOptions& options) {
    const bool several = options.gpu.find(',') != std::string::npos;
    if (several && !options.devices.empty())
        return Error{fmt::format("--gpu {} names the GPU of each device: --devices {} is one too many",
                                 options.gpu, options.devices),
                     {}};
    if (several) return options.gpu;
    if (!options.devices.empty()) return options.devices;
    const char* variable = getenv("LOCKSTEP_DEVICES");
    return std::string(variable ? variable : "");
}

Result<void> set_environment(const ProgramOptions& options) {
    const auto devices = devices_setting(options);
    if (!devices) return devices.error();
    const std::string gpu = options.gpu.substr(0, options.gpu.find(','));
    if (!gpu.empty() || !options.settings.empty())
        if (auto models = device_models(options); !models) return models.error();
    if (!gpu.empty()) set("LOCKSTEP_GPU", model_setting(gpu));
    if (!options.settings.empty()) set("LOCKSTEP_SET", gpu::join_settings(options.settings));
    if (!devices->empty()) set("LOCKSTEP_DEVICES", *devices);
    if (!options.ptx.empty()) set("LOCKSTEP_PTX", fs::absolute(options.ptx).string());
    if (options.timeout > 0) set("LOCKSTEP_TIMEOUT", fmt::format("{}", options.timeout));
    if (options.threads > 0) set("LOCKSTEP_THREADS", std::to_string(options.threads));
    if (options.detailed) set("LOCKSTEP_DETAILED", "1");
    if (options.sample) set("LOCKSTEP_SAMPLE", "1");
    if (options.what_if) set("LOCKSTEP_WHAT_IF", "1");
    if (options.no_progress) set("LOCKSTEP_PROGRESS", "0");
    if (options.no_cache) set("LOCKSTEP_CACHE_SIZE", "0");
    if (!options.memory.empty()) set("LOCKSTEP_MEMORY", options.memory);
    if (!options.clock.empty()) set("LOCKSTEP_CLOCK", options.clock);
    if (!options.host.empty()) set("LOCKSTEP_HOST", options.host);
    return {};
}

// The compute capabilities of the GPUs that the program will run on.
Result<std::vector<int>> compiled_for(const ProgramOptions& options) {
    std::vector<int> capabilities;
    if (options.gpus.empty()) {
        auto models = device_models(options);
        if (!models) return models.error();
        for (const gpu::GpuModel& model : *models) {
            if (auto reason = gpu::execution_obstacle(model)) return Error{*reason, {}};
            capabilities.push_back(model.compute_capability());
        }
    }
    for (const std::string& name : options.gpus) {
        auto model = chosen_model_for_code(name, options.settings);
        if (!model) return model.error();
        capabilities.push_back(model->compute_capability());
    }
    return capabilities;
}

// Of what the command line asks for, only what these GPUs would load; where they would load nothing, one, so
// that the program can say so.
std::vector<int> needed(const std::vector<int>& architectures, const std::vector<int>& gpus) {
    std::set<int> result;
    for (const int gpu : gpus) {
        const auto chosen = compile::loadable(architectures, gpu, [](int number) { return number; });
        result.insert(chosen != architectures.end() ? *chosen : architectures.front());
    }
    return {result.begin(), result.end()};
}

Prepared failed(int status) { return {{}, status}; }

void find_driver_13(const fs::path& library) {
    put_before("LD_LIBRARY_PATH", (library / "cuda-13").string());
}

// A script may start programs with NVIDIA's runtime inside, and so may a launcher.
Prepared take_executable(const fs::path& file, const Context& context) {
    bool redirects = true, runtime_13 = false;
    if (compile::is_elf(file)) {
        auto executable = compile::inspect_executable(file);
        if (!executable) return failed(fail(executable.error().to_string()));
        if (const auto reason = compile::obstacle(*executable))
            return failed(fail(fmt::format("{}: {}", file.string(), *reason)));
        redirects = compile::may_need_redirection(*executable) && !compile::is_hip(*executable);
        runtime_13 = compile::has_runtime_13(*executable);
    }
    auto library = base::find_library_dir();
    if (!library) return failed(fail(library.error().to_string()));
    put_before("LD_LIBRARY_PATH", library->string());
    if (runtime_13) find_driver_13(*library);
    if (redirects) put_before("LD_PRELOAD", (*library / "liblockstep-preload.so").string());
    return {StartableProgram{startable_path(file), file.string(), context.after_dashes, {}}, 0};
}

// Where its files leave it open, the GPU decides.
bool speaks_hip(const ProgramOptions& options, const std::vector<std::string>& rest) {
    if (const auto said = says_hip(options, rest)) return *said;
    if (!options.hardware.empty()) return options.hardware.front().vendor() == measure::Vendor::amd;
    auto models = device_models(options);
    return models && !models->front().target.empty();
}

// Where nobody has chosen a GPU, it is AMD's.
Result<std::vector<std::string>> hip_targets(const ProgramOptions& options) {
    const char* const variable = getenv("LOCKSTEP_GPU");
    if (options.gpu.empty() && !(variable && *variable)) set("LOCKSTEP_GPU", gpu::default_hip_model);
    if (auto done = set_environment(options); !done) return done.error();
    auto models = device_models(options);
    if (!models) return models.error();
    std::vector<std::string> targets;
    for (const gpu::GpuModel& model : *models) {
        if (auto reason = gpu::hip_obstacle(model)) return Error{*reason, {}};
        if (std::find(targets.begin(), targets.end(), model.target) == targets.end())
            targets.push_back(model.target);
    }
    return targets;
}

Result<void> keep_program(const fs::path& program, const fs::path& file) {
    auto replacement = compile::Replacement::create(file);
    if (!replacement) return replacement.error();
    std::error_code error;
    fs::copy_file(program, replacement->path(), fs::copy_options::overwrite_existing, error);
    // Whoever may read it may run it.
    const fs::perms read = error ? fs::perms::none : fs::status(replacement->path(), error).permissions();
    if (!error)
        fs::permissions(replacement->path(),
                        static_cast<fs::perms>((static_cast<unsigned>(read) & 0444) >> 2),
                        fs::perm_options::add, error);
    if (error) return Error{fmt::format("{}: {}", file.string(), error.message()), {}};
    return replacement->commit();
}

// Who waits at a terminal is told for what.
Result<compile::Program> build(const compile::ProgramRequest& request, bool progress) {
    constexpr double long_time = 2;
    const base::Alarm slow(progress && isatty(STDERR_FILENO) ? long_time : 0, [&] {
        fmt::print(stderr, "lockstep: still compiling {}\n", request.sources[0].string());
    });
    return compile::build_program(request);
}

Prepared compile_request(const ProgramOptions& options, compile::ProgramRequest request,
                         const fs::path& output, const Context& context) {
    request.flags.verbose |= options.verbose;
    request.flags.colour = isatty(STDERR_FILENO);
    request.flags.for_checks = options.for_checks;
    request.flags.tell_overflow = options.tell_overflow;
    request.use_cache = !options.no_cache;
    if (!output.empty()) {
        const compile::Output wanted{"-o", output, compile::Output::Kind::binary};
        if (auto good = compile::check_outputs({&wanted, 1}, request.sources); !good)
            return failed(fail(good.error().to_string(), 2));
    }
    auto program = build(request, !options.no_progress);
    if (!program) return failed(fail(program.error().to_string()));
    fmt::print(stderr, "{}", program->messages);
    for (const std::string& warning : program->warnings)
        fmt::print(stderr, "lockstep: warning: {}\n", warning);
    // A cache that could not keep the program would not keep its kernels, and say so again.
    if (program->temporary) set("LOCKSTEP_CACHE_SIZE", "0");
    if (!output.empty())
        if (auto kept = keep_program(program->file, output); !kept)
            return failed(fail(kept.error().to_string()));
    if (request.compiler == compile::Compiler::nvcc && !request.on_hardware)
        if (auto library = base::find_library_dir(); library)
            if (auto made = compile::inspect_executable(program->file);
                made && compile::has_runtime_13(*made))
                find_driver_13(*library);
    return {StartableProgram{program->file, "./" + request.sources[0].stem().string(), context.after_dashes,
                             std::move(program->temporary)},
            0};
}

// What changes the blocks of launches on a real GPU is a part of the program there.
Result<void> set_launch_source(const ProgramOptions& options, compile::ProgramRequest& request) {
    if (!request.on_hardware || !options.other_blocks) return {};
    auto sources = base::find_resource("measure");
    if (!sources) return sources.error();
    request.launch_source = *sources / "reshape.cpp";
    return {};
}

Prepared needs_source(const fs::path& program) {
    return failed(
        fail(fmt::format("{}: on a real GPU --block needs the program's source", program.string()), 2));
}

Prepared compile_sources(const ProgramOptions& options, compile::NvccPlan plan, const Context& context) {
    compile::ProgramRequest request;
    request.on_hardware = !options.hardware.empty();
    if (auto set = set_launch_source(options, request); !set) return failed(fail(set.error().to_string()));
    request.compiler = request.on_hardware || options.compiler == "nvcc" ? compile::Compiler::nvcc
                                                                         : compile::Compiler::clang;
    for (const compile::NvccInput& input : plan.inputs) request.sources.push_back(input.file);
    request.all_cuda = plan.all_cuda;
    request.flags = std::move(plan.flags);
    request.link = std::move(plan.link);
    if (request.compiler == compile::Compiler::nvcc) {
        request.native = std::move(plan.nvcc);
        request.native_link = std::move(plan.nvcc_link);
        if (options.for_checks && !request.flags.debug)
            request.native.insert(request.native.end(), {"-Xcompiler", "-g1"});
    }
    return compile_request(options, std::move(request), plan.output, context);
}

Prepared prepare_hip(const std::string& command, const ProgramOptions& options,
                     const std::vector<std::string>& rest, const Context& context) {
    const bool on_hardware = !options.hardware.empty();
    if (on_hardware) leave_lockstep();
    auto targets =
        on_hardware ? std::vector{options.hardware.front().compute_capability} : hip_targets(options);
    if (!targets) return failed(fail(targets.error().to_string()));
    if (!rest.empty() && is_program(rest[0])) {
        if (!on_hardware) return take_executable(rest[0], context);
        return options.other_blocks ? needs_source(rest[0]) : take_native(rest[0], context);
    }
    auto plan = compile::plan_hipcc(rest, *targets);
    if (!plan) return failed(fail(plan.error().to_string(), 2));
    if (plan->mode != compile::HipccMode::link || plan->shared || plan->inputs.empty())
        return failed(fail(fmt::format("{} makes an executable and runs it; for the rest there is {}hipcc",
                                       command, on_hardware ? "AMD's " : "lockstep "),
                           2));
    // Of several targets, those of the GPUs that it will run on; where there is none of these, all, so that
    // the program can say so.
    std::vector<std::string> needed_targets;
    for (const std::string& one : plan->flags.targets)
        for (const std::string& target : *targets)
            if (compile::base_target(one) == target) needed_targets.push_back(one);
    if (!needed_targets.empty()) plan->flags.targets = needed_targets;
    compile::ProgramRequest request;
    request.hip = true;
    for (const compile::HipccInput& input : plan->inputs) request.sources.push_back(input.file);
    request.flags = std::move(plan->flags);
    request.link = std::move(plan->link);
    if (on_hardware) {
        request.compiler = compile::Compiler::hipcc;
        request.on_hardware = true;
        request.native = std::move(plan->hipcc);
        request.native_link = std::exchange(request.link, {});
        if (auto set = set_launch_source(options, request); !set)
            return failed(fail(set.error().to_string()));
    }
    return compile_request(options, std::move(request), plan->output, context);
}

std::vector<char*> arguments_of(const StartableProgram& program) {
    std::vector<char*> argv = {const_cast<char*>(program.name.c_str())};
    for (const std::string& argument : program.arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    return argv;
}

// In a new process, which has no other way to say that it cannot be done.
void replace_descriptor(int descriptor, const char* file, int flags) {
    const int opened = open(file, flags, 0600);
    if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
    close(opened);
}

int cannot_start(const fs::path& file) {
    return fail(fmt::format("cannot start {}: {}", file.string(), strerror(errno)), 126);
}

}  // namespace

Result<std::vector<gpu::GpuModel>> device_models(const ProgramOptions& options) {
    constexpr int most = 16;  // as the runtime library has it
    const auto devices = devices_setting(options);
    if (!devices) return devices.error();
    const bool counted = devices->empty() || is_number(*devices);
    const int count = !counted || devices->empty() ? 1 : std::atoi(devices->c_str());
    std::vector<std::string> names(counted ? std::size_t{1} : 0, options.gpu);
    if (!counted) names = split_names(*devices);
    if (count < 1 || count > most || names.size() > most)
        return Error{fmt::format("--devices {}: 1 to {} are possible", *devices, most), {}};
    std::vector<gpu::GpuModel> models;
    for (const std::string& name : names) {
        if (!counted && name.empty())
            return Error{fmt::format("--devices {}: the name of a GPU is empty", *devices), {}};
        auto model = chosen_model(name, options.settings);
        if (!model) return model.error();
        models.insert(models.end(), static_cast<std::size_t>(count), *model);
    }
    return models;
}

fs::path startable_path(const fs::path& file) {
    return file.string().find('/') == std::string::npos ? "." / file : file;
}

bool is_program(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0 &&
           !compile::language_of(file);
}

std::optional<bool> says_hip(const ProgramOptions& options, const std::vector<std::string>& rest) {
    if (options.hip || compile::is_hip(rest)) return true;
    for (const std::string& word : rest) {
        if (fs::path(word).extension() == ".cu") return false;
        if (word.starts_with("-") || !is_program(word) || !compile::is_elf(word)) continue;
        auto executable = compile::inspect_executable(word);
        if (executable && compile::is_hip(*executable)) return true;
        // On a real GPU one without code for either may start others.
        if (options.on != "gpu" || (executable && executable->has_device_code)) return false;
    }
    return {};
}

std::vector<fs::path> input_files(const ProgramOptions& options, const std::vector<std::string>& rest,
                                  const Context& context) {
    std::vector<fs::path> files;
    const auto add = [&](const std::string& text) {
        std::error_code ignored;
        if (fs::is_regular_file(text, ignored)) files.emplace_back(text);
    };
    // The program's own arguments, too: what it reads is not ours to write over.
    for (const std::vector<std::string>* list : {&rest, &context.after_dashes})
        for (const std::string& text : *list) add(text);
    for (const std::string* text : {&options.ptx, &options.gpu}) add(*text);
    return files;
}

std::string StartableProgram::command_line() const {
    compile::Arguments all = {name};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return compile::command_line(all);
}

Prepared prepare_program(const std::string& command, const ProgramOptions& options,
                         const std::vector<std::string>& rest, const Context& context) {
    if (speaks_hip(options, rest)) {
        Prepared prepared = prepare_hip(command, options, rest, context);
        prepared.hip = true;
        return prepared;
    }
    auto line = compile::parse_nvcc(rest);
    if (!line) return failed(fail(line.error().to_string(), 2));
    // What only nvcc knows it may have.
    compile::Arguments unknown;
    if (options.compiler == "nvcc" || !options.hardware.empty()) unknown = std::exchange(line->unknown, {});
    if (!line->unknown.empty())
        return failed(fail(
            fmt::format("unknown option {} (see lockstep {} --help; the program's own arguments go after --)",
                        fmt::join(line->unknown, ", "), command),
            2));
    std::vector<fs::path> files;
    for (const compile::NvccArgument& argument : line->arguments)
        if (!argument.option) files.push_back(argument.text);
    if (files.empty())
        return failed(
            fail(fmt::format("{0} needs a program: a .cu file or an executable (see lockstep {0} --help)",
                             command),
                 2));
    for (const fs::path& file : files) {
        std::error_code ignored;
        if (file.empty()) return failed(fail(fmt::format("{}: the name of a file is empty", command), 2));
        if (!fs::exists(file, ignored))
            return failed(
                fail(fmt::format("{}: no such file{}", file.string(),
                                 file == files[0] ? "" : " (the program's own arguments go after --)")));
        if (fs::is_directory(file, ignored))
            return failed(fail(fmt::format("{} is a directory", file.string())));
    }
    const bool on_hardware = !options.hardware.empty();
    if (on_hardware)
        leave_lockstep();
    else if (auto done = set_environment(options); !done)
        return failed(fail(done.error().to_string()));
    if (on_hardware && options.other_blocks && is_program(files[0])) return needs_source(files[0]);
    if (is_program(files[0]))
        return on_hardware ? take_native(files[0], context) : take_executable(files[0], context);

    auto gpus = on_hardware ? std::vector{options.hardware.front().capability()} : compiled_for(options);
    if (!gpus) return failed(fail(gpus.error().to_string()));
    auto plan = compile::plan_nvcc(*line, *gpus);
    if (!plan) return failed(fail(plan.error().to_string(), 2));
    if (plan->mode != compile::NvccMode::link || plan->shared)
        return failed(fail(
            fmt::format(
                "{} makes an executable and runs it; for objects, PTX or libraries there is lockstep nvcc",
                command),
            2));
    for (const std::string& warning : plan->warnings) fmt::print(stderr, "lockstep: warning: {}\n", warning);
    plan->flags.architectures = needed(plan->flags.architectures, *gpus);
    plan->nvcc.insert(plan->nvcc.end(), unknown.begin(), unknown.end());
    return compile_sources(options, std::move(*plan), context);
}

int become(StartableProgram program, const compile::BlockedSignals& signals) {
    const std::vector<char*> argv = arguments_of(program);
    std::fflush(nullptr);
    if (program.temporary) {
        // Nobody could remove it once we are the program: so remove it first, and start what is still open.
        const int descriptor = open(program.file.c_str(), O_RDONLY | O_CLOEXEC);
        program.temporary.reset();
        signals.unblock();
        if (descriptor >= 0) fexecve(descriptor, argv.data(), environ);
    } else {
        signals.unblock();
        execv(program.file.c_str(), argv.data());
    }
    return cannot_start(program.file);
}

Result<compile::ExitStatus> run_and_wait(const StartableProgram& program,
                                         const std::function<void(pid_t)>& before,
                                         const std::function<void()>& tick, const fs::path& log) {
    const std::vector<char*> argv = arguments_of(program);
    std::fflush(nullptr);
    // The program waits until we have told who it is.
    std::array<int, 2> gate{-1, -1};
    if (pipe2(gate.data(), O_CLOEXEC) != 0)
        return Error{fmt::format("cannot make a pipe: {}", strerror(errno)), {}};
    const compile::BlockedSignals signals;
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child > 0) close(gate[0]);
    if (child > 0 && before) before(child);
    if (child != 0) close(gate[1]);
    if (child < 0) return Error{fmt::format("cannot start a process: {}", strerror(errno)), {}};
    if (child == 0) {
        compile::die_with_parent(parent);
        signals.unblock();
        close(gate[1]);
        char nothing = 0;
        while (read(gate[0], &nothing, 1) < 0 && errno == EINTR) {
        }
        if (!log.empty()) {
            replace_descriptor(STDIN_FILENO, "/dev/null", O_RDONLY);
            replace_descriptor(STDOUT_FILENO, "/dev/null", O_WRONLY);
            replace_descriptor(STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
        }
        execv(program.file.c_str(), argv.data());
        _exit(cannot_start(program.file));
    }
    for (;;) {
        siginfo_t info{};
        const int number = signals.wait(info, std::chrono::seconds(1));
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child) {
            if (WIFSIGNALED(status)) return compile::ExitStatus{0, WTERMSIG(status)};
            return compile::ExitStatus{WEXITSTATUS(status), 0};
        }
        // The terminal sends its signals to the program as well.
        if (number != 0 && number != SIGCHLD && info.si_code != SI_KERNEL) kill(child, number);
        if (number == 0 && tick) tick();
    }
}

int exit_status(const compile::ExitStatus& status) {
    return status.signal ? 128 + status.signal : status.code;
}

namespace {

// An executable, which all that follows is for; not what the compiler is to write (-o) or to use (-ccbin).
bool names_program(const std::vector<std::string>& arguments, std::size_t at) {
    if (arguments[at].starts_with("-") || !is_program(arguments[at])) return false;
    const auto first = arguments.begin() + 1;
    const auto line = compile::parse_nvcc({first, arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1});
    return !line || line->arguments.empty() || !line->arguments.back().option;
}

// ncu's letters, where they stand alone: -std=c++17 is the compiler's. And --csv as a flag, which it is to
// ncu.
void read_as_ncu(std::vector<std::string>& arguments) {
    constexpr std::array<std::array<const char*, 2>, 3> letters = {
        {{"-k", "--kernel-name"}, {"-s", "--launch-skip"}, {"-c", "--launch-count"}}};
    for (std::size_t i = 1; i < arguments.size() && arguments[i] != "--"; ++i) {
        if (names_program(arguments, i)) return;
        for (const auto& [letter, name] : letters)
            if (arguments[i] == letter) arguments[i] = name;
        if (arguments[i] == "--csv" &&
            (i + 1 == arguments.size() || (arguments[i + 1].size() > 1 && arguments[i + 1][0] == '-')))
            arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, "-");
    }
}

}  // namespace

void split_program_arguments(std::vector<std::string>& arguments, Context& context) {
    const std::string command = arguments.empty() ? "" : arguments[0];
    // What follows an executable may be sweep's own options.
    const bool executable_ends = command == "run" || command == "check" || command == "profile" ||
                                 command == "explain" || command == "timeline" || command == "measure" ||
                                 command == "report-bug";
    if (!executable_ends && command != "sweep" && command != "env") return;
    if (command == "profile") read_as_ncu(arguments);
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const bool dashes = arguments[i] == "--";
        const bool ends = executable_ends && names_program(arguments, i);
        if (!dashes && !ends) continue;
        auto first = arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        if (!dashes && first != arguments.end() && *first == "--") first = arguments.erase(first);
        context.after_dashes.assign(first, arguments.end());
        arguments.erase(first, arguments.end());
        if (dashes) arguments.pop_back();
        return;
    }
}

}  // namespace lockstep::cli
