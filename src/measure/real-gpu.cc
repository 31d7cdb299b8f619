#include "measure/real-gpu.h"

#include <charconv>

#include "base/has-word.h"
#include "gpu/model.h"

namespace lockstep::measure {

namespace fs = std::filesystem;

int RealGpu::capability() const {
    int major = 0, minor = 0;
    const char* const end = compute_capability.data() + compute_capability.size();
    const auto [dot, error] = std::from_chars(compute_capability.data(), end, major);
    if (error == std::errc() && dot != end) std::from_chars(dot + 1, end, minor);
    return major * 10 + minor;
}

Vendor RealGpu::vendor() const { return vendor_of(compute_capability); }

Vendor vendor_of(std::string_view compute_capability) {
    return compute_capability.starts_with("gfx") ? Vendor::amd : Vendor::nvidia;
}

std::string model_of(const RealGpu& gpu, const fs::path& models) {
    std::string similar;
    for (const std::string& id : gpu::list_models(models)) {
        auto model = gpu::find_model(id, models, {});
        if (!model) continue;
        if (model->name == gpu.name) return id;
        // "MI250" of "AMD Instinct MI250", in "AMD Instinct MI250X / MI250".
        const std::string own = model->name.substr(model->name.rfind(' ') + 1);
        if (!model->target.empty() && model->target == gpu.compute_capability &&
            base::has_word(gpu.name, own))
            similar = id;
    }
    return similar;
}

}  // namespace lockstep::measure
