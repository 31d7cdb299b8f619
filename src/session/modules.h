// The modules of a device: loaded from the registry's fat binaries when a kernel or variable of theirs is
// first used, so that what a program never touches can neither fail nor cost anything.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "exec/engine.h"
#include "machine/thread-resources.h"
#include "session/launch-check.h"
#include "session/loading.h"
#include "session/registry.h"
#include "session/status.h"
#include "session/steady-times.h"

namespace lockstep::session {

struct ProfiledKernel;

// A kernel and what the program has set for it. Its address is its handle (cudaKernel_t, CUfunction).
// What a program has set for the next launch of a function, by the calls that came before cuLaunchKernel.
struct NextLaunch {
    std::optional<exec::Dim3> block;
    unsigned dynamic_shared = 0;
    std::vector<std::byte> arguments;
};

struct Function {
    std::string name;
    const void* host = nullptr;  // null: of a module that the program loaded itself
    const exec::Kernel* kernel = nullptr;
    KernelSettings settings;
    std::shared_ptr<const std::string> ptx{};   // its module's text, where that is kept
    std::shared_ptr<ProfiledKernel> profile{};  // what a profile needs to know, once it has been launched
    std::optional<machine::ThreadResources> resources{};  // an estimate, once it was asked for
    SteadyTimes times{};                                  // that its launches took, on the simulated clock
    std::optional<bool> heeds_other_blocks{};             // once it was asked: kernel/waits.h
    NextLaunch next_launch{};
    const exec::KernelInfo& info() const { return exec::kernel_info(*kernel); }
};

// Thread-safe.
class Modules {
  public:
    // `ptx`: a file whose text stands in for the PTX of all the program's fat binaries; empty: none does.
    Modules(Registry& registry, Machine machine, std::filesystem::path ptx)
        : registry_(registry), machine_(machine), mutex_(registry.mutex()), ptx_(std::move(ptx)) {}

    // By the host symbol that a compiler registered for it; loads its module if need be.
    Found<Function*> function(const void* host);
    Found<exec::VariableInfo> variable(const void* host);
    // That device code names.
    Found<Function*> function(const exec::Kernel& kernel);
    // Whether `handle` is a Function of this device.
    Function* as_function(const void* handle);
    // For programs whose host code reads managed variables before anything else happens.
    Outcome load_image(Image& image);
    // The image is going away (at exit, mostly).
    void forget_image(Image& image);
    void unload_all();

    // Modules that a program loads itself (the driver API, cudaLibrary…). `image` is PTX text or a fat
    // binary.
    Found<exec::Module*> load(const void* image);
    bool unload(exec::Module* module);
    Found<Function*> function(exec::Module* module, const std::string& name);
    Found<exec::VariableInfo> variable(exec::Module* module, const std::string& name);
    Found<std::vector<const exec::Kernel*>> kernels(exec::Module* module);
    // That the program loaded itself; null: it did not.
    exec::Module* module_of(const Function& function);

  private:
    struct Loaded {
        std::shared_ptr<exec::Module> module;  // null: an empty image, or one that failed
        std::size_t text = 0;                  // which of the module's texts is this image's
        std::size_t texts = 1;                 // … and how many from there on
        // Linked with others: how many images its object had registered then; 0: it stands alone.
        std::size_t of_images = 0;
        std::shared_ptr<const std::string> ptx;
        Outcome outcome;
    };

    const Loaded& loaded(Image& image);
    const Loaded& replaced(Image& image);
    Loaded load_parts(Image& image);
    void replace(Image& image, const Loaded& with);
    // A text an image, or one text for all of them.
    Outcome link(std::vector<Image*> images, const std::vector<std::string_view>& texts, std::string name,
                 Loaded& result);
    std::shared_ptr<const std::string> kept(const std::vector<std::string_view>& texts) const;
    void connect_managed(Image& image, const exec::Module& module, std::size_t text, std::size_t texts);

    Registry& registry_;
    Machine machine_;
    std::recursive_mutex& mutex_;  // the registry's: what is loaded and what is registered change together
    std::filesystem::path ptx_;
    std::map<const Image*, Loaded> images_;
    std::map<const void*, std::unique_ptr<Function>> functions_;  // by host stub
    // Modules of forgotten images: at exit, what they would need to destroy themselves may be gone already.
    std::vector<std::shared_ptr<exec::Module>> retired_;
    struct Own {
        std::shared_ptr<exec::Module> module;
        std::shared_ptr<const std::string> ptx;
    };
    std::map<exec::Module*, Own> own_;
    std::map<std::pair<exec::Module*, std::string>, std::unique_ptr<Function>> own_functions_;
    std::map<const exec::Kernel*, std::unique_ptr<Function>>
        nested_functions_;  // that the host has no name for
};

}  // namespace lockstep::session
