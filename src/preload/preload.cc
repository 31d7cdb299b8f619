// A library that `lockstep run` has loaded into programs with NVIDIA's runtime linked into them. Before
// anything of the program runs, it makes all functions of that runtime lead to lockstep's. A program without
// one it leaves alone, so that it does no harm in what the program starts.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/elf-symbols.h"
#include "redirect/patch.h"
#include "redirect/static-runtime.h"

namespace {

using namespace lockstep;

constexpr int exit_status_lacking = 125;  // as in runtime/state.cc

[[noreturn]] void fail(const std::string& file, const std::string& why) {
    std::fprintf(stderr,
                 "lockstep: %s: %s\nlockstep: build it with the shared runtime, which needs none of this: "
                 "nvcc -cudart shared …\n",
                 file.c_str(), why.c_str());
    _exit(exit_status_lacking);
}

struct Object {
    std::string file;
    std::uint64_t base = 0;
};

// What is loaded: the program and its libraries.
std::vector<Object> objects() {
    std::vector<Object> all;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            auto& list = *static_cast<std::vector<Object>*>(to);
            // The program itself is first, and has no name.
            list.push_back({list.empty() ? "/proc/self/exe" : info->dlpi_name, info->dlpi_addr});
            return 0;
        },
        &all);
    return all;
}

// A file's bytes, as long as it lives.
class Mapped {
  public:
    explicit Mapped(const std::string& file) {
        const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat info{};
        if (descriptor >= 0 && fstat(descriptor, &info) == 0 && info.st_size > 0) {
            size_ = static_cast<std::size_t>(info.st_size);
            void* const at = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
            if (at != MAP_FAILED) bytes_ = static_cast<const char*>(at);
        }
        if (descriptor >= 0) close(descriptor);
    }
    ~Mapped() {
        if (bytes_) munmap(const_cast<char*>(bytes_), size_);
    }
    Mapped(const Mapped&) = delete;
    Mapped& operator=(const Mapped&) = delete;
    std::string_view bytes() const { return bytes_ ? std::string_view(bytes_, size_) : std::string_view(); }

  private:
    const char* bytes_ = nullptr;
    std::size_t size_ = 0;
};

// The library of ours that has this version's binary interface; it lies beside this one.
std::string runtime_library(int version, const std::string& file) {
    Dl_info self{};
    if (!dladdr(reinterpret_cast<const void*>(&runtime_library), &self) || !self.dli_fname)
        fail(file, "lockstep does not find its own files");
    std::string library = self.dli_fname;
    library.resize(library.rfind('/') + 1);
    return library + "libcudart.so." + std::to_string(version);
}

// Ours, or a shared one of NVIDIA's: programs call that by name, and get ours where lockstep says so.
bool is_runtime_library(const std::string& file) {
    return file.compare(file.rfind('/') + 1, 12, "libcudart.so") == 0;
}

// LD_PRELOAD in an environment; null: it is not there.
char* preloaded(char** environment) {
    for (char** at = environment; *at; ++at)
        if (std::strncmp(*at, "LD_PRELOAD=", 11) == 0) return *at + 11;
    return nullptr;
}

// The program anew, with that library loaded as well, right behind this one. To load it here, before the C
// library has seen its environment, would leave the program without one.
[[noreturn]] void start_again(const std::string& library, const std::string& file, char** arguments,
                              char** environment) {
    const char* const before = preloaded(environment);
    if (!before || std::strstr(before, library.c_str())) fail(file, "cannot load " + library);
    std::string preload = before;
    preload.insert(std::min(preload.find(':'), preload.size()), ":" + library);
    preload.insert(0, "LD_PRELOAD=");
    std::vector<char*> changed;
    for (char** at = environment; *at; ++at)
        changed.push_back(std::strncmp(*at, "LD_PRELOAD=", 11) == 0 ? preload.data() : *at);
    changed.push_back(nullptr);
    // By its name, which others see; where the file has got another one, as it is.
    char name[PATH_MAX] = {};
    if (readlink("/proc/self/exe", name, sizeof name - 1) > 0) execve(name, arguments, changed.data());
    execve("/proc/self/exe", arguments, changed.data());
    fail(file, std::string("cannot be started again: ") + std::strerror(errno));
}

// What the program starts need not load it: it asks for it itself.
void forget(const std::string& library, char** environment) {
    char* const list = preloaded(environment);
    char* const at = list ? std::strstr(list, (":" + library).c_str()) : nullptr;
    if (!at) return;
    const char* const rest = at + 1 + library.size();
    std::memmove(at, rest, std::strlen(rest) + 1);
}

void serve(const Object& object, const std::vector<Object>& loaded, char** arguments, char** environment) {
    const Mapped mapped(object.file);
    const std::vector<base::ElfSymbol> symbols = base::elf_symbols(mapped.bytes());
    const auto version = redirect::static_runtime_version(symbols);
    if (!version) return;
    char real[PATH_MAX] = {};
    const std::string file = realpath(object.file.c_str(), real) ? real : object.file;
    if (*version < 12)
        fail(file, "the runtime linked into it is older than CUDA 12, which lockstep does not stand in for");
    const std::string library = runtime_library(*version, file);
    if (std::none_of(loaded.begin(), loaded.end(),
                     [&](const Object& other) { return other.file == library; }))
        start_again(library, file, arguments, environment);
    // The next library behind this one: the program's own functions come before, and are not what is wanted.
    const auto ours = [](const std::string& name) {
        return reinterpret_cast<std::uint64_t>(dlsym(RTLD_NEXT, name.c_str()));
    };
    const std::uint64_t missing = ours("__lockstepMissing");
    if (!missing) fail(file, "lockstep's runtime library is of another version");
    std::vector<redirect::Redirection> redirections;
    for (const redirect::Entry& entry :
         redirect::entries_of(symbols, [&](std::string_view name) { return ours(std::string(name)); })) {
        redirect::Redirection wanted{std::string(entry.name), object.base + entry.address, entry.room,
                                     entry.target, 0};
        if (!entry.target) {
            wanted.target = missing;
            wanted.argument = reinterpret_cast<std::uint64_t>(strdup(wanted.name.c_str()));
        }
        redirections.push_back(std::move(wanted));
    }
    if (auto done = redirect::redirect(redirections); !done) fail(file, done.error().to_string());
    forget(library, environment);
}

// The C library hands these to constructors.
__attribute__((constructor)) void redirect_static_runtimes(int, char** arguments, char** environment) {
    const std::vector<Object> loaded = objects();
    for (const Object& object : loaded)
        if (!object.file.empty() && !is_runtime_library(object.file))
            serve(object, loaded, arguments, environment);
}

}  // namespace
