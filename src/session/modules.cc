#include "session/modules.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/paths.h"
#include "compile/architectures.h"
#include "compile/fatbin.h"
#include "compile/offload-bundle.h"
#include "ptx/assembler-options.h"

namespace lockstep::session {
namespace {

// CUDA's libraries lie beside the runtime library. PTX that stands in for a program's kernels is not for
// theirs.
bool of_own_library(const Image& image) {
    const std::filesystem::path file = base::module_file(image.fatbin);
    const std::filesystem::path runtime = base::module_file(reinterpret_cast<const void*>(&of_own_library));
    return file != runtime && file.parent_path() == runtime.parent_path();
}

// 90 for ".target sm_90"; 0: it has none, which its parser will tell.
int target_of(const std::string& ptx) {
    const std::size_t at = ptx.find(".target");
    const std::size_t name = at == std::string::npos ? at : ptx.find_first_not_of(" \t", at + 7);
    return name == std::string::npos ? 0 : compile::sm_number(ptx.substr(name, 16));
}

}  // namespace

Found<Function*> Modules::function(const void* host) {
    const std::lock_guard lock(mutex_);
    if (const auto known = functions_.find(host); known != functions_.end()) return known->second.get();
    Image* image = registry_.image_of_function(host);
    if (!image && as_function(host)) return as_function(host);
    if (!image)
        return Outcome(Status::invalid_device_function,
                       fmt::format("{} is not the address of a kernel", host), true);
    const Loaded& loaded_image = loaded(*image);
    if (!loaded_image.outcome) return loaded_image.outcome;
    const std::string& name = image->functions.at(host);
    if (!loaded_image.module)
        return Outcome::lacking(
            Status::no_kernel_image,
            fmt::format("no device code for kernel '{}' in the program: its fat binary is empty", name));
    const auto kernel = find_kernel(*loaded_image.module, name, loaded_image.text, loaded_image.texts);
    if (!kernel && !ptx_.empty())
        return Outcome::lacking(Status::invalid_device_function,
                                fmt::format("{} has no kernel '{}'", ptx_.string(), name));
    if (!kernel) return kernel.outcome;
    return functions_
        .emplace(host, std::unique_ptr<Function>(new Function{name, host, *kernel, {}, loaded_image.ptx}))
        .first->second.get();
}

Found<Function*> Modules::function(const exec::Kernel& kernel) {
    const std::lock_guard lock(mutex_);
    for (const auto& [host, known] : functions_)
        if (known->kernel == &kernel) return known.get();
    for (const auto& [key, known] : own_functions_)
        if (known->kernel == &kernel) return known.get();
    if (const auto known = nested_functions_.find(&kernel); known != nested_functions_.end())
        return known->second.get();
    const std::string& name = exec::kernel_info(kernel).name;
    std::shared_ptr<const std::string> ptx;
    for (const auto& [image, loaded_image] : images_) {
        if (!loaded_image.module) continue;
        const auto found = find_kernel(*loaded_image.module, name, loaded_image.text, loaded_image.texts);
        if (!found || *found != &kernel) continue;
        for (const auto& [host, registered] : image->functions)
            if (registered == name) return function(host);
        ptx = loaded_image.ptx;
    }
    for (const auto& [module, own] : own_)
        if (module->find_kernel(name) == &kernel) return function(module, name);
    return nested_functions_
        .emplace(&kernel, std::unique_ptr<Function>(new Function{name, nullptr, &kernel, {}, std::move(ptx)}))
        .first->second.get();
}

Found<exec::VariableInfo> Modules::variable(const void* host) {
    const std::lock_guard lock(mutex_);
    Image* image = registry_.image_of_variable(host);
    if (!image)
        return Outcome(Status::invalid_symbol,
                       fmt::format("{} is not the address of a device variable", host));
    const Loaded& loaded_image = loaded(*image);
    if (!loaded_image.outcome) return loaded_image.outcome;
    for (const auto& variable : image->variables) {
        if (variable.host != host || !loaded_image.module) continue;
        if (auto info =
                find_variable(*loaded_image.module, variable.name, loaded_image.text, loaded_image.texts))
            return *info;
        return Outcome(Status::invalid_symbol,
                       fmt::format("the program's PTX has no variable '{}'", variable.name), true);
    }
    return Outcome(Status::invalid_symbol, "no PTX for this variable in the program");
}

Function* Modules::as_function(const void* handle) {
    const std::lock_guard lock(mutex_);
    for (const auto& [host, function] : functions_)
        if (function.get() == handle) return function.get();
    for (const auto& [key, function] : own_functions_)
        if (function.get() == handle) return function.get();
    for (const auto& [kernel, function] : nested_functions_)
        if (function.get() == handle) return function.get();
    return nullptr;
}

Outcome Modules::load_image(Image& image) {
    const std::lock_guard lock(mutex_);
    return loaded(image).outcome;
}

void Modules::forget_image(Image& image) {
    const std::lock_guard lock(mutex_);
    for (const auto& [host, name] : image.functions) functions_.erase(host);
    const auto it = images_.find(&image);
    if (it == images_.end()) return;
    retired_.push_back(std::move(it->second.module));
    images_.erase(it);
}

void Modules::unload_all() {
    const std::lock_guard lock(mutex_);
    for (Image& image : registry_.images())
        for (RegisteredVariable& variable : image.variables) variable.initialised = false;
    functions_.clear();
    own_functions_.clear();
    nested_functions_.clear();
    images_.clear();
    own_.clear();
}

const Modules::Loaded& Modules::loaded(Image& image) {
    if (const auto known = images_.find(&image);
        known != images_.end() &&
        (known->second.of_images == 0 || registry_.images_of(image.object) <= known->second.of_images))
        return known->second;

    const auto fail = [&](const Error& error) -> const Loaded& {
        Loaded failed;
        failed.outcome = Outcome::lacking(Status::no_kernel_image, error.to_string());
        return images_[&image] = failed;
    };
    if (!ptx_.empty() && !of_own_library(image)) return replaced(image);
    if (!image.parts.empty()) return images_[&image] = load_parts(image);
    auto selected = select_ptx(image.fatbin, machine_.gpu);
    if (!selected) return fail(selected.error());
    if (!*selected) return images_[&image] = Loaded{};

    Loaded result;
    if (!(*selected)->relocatable) {
        result.outcome = link({&image}, {(*selected)->text}, "program", result);
        return images_[&image] = result;
    }
    // Separately compiled: all such images of the executable make one module, and those of each shared
    // library one of its own.
    std::vector<Image*> group;
    std::vector<std::string> texts;
    for (Image& other : registry_.images()) {
        if (other.object != image.object) continue;
        auto text = select_ptx(other.fatbin, machine_.gpu);
        if (!text || !*text || !(*text)->relocatable) continue;
        group.push_back(&other);
        texts.push_back(std::move((*text)->text));
    }
    result.of_images = registry_.images_of(image.object);
    result.outcome = link(group, {texts.begin(), texts.end()}, "program", result);
    for (Image* member : group) {
        replace(*member, result);
        ++result.text;
    }
    return images_[&image];
}

Modules::Loaded Modules::load_parts(Image& image) {
    Loaded result;
    std::vector<std::string> texts;
    for (const void* part : image.parts) {
        auto selected = select_ptx(part, machine_.gpu);
        if (selected && *selected) texts.push_back(std::move((*selected)->text));
        // NVIDIA's own libraries may be among them, which hold machine code for these GPUs: a kernel that
        // calls them tells so.
        if (!selected && result.outcome)
            result.outcome = Outcome::lacking(Status::no_kernel_image, selected.error().to_string());
    }
    if (texts.empty()) return result;
    result.texts = texts.size();
    result.outcome = link({&image}, {texts.begin(), texts.end()}, "program", result);
    return result;
}

// Files register one after the other, and some of their code may have been needed before all had: then it is
// linked again. What the program holds of it stays valid.
void Modules::replace(Image& image, const Loaded& with) {
    Loaded& loaded_image = images_[&image];
    if (loaded_image.module) retired_.push_back(std::move(loaded_image.module));
    loaded_image = with;
    if (!with.module) return;
    for (const auto& [host, name] : image.functions)
        if (const auto known = functions_.find(host); known != functions_.end())
            if (const auto kernel = find_kernel(*with.module, name, with.text, with.texts))
                known->second->kernel = *kernel;
}

const Modules::Loaded& Modules::replaced(Image& image) {
    Loaded result;
    std::ifstream in(ptx_, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    // It is to be assembled as what it stands for.
    if (const auto entries = compile::ptx_entries(image.fatbin); entries && !entries->empty())
        text = ptx::assembled(std::move(text), entries->front().options);
    std::vector<Image*> group;
    for (Image& other : registry_.images())
        if (!of_own_library(other)) group.push_back(&other);
    if (in)
        result.outcome = link(group, {text}, ptx_.string(), result);
    else
        result.outcome =
            Outcome::lacking(Status::no_kernel_image, fmt::format("{}: cannot be read", ptx_.string()));
    for (Image* member : group) images_[member] = result;
    return images_[&image];
}

Outcome Modules::link(std::vector<Image*> images, const std::vector<std::string_view>& texts,
                      std::string name, Loaded& result) {
    const auto text_of = [&](std::size_t image) { return texts.size() == 1 ? 0 : image; };
    std::vector<exec::Placement> placements;
    for (std::size_t i = 0; i < images.size(); ++i)
        for (const auto& variable : images[i]->variables) {
            if (!variable.managed_shadow) continue;
            const auto address = reinterpret_cast<std::uint64_t>(variable.host);
            // They are the process's: another device may have made them accessible.
            exec::AddressMap& addresses = machine_.memory.map();
            const auto known = addresses.find(address, variable.size);
            if (!known || known->owner != exec::no_device)
                if (auto made = addresses.register_host(address, variable.size); !made)
                    return Outcome(
                        Status::initialization_error,
                        fmt::format("managed variable '{}': {}", variable.name, made.error().message), true);
            placements.push_back({variable.name, address, text_of(i), variable.initialised});
        }
    auto module = load_module(texts, std::move(name), placements, machine_);
    if (!module) return module.outcome;
    result.module = *module;
    result.ptx = kept(texts);
    for (std::size_t i = 0; i < images.size(); ++i) {
        for (RegisteredVariable& variable : images[i]->variables)
            variable.initialised |= variable.managed_shadow;
        connect_managed(*images[i], *result.module, text_of(i), result.texts);
    }
    return {};
}

std::shared_ptr<const std::string> Modules::kept(const std::vector<std::string_view>& texts) const {
    if (!machine_.keep_ptx) return {};
    std::string all;
    for (const std::string_view text : texts) all += text;
    return std::make_shared<const std::string>(std::move(all));
}

void Modules::connect_managed(Image& image, const exec::Module& module, std::size_t text, std::size_t texts) {
    for (const auto& variable : image.variables)
        if (variable.managed_pointer)
            if (const auto info = find_variable(module, variable.name, text, texts)) {
                if (variable.device_pointer)
                    *reinterpret_cast<void**>(info->address) = *variable.managed_pointer;
                else
                    *variable.managed_pointer = reinterpret_cast<void*>(info->address);
            }
}

Found<exec::Module*> Modules::load(const void* image) {
    const std::lock_guard lock(mutex_);
    std::uint32_t magic = 0;
    std::memcpy(&magic, image, 1);
    std::string text;
    const bool amd = !machine_.gpu.target.empty();
    constexpr std::uint32_t fatbin_magic = 0xBA55ED50, wrapper_magic = 0x466243B1;
    // PTX is text: its first byte is neither magic number's, and reading four bytes of a shorter text is
    // avoided.
    if (magic == (fatbin_magic & 0xFF) || magic == (wrapper_magic & 0xFF) ||
        compile::is_offload_bundle(image)) {
        std::memcpy(&magic, image, sizeof magic);
        if (magic == wrapper_magic) std::memcpy(&image, static_cast<const char*>(image) + 8, sizeof image);
        auto selected = select_ptx(image, machine_.gpu);
        if (!selected) return Outcome(Status::no_kernel_image, selected.error().to_string(), true);
        if (!*selected) return Outcome(Status::no_kernel_image, "this fat binary is empty", true);
        text = std::move((*selected)->text);
    } else if (std::memcmp(image,
                           "\x7f"
                           "ELF",
                           std::min<std::size_t>(4, strnlen(static_cast<const char*>(image), 4))) == 0) {
        return Outcome(Status::no_kernel_image,
                       amd ? "this module is machine code, and lockstep runs what it compiles itself: make "
                             "it with lockstep hipcc "
                             "--genco"
                           : "this module is machine code (a cubin); lockstep runs PTX: compile with -ptx "
                             "instead of -cubin",
                       true);
    } else {
        text = static_cast<const char*>(image);
        const int made_for = target_of(text);
        if (made_for > machine_.gpu.compute_capability())
            return Outcome(
                Status::invalid_ptx,
                fmt::format("this PTX is for sm_{}, a newer GPU than {} ({}), whose compute capability "
                            "is {}.{}",
                            made_for, machine_.gpu.name, machine_.gpu.id, machine_.gpu.compute_major,
                            machine_.gpu.compute_minor),
                true);
    }
    const std::string_view view = text;
    auto module = load_module(std::span(&view, 1), "module", {}, machine_);
    if (!module) return module.outcome;
    exec::Module* handle = module.value.get();
    own_[handle] = {*module, kept({view})};
    return handle;
}

bool Modules::unload(exec::Module* module) {
    const std::lock_guard lock(mutex_);
    std::erase_if(own_functions_, [&](const auto& entry) { return entry.first.first == module; });
    return own_.erase(module) != 0;
}

Found<Function*> Modules::function(exec::Module* module, const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (!own_.count(module)) return Outcome(Status::invalid_handle, "no such module");
    auto& slot = own_functions_[{module, name}];
    if (!slot) {
        const exec::Kernel* kernel = module->find_kernel(name);
        if (!kernel) {
            own_functions_.erase({module, name});
            return Outcome(Status::symbol_not_found, fmt::format("the module has no kernel '{}'", name));
        }
        slot = std::unique_ptr<Function>(new Function{name, nullptr, kernel, {}, own_.at(module).ptx});
    }
    return slot.get();
}

Found<std::vector<const exec::Kernel*>> Modules::kernels(exec::Module* module) {
    const std::lock_guard lock(mutex_);
    if (!own_.count(module)) return Outcome(Status::invalid_handle, "no such module");
    return module->kernels();
}

exec::Module* Modules::module_of(const Function& function) {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, one] : own_functions_)
        if (one.get() == &function) return key.first;
    return nullptr;
}

Found<exec::VariableInfo> Modules::variable(exec::Module* module, const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (!own_.count(module)) return Outcome(Status::invalid_handle, "no such module");
    if (auto info = module->find_variable(name)) return *info;
    return Outcome(Status::symbol_not_found, fmt::format("the module has no variable '{}'", name));
}

}  // namespace lockstep::session
