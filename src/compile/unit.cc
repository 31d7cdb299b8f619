#include "compile/unit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "compile/depfile.h"
#include "compile/device-symbols.h"
#include "compile/diagnostics.h"
#include "compile/fatbin.h"
#include "compile/files.h"
#include "compile/hard-coded-lanes.h"
#include "compile/hip-relocatable.h"
#include "compile/hip-undefined.h"
#include "compile/missing-features.h"
#include "compile/missing-headers.h"
#include "compile/object-parts.h"
#include "compile/offload-bundle.h"
#include "compile/respelling.h"
#include "ptx/kernel-memory.h"
#include "ptx/parser.h"
#include "ptx/user-lines.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

void append(Arguments& to, const Arguments& from) { to.insert(to.end(), from.begin(), from.end()); }

std::string warnings_about(const fs::path& source, const Flags& flags, Language language) {
    std::string text;
    for (const std::string& flag : flags.common)
        if (is_standard_of_another(flag, language) && !flags.no_warnings)
            text += fmt::format("{}: warning: {} is for C++, and has no effect on a C file\n",
                                source.string(), flag);
    return text;
}

// Of the GPUs for which the program is compiled, those before RDNA run wavefronts of 64 lanes.
std::string lanes_warnings(const fs::path& source, const Flags& flags) {
    const bool wide = std::ranges::any_of(
        flags.targets, [](const std::string& target) { return target.starts_with("gfx9"); });
    if (!wide || flags.no_warnings) return "";
    // With the headers that lie beside it.
    std::vector<LaneSource> own;
    std::set<fs::path> seen;
    std::vector<fs::path> open{source};
    constexpr std::size_t most_files = 64;
    while (!open.empty() && own.size() < most_files) {
        const fs::path file = open.back();
        open.pop_back();
        std::error_code ignored;
        auto text = read_file(file);
        if (!text || !seen.insert(fs::weakly_canonical(file, ignored)).second) continue;
        std::istringstream lines(*text);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t word = line.find_first_not_of(" \t");
            if (word == line.npos || line[word] != '#' || line.find("include") == line.npos) continue;
            const std::size_t first = line.find('"'), last = line.rfind('"');
            if (first < last) open.push_back(file.parent_path() / line.substr(first + 1, last - first - 1));
        }
        own.push_back({file.string(), std::move(*text)});
    }
    return hard_coded_lanes(own);
}

std::string does_not_compile(const fs::path& source) {
    return fmt::format("lockstep: {} does not compile", source.string());
}

Error failure(const fs::path& source, Language language, const std::string& messages,
              const ExitStatus& status) {
    std::string text = messages;
    if (text.empty() || status.signal) text += fmt::format("clang {}\n", status.to_string());
    text += explain_missing_headers(messages) +
            explain_missing_features(messages, language == Language::hip ? Vendor::amd : Vendor::nvidia);
    return Error{text + does_not_compile(source), {}};
}

void announce(const Flags& flags, const Arguments& command) {
    if (flags.verbose) fmt::print(stderr, "#$ {}\n", command_line(command));
}

