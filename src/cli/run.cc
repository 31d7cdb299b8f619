// lockstep run: compile (or take an executable), set the environment that the runtime library reads, and
// become the program.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/paths.h"
#include "cli/command.h"
#include "compile/executable.h"
#include "compile/nvcc-plan.h"
#include "compile/program.h"
#include "gpu/model.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string gpu, compiler = "clang", ptx;
    double timeout = 0;
    int threads = 0;
    bool stats = false, verbose = false, no_cache = false;
};

constexpr const char* footer =
    "lockstep run [OPTIONS] [COMPILER OPTIONS] PROG.cu… [-- ARGUMENTS]\n"
    "lockstep run [OPTIONS] EXECUTABLE [ARGUMENTS]\n\n"
    "Compiler options are nvcc's: -O0 … -O3, -I, -D, -U, -std=c++20, -g, -G, -lineinfo, -arch=sm_80, "
    "-use_fast_math,\n"
    "-rdc=true, -L, -l, -Xcompiler, -o FILE (keeps the executable) and the others of `lockstep nvcc "
    "--help`.\n"
    "Examples:\n"
    "  lockstep run reduce.cu\n"
    "  lockstep run --gpu k20x --threads 1 -O3 -DN=1024 main.cu kernels.cu util.cpp -lm -- --size 4096\n"
    "  lockstep run ./a.out 100\n"
    "The program's input, output, exit status and signals are its own.";

// A file that the kernel can start: not source, not a library.
bool is_program(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0 &&
           !compile::language_of(file);
}

void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

Result<void> set_environment(const Options& options) {
    if (!options.gpu.empty()) {
        fs::path directory;
        if (const char* given = getenv("LOCKSTEP_GPUS_DIR"); given && *given) {
            directory = given;
        } else {
            auto found = base::find_resource("gpus");
            if (!found) return found.error();
            directory = *found;
        }
        if (auto model = gpu::find_model(options.gpu, directory); !model) return model.error();
        // A path must still be right in the directory that the program changes to.
        const bool is_path =
            options.gpu.find('/') != std::string::npos || fs::path(options.gpu).extension() == ".toml";
        set("LOCKSTEP_GPU", is_path ? fs::absolute(options.gpu).string() : options.gpu);
    }
    if (!options.ptx.empty()) set("LOCKSTEP_PTX", fs::absolute(options.ptx).string());
    if (options.timeout > 0) set("LOCKSTEP_TIMEOUT", fmt::format("{}", options.timeout));
    if (options.threads > 0) set("LOCKSTEP_THREADS", std::to_string(options.threads));
    if (options.stats) set("LOCKSTEP_STATS", "1");
    return {};
}

