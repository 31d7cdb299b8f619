// lockstep lab: lessons with exercises. Lists them, shows a page, runs its commands, copies an exercise, and
// grades it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <sstream>

#include "base/paths.h"
#include "cli/command.h"
#include "cli/lab-grading.h"
#include "cli/terminal.h"
#include "compile/process.h"
#include "labs/labs.h"

namespace lockstep::cli {
namespace lab_command {

using labs::Lab;

struct Options {
    std::vector<std::string> words;
    bool run = false;
    int port = 0;
};

constexpr const char* footer =
    "lockstep lab                        the labs, in the order in which to do them\n"
    "lockstep lab NAME                   its page: a question, a prediction to make, what comes out, and "
    "why\n"
    "lockstep lab NAME --run             run the page's commands\n"
    "lockstep lab start NAME [FOLDER]    copy the exercise's file, as NAME.cu or NAME.hip, to begin with\n"
    "lockstep lab check NAME FILE        what is right, and what is still missing\n"
    "lockstep lab serve [FOLDER]         the labs as pages in a browser on this machine, with an editor for "
    "the "
    "exercises, whose\n"
    "                                    files are in FOLDER (the one that you are in)\n"
    "Exit status of check: 0 all is there, 1 something is missing, 2 it cannot be graded.";

int show_all() {
    auto list = labs::all_labs();
    if (!list) return fail(list.error().to_string());
    std::size_t width = 0;
    for (const Lab& lab : *list) width = std::max(width, lab.name.size());
    for (const Lab& lab : *list) fmt::print("{:<{}}  {}\n", lab.name, width, lab.title);
    fmt::print("\n`lockstep lab NAME` shows one; `lockstep lab start NAME` gives its exercise.\n");
    return 0;
}

int show(const Lab& lab) {
    const bool colours = terminal_has_colours();
    std::istringstream lines(lab.page);
    for (std::string line; std::getline(lines, line);)
        if (colours && line.starts_with('#'))
            fmt::print("\x1b[1m{}\x1b[0m\n", line);
        else
            fmt::print("{}\n", line);
    auto root = labs::labs_root();
    if (!root) return fail(root.error().to_string());
    fmt::print("\nThe commands stand for files in {}; `lockstep lab {} --run` runs them there.\n",
               root->string(), lab.name);
    return 0;
}

// The status of the first command that fails; a lab may show one that does, so the others follow.
int run_commands(const Lab& lab) {
    auto root = labs::labs_root();
    if (!root) return fail(root.error().to_string());
    const char* const path = getenv("PATH");
    const std::string own = base::module_file().parent_path().string();
    setenv("PATH", fmt::format("{}:{}", own, path ? path : "").c_str(), 1);
    if (chdir(root->c_str()) != 0) return fail(fmt::format("cannot enter {}", root->string()));
    int status = 0;
    for (const std::string& command : lab.commands()) {
        fmt::print("$ {}\n", command);
        std::fflush(stdout);
        auto child = compile::Child::start({"/bin/sh", "-c", command}, {});
        if (!child) return fail(child.error().to_string());
        const compile::ExitStatus ended = child->wait();
        if (status == 0) status = ended.signal ? 128 + ended.signal : ended.code;
        fmt::print("\n");
    }
    return status;
}

int start(const Lab& lab, const std::filesystem::path& folder) {
    auto from = lab.starting_file();
    if (!from) return fail(from.error().to_string());
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::filesystem::path to = (folder / (lab.name + from->extension().string())).lexically_normal();
    if (!error && std::filesystem::exists(to))
        return fail(fmt::format("{} is there already, and stays as it is", to.string()), 2);
    if (!error) std::filesystem::copy_file(*from, to, error);
    if (error) return fail(fmt::format("cannot write {}: {}", to.string(), error.message()));
    fmt::print(
        "{} is yours. The exercise stands at the end of `lockstep lab {}`; then\n    lockstep lab check {} "
        "{}\n",
        to.string(), lab.name, lab.name, to.string());
    return 0;
}

void print_indented(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty()) fmt::print("           {}\n", line);
}

int check(const Lab& lab, const std::filesystem::path& file) {
    auto requirements = labs::read_requirements(lab.requirements_file());
    if (!requirements) return fail(requirements.error().to_string(), 2);
    auto grading = grade(*requirements, file);
    if (!grading) return fail(grading.error().to_string(), 2);
    if (!grading->failure.empty()) {
        fmt::print("  missing  {} compiles, runs and ends with status 0\n", file.string());
        print_indented(grading->failure);
        fmt::print("The rest can be looked at once it does.\n");
        return 1;
    }
    std::size_t missing = 0;
    for (const Grade& one : grading->grades) {
        fmt::print("  {}  {}\n", one.met ? "right  " : "missing", one.requirement->to_string());
        if (one.met) continue;
        ++missing;
        print_indented(one.found);
        for (const std::string& words : one.requirement->words) fmt::print("        > {}\n", words);
    }
    if (missing == 0)
        fmt::print("All {} are right: the exercise is done.\n", grading->grades.size());
    else
        fmt::print("{} of {} are missing.\n", missing, grading->grades.size());
    return missing == 0 ? 0 : 1;
}

// Becomes the program that serves them.
int serve(const std::string& folder, int port) {
    auto libraries = base::find_library_dir();
    if (!libraries) return fail(libraries.error().to_string());
    const std::string program = (*libraries / "lockstep-serve").string(), own = base::module_file().string();
    const std::string number = std::to_string(port);
    execl(program.c_str(), program.c_str(), "--command", own.c_str(), "--folder", folder.c_str(), "--port",
          number.c_str(), static_cast<char*>(nullptr));
    return fail(fmt::format("cannot start {}: {}", program, std::strerror(errno)));
}

int with_lab(const std::string& name, const std::function<int(const Lab&)>& use) {
    auto lab = labs::find_lab(name);
    if (!lab) return fail(lab.error().to_string(), 2);
    return use(*lab);
}

int run(const Options& options) {
    const std::vector<std::string>& words = options.words;
    const std::string first = words.empty() ? "" : words[0];
    const bool takes_lab = first == "start" || first == "check";
    if (options.run && (words.size() != 1 || takes_lab || first == "serve"))
        return fail("--run wants the name of a lab: lockstep lab NAME --run", 2);
    if (options.port && first != "serve")
        return fail("--port belongs to serve: lockstep lab serve --port N", 2);
    if (words.empty()) return show_all();
    if (first == "start" && (words.size() == 2 || words.size() == 3))
        return with_lab(words[1],
                        [&](const Lab& lab) { return start(lab, words.size() == 3 ? words[2] : "."); });
    if (first == "check" && words.size() == 3)
        return with_lab(words[1], [&](const Lab& lab) { return check(lab, words[2]); });
    if (first == "serve") {
        if (words.size() > 2) return fail("serve wants one folder at most: lockstep lab serve [FOLDER]", 2);
        return serve(words.size() == 2 ? words[1] : ".", options.port);
    }
    if (takes_lab)
        return fail(first == "start"
                        ? "start wants a lab and perhaps a folder: lockstep lab start NAME [FOLDER]"
                        : "check wants a lab and a file: lockstep lab check NAME FILE",
                    2);
    if (words.size() > 1) return fail(fmt::format("what is '{}' after '{}'?", words[1], first), 2);
    return with_lab(first, [&](const Lab& lab) { return options.run ? run_commands(lab) : show(lab); });
}

}  // namespace lab_command

void add_lab(CommandLine& line, Context& context) {
    using namespace lab_command;
    auto options = std::make_shared<Options>();
    const Command command = line.add_command("lab", "Lessons with exercises, and what is missing in yours");
    command.footer(footer);
    command.add_option("WORDS", options->words,
                       "NAME, or start NAME [FOLDER], or check NAME FILE, or serve [FOLDER]");
    command.add_flag("--run", options->run, "Run the commands of the lab's page");
    command.add_option("--port", options->port, "Of serve; one that is free unless given").between(1, 65535);
    command.callback([options, &context] { context.status = run(*options); });
}

}  // namespace lockstep::cli
