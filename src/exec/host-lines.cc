#include "exec/host-lines.h"

#include <dlfcn.h>
#include <link.h>
#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "base/demangle.h"

namespace lockstep::exec {
namespace {

namespace fs = std::filesystem;

struct Frame {
    HostFrame shown;
    std::string symbol;  // mangled
};

// The file that an address was loaded from, and by how much its addresses were moved.
struct Module {
    std::string path;
    std::uintptr_t moved = 0;
};

Module module_of(std::uintptr_t address) {
    Dl_info info;
    link_map* map = nullptr;
    if (dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) ==
            0 ||
        !map)
        return {};
    // The program itself has no name there.
    std::string path = map->l_name && *map->l_name ? map->l_name : "/proc/self/exe";
    return {std::move(path), map->l_addr};
}

template <std::size_t count>
bool starts_with_any(std::string_view text, const std::array<std::string_view, count>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return text.starts_with(beginning); });
}

constexpr std::array<std::string_view, 5> system_libraries = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/",
                                                              "linux-vdso"};
constexpr std::array<std::string_view, 3> system_headers = {"/usr/include/", "/usr/lib/", "/usr/local/cuda"};

// One thread asks at a time.
class Lines {
  public:
    Lines() {
        llvm::symbolize::LLVMSymbolizer::Options options;
        options.Demangle = false;
        options.UseSymbolTable = true;
        options.PrintFunctions = llvm::DINameKind::LinkageName;
        symbolizer_ = std::make_unique<llvm::symbolize::LLVMSymbolizer>(options);
        own_folder_ = fs::path(module_of(reinterpret_cast<std::uintptr_t>(&host_stack)).path).parent_path();
    }

    // Of the instruction at an address.
    const std::vector<Frame>& of(std::uintptr_t address) {
        const auto [at, fresh] = known_.try_emplace(address);
        if (fresh) at->second = look_up(address);
        return at->second;
    }

    bool is_cuda_header(const std::string& file) {
        const auto [at, fresh] = cuda_headers_.try_emplace(file);
        if (!fresh) return at->second;
        if (starts_with_any(file, system_headers)) return at->second = true;
        // As deep as thrust goes. A folder of the program's own has no such file.
        fs::path folder = fs::path(file).parent_path();
        std::error_code ignored;
        for (int up = 0; up < 6 && folder.has_relative_path(); ++up, folder = folder.parent_path())
            if (fs::exists(folder / "cuda_runtime_api.h", ignored)) return at->second = true;
        return at->second = false;
    }

  private:
    std::vector<Frame> look_up(std::uintptr_t address) {
        const Module module = module_of(address);
        std::vector<Frame> frames;
        if (module.path.empty() || starts_with_any(module.path, system_libraries)) return frames;
        if (module.path != "/proc/self/exe" && fs::path(module.path).parent_path() == own_folder_)
            return frames;
        auto found = symbolizer_->symbolizeInlinedCode(
            module.path, {address - module.moved, llvm::object::SectionedAddress::UndefSection});
        if (!found) {
            llvm::consumeError(found.takeError());
            return {{}};
        }
        for (std::uint32_t i = 0; i < found->getNumberOfFrames(); ++i) {
            const llvm::DILineInfo& line = found->getFrame(i);
            const auto known = [](const std::string& text) {
                return text == llvm::DILineInfo::BadString ? std::string() : text;
            };
            Frame& frame = frames.emplace_back();
            frame.symbol = known(line.FunctionName);
            frame.shown = {known(line.FileName), static_cast<int>(line.Line), base::demangle(frame.symbol)};
        }
        return frames;
    }

    std::unique_ptr<llvm::symbolize::LLVMSymbolizer> symbolizer_;
    fs::path own_folder_;
    std::map<std::uintptr_t, std::vector<Frame>> known_;
    std::map<std::string, bool> cuda_headers_;
};

// clang's stub is the function that <<<…>>> calls; nvcc's is called by a function of the kernel's own name,
// whose mangled name ends the stub's.
bool is_stub(const Frame& frame) { return frame.symbol.find("__device_stub__") != std::string::npos; }
bool is_kernel_of(const Frame& frame, const Frame& stub) {
    return frame.symbol.size() > 1 && stub.symbol.find("__device_stub_" + frame.symbol) != std::string::npos;
}

HostStack stack_of(const std::vector<std::uintptr_t>& addresses, bool first_is_exact) {
    static std::mutex mutex;
    static Lines& lines = *new Lines;  // for as long as the process: it may end in a destructor
    const std::lock_guard lock(mutex);
    std::vector<Frame> all;
    HostStack stack;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        // A call may be a function's last instruction: what it returns to is another line, or function.
        const bool exact = i == 0 && first_is_exact;
        for (const Frame& frame : lines.of(exact ? addresses[i] : addresses[i] - 1)) all.push_back(frame);
        if (!all.empty() && all.back().symbol == "main") break;
    }
    const Frame* stub = nullptr;
    for (const Frame& frame : all) {
        if (stub && is_kernel_of(frame, *stub)) continue;
        if (is_stub(frame)) {
            stub = &frame;
            stack.by_stub = stack.by_stub || stack.frames.empty();
            continue;
        }
        if (!frame.shown.file.empty() && lines.is_cuda_header(frame.shown.file)) continue;
        if (frame.symbol == "_start" || frame.symbol == "__libc_start_main") continue;
        stack.frames.push_back(frame.shown);
    }
    return stack;
}

}  // namespace

HostStack host_stack(const std::vector<std::uintptr_t>& addresses) { return stack_of(addresses, false); }
HostStack host_stack_at(const std::vector<std::uintptr_t>& addresses) { return stack_of(addresses, true); }

}  // namespace lockstep::exec