// Returns only if it fails. `name` is what the program sees as argv[0].
int become(const fs::path& file, const std::string& name, const std::vector<std::string>& arguments,
           std::optional<compile::TempDir> temporary) {
    std::vector<char*> argv = {const_cast<char*>(name.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    std::fflush(nullptr);
    if (temporary) {
        // Nobody could remove it once we are the program: so remove it first, and start what is still open.
        const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
        temporary.reset();
        if (descriptor >= 0) fexecve(descriptor, argv.data(), environ);
    } else {
        execv(file.c_str(), argv.data());
    }
    return fail(fmt::format("cannot start {}: {}", file.string(), strerror(errno)), 126);
}

int run_executable(const fs::path& file, const Context& context) {
    if (compile::is_elf(file)) {
        auto executable = compile::inspect_executable(file);
        if (!executable) return fail(executable.error().to_string());
        if (const auto reason = compile::obstacle(*executable))
            return fail(fmt::format("{}: {}", file.string(), *reason));
    }
    auto library = base::find_library_dir();
    if (!library) return fail(library.error().to_string());
    const char* before = getenv("LD_LIBRARY_PATH");
    set("LD_LIBRARY_PATH", before && *before ? library->string() + ":" + before : library->string());
    const fs::path path = file.string().find('/') == std::string::npos ? "." / file : file;
    return become(path, file.string(), context.after_dashes, {});
}

int run_sources(const Options& options, compile::NvccPlan plan, const Context& context) {
    compile::ProgramRequest request;
    request.compiler = options.compiler == "nvcc" ? compile::Compiler::nvcc : compile::Compiler::clang;
    for (const compile::NvccInput& input : plan.inputs) request.sources.push_back(input.file);
    request.all_cuda = plan.all_cuda;
    request.flags = std::move(plan.flags);
    request.flags.verbose |= options.verbose;
    request.flags.colour = isatty(STDERR_FILENO);
    request.link = std::move(plan.link);
    request.use_cache = !options.no_cache;
    auto program = compile::build_program(request);
    if (!program) return fail(program.error().to_string());
    fmt::print(stderr, "{}", program->messages);
    for (const std::string& warning : program->warnings)
        fmt::print(stderr, "lockstep: warning: {}\n", warning);
    if (!plan.output.empty()) {
        std::error_code failed;
        fs::copy_file(program->file, plan.output, fs::copy_options::overwrite_existing, failed);
        if (failed) return fail(fmt::format("{}: {}", plan.output.string(), failed.message()));
    }
    const std::string name = "./" + request.sources[0].stem().string();
    return become(program->file, name, context.after_dashes, std::move(program->temporary));
}

int run(const Options& options, const std::vector<std::string>& rest, const Context& context) {
    // `rest` is files and compiler options, in nvcc's spelling.
    auto line = compile::parse_nvcc(rest);
    if (!line) return fail(line.error().to_string(), 2);
    if (!line->unknown.empty())
        return fail(
            fmt::format(
                "unknown option {} (see lockstep run --help; the program's own arguments go after --)",
                fmt::join(line->unknown, ", ")),
            2);
    std::vector<fs::path> files;
    for (const compile::NvccArgument& argument : line->arguments)
        if (!argument.option) files.push_back(argument.text);
    if (files.empty())
        return fail("run needs a program: a .cu file or an executable (see lockstep run --help)", 2);
    for (const fs::path& file : files) {
        std::error_code ignored;
        if (!fs::exists(file, ignored))
            return fail(fmt::format("{}: no such file{}", file.string(),
                                    file == files[0] ? "" : " (the program's own arguments go after --)"));
        if (fs::is_directory(file, ignored)) return fail(fmt::format("{} is a directory", file.string()));
    }
    if (auto done = set_environment(options); !done) return fail(done.error().to_string());
    if (is_program(files[0])) return run_executable(files[0], context);

    auto plan = compile::plan_nvcc(*line);
    if (!plan) return fail(plan.error().to_string(), 2);
    if (plan->mode != compile::NvccMode::link || plan->shared)
        return fail(
            "run makes an executable and runs it; for objects, PTX or libraries there is lockstep nvcc", 2);
    for (const std::string& warning : plan->warnings) fmt::print(stderr, "lockstep: warning: {}\n", warning);
    return run_sources(options, std::move(*plan), context);
}

}  // namespace

void split_program_arguments(std::vector<std::string>& arguments, Context& context) {
    if (arguments.empty() || arguments[0] != "run") return;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const bool dashes = arguments[i] == "--";
        if (!dashes && (arguments[i][0] == '-' || !is_program(arguments[i]))) continue;
        auto first = arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        if (!dashes && first != arguments.end() && *first == "--") first = arguments.erase(first);
        context.after_dashes.assign(first, arguments.end());
        arguments.erase(first, arguments.end());
        if (dashes) arguments.pop_back();
        return;
    }
}

void add_run(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("run", "Compile a program (or take an executable) and run it");
    command->footer(footer);
    command->allow_extras();
    command->add_option("--gpu", options->gpu, "GPU model: a name from `lockstep gpus`, or a .toml file");
    command->add_option("--compiler", options->compiler, "clang (default), or nvcc where it is installed")
        ->check(CLI::IsMember({"clang", "nvcc"}));
    command->add_option("--ptx", options->ptx, "PTX to run as the device code, instead of the compiler's")
        ->check(CLI::ExistingFile);
    command
        ->add_option("--timeout", options->timeout, "Stop a kernel that runs longer than this many seconds")
        ->check([](const std::string& text) {
            return std::strtod(text.c_str(), nullptr) > 0 ? "" : text + " is no number of seconds above 0";
        });
    command->add_option("--threads", options->threads, "Worker threads (default: one a core)")
        ->check(CLI::Range(1, 4096));
    command->add_flag("--stats", options->stats, "Print how many instructions were executed, at the end");
    command->add_flag("--no-cache", options->no_cache, "Compile anew, and keep nothing");
    command->add_flag("--verbose", options->verbose, "Show the compiler's commands");
    command->callback(
        [command, options, &context] { context.status = run(*options, command->remaining(), context); });
}

}  // namespace lockstep::cli