// Hands `bytes` to the compiler that will read the FIFO. It opens it when it is done with everything else, or
// never if it fails before: so ask again and again, until it reads or has ended.
Result<void> feed(const fs::path& fifo, const std::string& bytes, Child& reader) {
    int descriptor = -1;
    while ((descriptor = open(fifo.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0) {
        if (errno != ENXIO && errno != EINTR) return Error{fifo.string() + ": " + strerror(errno), {}};
        if (reader.poll()) return {};
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t written = write(descriptor, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno != EINTR) break;  // the reader is gone: its exit status tells
        if (written > 0) done += static_cast<std::size_t>(written);
    }
    close(descriptor);
    return {};
}

// A reader that ends early must not end us.
class IgnoreBrokenPipes {
  public:
    IgnoreBrokenPipes() {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe, &before_);
    }
    ~IgnoreBrokenPipes() {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        const timespec now{};
        while (sigtimedwait(&pipe, nullptr, &now) > 0) {
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

  private:
    sigset_t before_;
};

// What files share of their device code becomes symbols of the object (device-symbols.h).
Result<void> add_device_symbols(const Toolchain& toolchain, const fs::path& object,
                                const DeviceSymbols& symbols, const fs::path& scratch) {
    if (symbols.definitions.empty() && symbols.references.empty()) return {};
    return add_to_object(toolchain, object, device_symbols_assembly(symbols), scratch);
}

// Symbols that other objects' host code may name: cudaMemcpyToSymbol of an `extern __constant__` variable.
// clang makes the host's shadow of every device variable local to its object; this makes the ones with
// external linkage visible again.
Result<void> export_variables(const fs::path& object, const DeviceSymbols& symbols, const fs::path& scratch) {
    std::string names;
    for (const DeviceSymbols::Definition& definition : symbols.definitions)
        if (definition.variable && !definition.weak) names += definition.name + '\n';
    if (names.empty()) return {};
    const fs::path list = scratch / "exported";
    if (auto written = write_file(list, names); !written) return written;
    return run_objcopy({"--globalize-symbols=" + list.string()}, object, scratch);
}

// The object of a file whose device code refers to other files'.
Result<void> make_linkable(const Toolchain& toolchain, const fs::path& object, const std::string& ptx,
                           const fs::path& source, const fs::path& scratch) {
    const auto module = ptx::parse(ptx, source.string());
    if (!module) return module.error();
    const DeviceSymbols symbols = device_symbols(*module);
    if (auto exported = export_variables(object, symbols, scratch); !exported) return exported;
    return add_device_symbols(toolchain, object, symbols, scratch);
}

void collect(const fs::path& depfile, Compiled& result) {
    add_dependencies(result.dependencies, read_file(depfile).value_or(""));
}

// What ptxas would refuse, of the PTX that clang has made.
Result<void> check_ptx(const std::string& text, const fs::path& source) {
    if (text.find(".shared") == std::string::npos) return {};
    const auto module = ptx::parse(text, source.string());
    if (!module) return {};  // PTX that lockstep cannot read is told of where it is loaded
    std::string messages;
    for (const Error& error : ptx::too_much_shared(*module)) messages += error.to_string() + '\n';
    if (messages.empty()) return {};
    return Error{messages + does_not_compile(source), {}};
}

// … and of a file that is not to be linked with others' device code. Returns warnings.
Result<std::string> close_ptx(std::string& text, const fs::path& source) {
    if (text.find("\n.extern .") == std::string::npos) return std::string();
    auto module = ptx::parse(text, source.string());
    if (!module) return std::string();
    ptx::attribute_to_user_lines(*module);
    auto warnings = close_device_code(text, *module, source);
    if (!warnings) return Error{warnings.error().message + does_not_compile(source), {}};
    return warnings;
}

// The device code of one architecture, being parsed by clang.
struct DevicePass {
    int architecture = 0;
    fs::path ir, messages, dependencies;
    Child child;
};

Result<DevicePass> start_device_pass(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                                     int architecture, const fs::path& scratch) {
    const auto file = [&](const char* extension) {
        return scratch / fmt::format("device-{}.{}", architecture, extension);
    };
    Arguments command = device_command(toolchain, source, flags, architecture);
    append(command, {"-MD", "-MF", file("d").string(), "-o", file("bc").string()});
    announce(flags, command);
    auto child = Child::start(command, {{}, file("txt")});
    if (!child) return child.error();
    return DevicePass{architecture, file("bc"), file("txt"), file("d"), std::move(*child)};
}

// From what clang has parsed to PTX, which the file `ptx` then holds. Returns messages.
Result<std::string> make_ptx(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                             int architecture, const fs::path& ir, const fs::path& ptx,
                             const fs::path& scratch) {
    const Arguments command = ptx_command(toolchain, flags, architecture, ir, ptx);
    announce(flags, command);
    auto finished = run(command, scratch);
    if (!finished) return finished.error();
    if (!finished->status.ok())
        return Error{fmt::format("{}the device compiler {}\n{}", finished->errors,
                                 finished->status.to_string(), does_not_compile(source)),
                     {}};
    return finished->errors;
}

// All architectures, as many at once as there are cores. Messages and dependencies go to `result`.
Result<std::vector<FatbinPtx>> compile_device(const Toolchain& toolchain, const fs::path& source,
                                              const Flags& flags, const fs::path& scratch, Compiled& result) {
    std::vector<FatbinPtx> entries;
    std::optional<Error> failed;
    const std::size_t at_once = std::max(1u, std::thread::hardware_concurrency());
    const std::vector<int>& wanted = flags.architectures;
    for (std::size_t next = 0; next < wanted.size() && !failed;) {
        std::vector<DevicePass> passes;
        for (; next < wanted.size() && passes.size() < at_once && !failed; ++next) {
            auto pass = start_device_pass(toolchain, source, flags, wanted[next], scratch);
            if (pass)
                passes.push_back(std::move(*pass));
            else
                failed = pass.error();
        }
        for (DevicePass& pass : passes) {
            const ExitStatus status = pass.child.wait();
            if (failed) continue;
            const std::string text = read_file(pass.messages).value_or("");
            if (!status.ok()) {
                failed = failure(source, Language::cuda, merge_diagnostics(text, ""), status);
                continue;
            }
            const fs::path ptx = fs::path(pass.ir).replace_extension(".ptx");
            const auto made = make_ptx(toolchain, source, flags, pass.architecture, pass.ir, ptx, scratch);
            if (!made) {
                failed = made.error();
                continue;
            }
            entries.push_back({read_file(ptx).value_or(""), pass.architecture, flags.relocatable,
                               ptx::to_string(flags.assembler)});
            if (auto checked = check_ptx(entries.back().text, source); !checked) failed = checked.error();
            result.messages = merge_diagnostics(result.messages, text + *made);
            if (!flags.relocatable && !failed) {
                auto closed = close_ptx(entries.back().text, source);
                if (!closed)
                    failed = closed.error();
                else if (!flags.no_warnings)
                    result.messages = merge_diagnostics(result.messages, *closed);
            }
            collect(pass.dependencies, result);
        }
    }
    if (failed) return *failed;
    return entries;
}

// Device and host code, side by side: the host's object holds what `make_device` has made, a container of
// device code.
template <class MakeDevice>
Result<Compiled> attempt_both(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                              Language language, const fs::path& object, MakeDevice make_device) {
    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    const fs::path here = scratch->path(), fifo = here / "fatbin";
    if (mkfifo(fifo.c_str(), 0600) != 0) return Error{fifo.string() + ": " + strerror(errno), {}};

    Arguments host = host_command(toolchain, source, flags, language, fifo);
    append(host, {"-MD", "-MF", (here / "host.d").string(), "-o", object.string()});
    announce(flags, host);
    auto host_pass = Child::start(host, {{}, here / "host.txt"});
    if (!host_pass) return host_pass.error();

    Compiled result;
    const Result<std::string> device = make_device(here, result);
    Result<void> fed;
    if (device) {
        const IgnoreBrokenPipes ignore;
        fed = feed(fifo, *device, *host_pass);
    }
    if (!device || !fed) {
        // It would wait for code that never comes.
        host_pass->kill();
        host_pass->wait();
        return device ? fed.error() : device.error();
    }
    const ExitStatus host_status = host_pass->wait();
    result.messages = merge_diagnostics(read_file(here / "host.txt").value_or(""), result.messages);
    if (!host_status.ok()) return failure(source, language, result.messages, host_status);
    if (flags.relocatable)
        if (auto linkable = make_linkable(toolchain, object, result.device_code.back().text, source, here);
            !linkable)
            return linkable.error();
    collect(here / "host.d", result);
    return result;
}

Result<Compiled> attempt_cuda(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                              const fs::path& object) {
    return attempt_both(toolchain, source, flags, Language::cuda, object,
                        [&](const fs::path& scratch, Compiled& result) -> Result<std::string> {
                            auto device = compile_device(toolchain, source, flags, scratch, result);
                            if (!device) return device.error();
                            result.device_code = std::move(*device);
                            return write_fatbin(result.device_code);
                        });
}

// What AMD's device library would have had.
Result<void> check_hip(const Toolchain& toolchain, const std::string& text, const fs::path& source) {
    if (!toolchain.rocm_library.empty()) return {};
    for (const std::string_view prefix : {"__ocml_", "__ockl_"}) {
        const std::size_t at = text.find(prefix);
        if (at == std::string::npos) continue;
        const std::size_t end = text.find_first_of("@,(\n\t ", at);
        return Error{fmt::format("{}: its device code calls {}, of AMD's device library, which is not "
                                 "installed; on Debian and "
                                 "Ubuntu: apt-get install rocm-device-libs, or rocm-device-libs-17\n{}",
                                 source.string(), text.substr(at, end - at), does_not_compile(source)),
                     {}};
    }
    return {};
}

bool asks_for_narrowing(const Arguments& options) {
    return std::any_of(options.begin(), options.end(), [](const std::string& option) {
        return option == "-Wshorten-64-to-32" || option == "-Wconversion" || option == "-Weverything";
    });
}

struct HipPass {
    std::string target;
    fs::path code, messages, dependencies;
    Child child;
};

Result<HipPass> start_hip_pass(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                               const std::string& target, const fs::path& scratch) {
    const auto file = [&](const char* extension) {
        return scratch / fmt::format("{}.{}", base_target(target), extension);
    };
    Arguments command = hip_device_command(toolchain, source, flags, target);
    append(command, {"-MD", "-MF", file("d").string(), "-o", file("s").string()});
    announce(flags, command);
    auto child = Child::start(command, {{}, file("txt")});
    if (!child) return child.error();
    return HipPass{target, file("s"), file("txt"), file("d"), std::move(*child)};
}

// The device code of each target.
Result<std::vector<BundleEntry>> compile_hip_device(const Toolchain& toolchain, const fs::path& source,
                                                    const Flags& flags, const fs::path& scratch,
                                                    Compiled& result) {
    std::vector<BundleEntry> entries;
    for (const std::string& target : flags.targets) {
        auto pass = start_hip_pass(toolchain, source, flags, target, scratch);
        if (!pass) return pass.error();
        const ExitStatus status = pass->child.wait();
        result.messages = merge_diagnostics(
            result.messages,
            only_narrow_masks(read_file(pass->messages).value_or(""), asks_for_narrowing(flags.common)));
        if (!status.ok()) return failure(source, Language::hip, result.messages, status);
        std::string code = read_file(pass->code).value_or("");
        if (flags.relocatable) code = with_late_names(std::move(code));
        entries.push_back({target, std::move(code)});
        if (auto checked = check_hip(toolchain, entries.back().code, source); !checked)
            return checked.error();
        if (!flags.relocatable)
            if (const std::string missing = undefined_device_names(entries.back().code, source.string());
                !missing.empty())
                return Error{result.messages + missing + does_not_compile(source), {}};
        collect(pass->dependencies, result);
    }
    return entries;
}

// One clang run with one output.
Result<Compiled> compile_once(Arguments command, const fs::path& source, Language language,
                              const Flags& flags, const fs::path& output) {
    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    const fs::path depfile = scratch->path() / "deps.d";
    append(command, {"-MD", "-MF", depfile.string(), "-o", output.string()});
    announce(flags, command);
    auto finished = run(command, scratch->path());
    if (!finished) return finished.error();
    Compiled result;
    result.messages = merge_diagnostics(finished->errors, "");
    if (!finished->status.ok()) return failure(source, language, result.messages, finished->status);
    collect(depfile, result);
    return result;
}

// A file whose device code refers to other files' (hip-relocatable.h): its host code holds none.
Result<Compiled> attempt_relocatable_hip(const Toolchain& toolchain, const fs::path& source,
                                         const Flags& flags, const fs::path& object) {
    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    Compiled device;
    auto entries = compile_hip_device(toolchain, source, flags, scratch->path(), device);
    if (!entries) return entries.error();
    auto compiled = compile_once(host_command(toolchain, source, flags, Language::hip, {}), source,
                                 Language::hip, flags, object);
    if (!compiled) return compiled;
    compiled->messages =
        merge_diagnostics(compiled->messages, device.messages) + lanes_warnings(source, flags);
    for (fs::path& file : device.dependencies)
        if (std::ranges::find(compiled->dependencies, file) == compiled->dependencies.end())
            compiled->dependencies.push_back(std::move(file));
    auto added = add_relocatable_code(toolchain, object, *entries, scratch->path());
    if (!added) return added.error();
    return compiled;
}

Result<Compiled> attempt_hip(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                             const fs::path& object) {
    if (flags.relocatable) return attempt_relocatable_hip(toolchain, source, flags, object);
    return attempt_both(toolchain, source, flags, Language::hip, object,
                        [&](const fs::path& scratch, Compiled& result) -> Result<std::string> {
                            auto device = compile_hip_device(toolchain, source, flags, scratch, result);
                            if (!device) return device.error();
                            result.messages += lanes_warnings(source, flags);
                            return write_offload_bundle(*device);
                        });
}

bool names(const Error& error, const fs::path& file) {
    return !file.empty() && error.message.find(file.filename().string()) != std::string::npos;
}

// With the precompiled headers that the flags name, or read where these turn out to be of no use: the cache
// was emptied, a header changed meanwhile.
template <class Attempt>
Result<Compiled> with_headers(const Flags& flags, Attempt attempt) {
    Result<Compiled> compiled = attempt(flags);
    const Precompiled& named = flags.precompiled;
    if (compiled || !(names(compiled.error(), named.device) || names(compiled.error(), named.host)))
        return compiled;
    Flags with = flags;
    with.precompiled = {};
    return attempt(with);
}

// CUDA as nvcc takes it: what clang refuses for its spelling alone is spelled anew. Launches in the source
// itself are looked at before, everything else when clang has complained of it.
template <class Attempt>
Result<Compiled> respelled(const fs::path& source, const Flags& flags, Attempt attempt) {
    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    Respelling respelling(scratch->path());
    respelling.add(source);
    for (;;) {
        Flags with = flags;
        with.respelled = respelling.arguments();
        Result<Compiled> compiled = attempt(with);
        if (compiled)
            compiled->messages = respelling.warnings() + compiled->messages;
        else if (respelling.learn(compiled.error().message))
            continue;
        return compiled;
    }
}

}  // namespace

Result<Compiled> compile_to_ptx(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                                const fs::path& ptx) {
    if (auto checked = check_input(source); !checked) return checked.error();
    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    const fs::path ir = scratch->path() / "device.bc";
    const int architecture = flags.architectures.back();
    auto compiled = with_headers(flags, [&](const Flags& prepared) {
        return respelled(source, prepared, [&](const Flags& with) {
            return compile_once(device_command(toolchain, source, with, architecture), source, Language::cuda,
                                with, ir);
        });
    });
    if (!compiled) return compiled;
    auto made = make_ptx(toolchain, source, flags, architecture, ir, ptx, scratch->path());
    if (!made) return made.error();
    compiled->messages += *made;
    if (auto checked = check_ptx(read_file(ptx).value_or(""), source); !checked) return checked.error();
    return compiled;
}

Result<std::string> compile_hip_code(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                                     std::string& messages) {
    if (auto checked = check_input(source); !checked) return checked.error();
    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    Compiled result;
    auto device = compile_hip_device(toolchain, source, flags, scratch->path(), result);
    messages = std::move(result.messages);
    if (!device) return device.error();
    return write_offload_bundle(*device);
}

Result<Compiled> compile_to_object(const Toolchain& toolchain, const fs::path& source, Language language,
                                   const Flags& flags, const fs::path& object) {
    if (auto checked = check_input(source); !checked) return checked.error();
    if (language == Language::cuda)
        return with_headers(flags, [&](const Flags& prepared) {
            return respelled(source, prepared, [&](const Flags& with) {
                return attempt_cuda(toolchain, source, with, object);
            });
        });
    if (language == Language::hip)
        return with_headers(flags, [&](const Flags& prepared) {
            return respelled(source, prepared,
                             [&](const Flags& with) { return attempt_hip(toolchain, source, with, object); });
        });
    auto compiled =
        compile_once(host_command(toolchain, source, flags, language, {}), source, language, flags, object);
    if (compiled) compiled->messages = warnings_about(source, flags, language) + compiled->messages;
    return compiled;
}

}  // namespace lockstep::compile
