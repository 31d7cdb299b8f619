// Texture and surface objects.
#include "runtime/textures.h"

#include <fmt/format.h>

#include <algorithm>

using namespace lockstep::runtime;
using lockstep::exec::ChannelKind;
using lockstep::session::ArrayShape;
namespace exec_ns = lockstep::exec;

namespace {

constexpr std::uint64_t pitch_alignment = 32;
constexpr std::uint64_t most_linear_texels = std::uint64_t{1} << 28;

// A picture of plain memory.
Found<std::shared_ptr<const exec_ns::Image>> image_of(Device& current, const void* pointer,
                                                      const cudaChannelFormatDesc& desc, std::uint64_t width,
                                                      std::uint64_t height, std::uint64_t pitch) {
    const auto format = format_of(desc);
    if (!format) return format.outcome;
    const std::uint64_t address = address_of(pointer);
    const std::uint64_t bytes = (height - 1) * pitch + width * format->bytes();
    if (address % texture_alignment != 0)
        return Outcome(Status::invalid_value,
                       fmt::format("a texture's memory begins at a multiple of {} bytes, not at {}",
                                   texture_alignment, pointer));
    if (!current.process().addresses().find(address, bytes))
        return Outcome(Status::invalid_value,
                       fmt::format("a texture of {} bytes at {}, which is {}", bytes, pointer,
                                   current.process().addresses().describe(address)));
    exec_ns::Image image{
        .format = *format, .dimensions = height > 1 ? 2u : 1u, .address = address, .bytes = bytes};
    image.levels.push_back(
        {address, {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1}, pitch, bytes});
    return std::make_shared<const exec_ns::Image>(std::move(image));
}

Found<exec_ns::Texture> with_picture(Device& current, const cudaResourceDesc& resource) {
    exec_ns::Texture texture;
    switch (resource.resType) {
        case cudaResourceTypeArray: {
            const auto array = array_of(current, resource.res.array.array);
            if (!array) return array.outcome;
            texture.image = (*array)->image;
            texture.first_level = texture.last_level = (*array)->level;
            return texture;
        }
        case cudaResourceTypeMipmappedArray: {
            const auto array = mipmapped_of(current, resource.res.mipmap.mipmap);
            if (!array) return array.outcome;
            texture.image = (*array)->image;
            texture.last_level = static_cast<std::uint32_t>((*array)->levels.size()) - 1;
            return texture;
        }
        case cudaResourceTypeLinear: {
            const auto& linear = resource.res.linear;
            const auto format = format_of(linear.desc);
            if (!format) return format.outcome;
            // One texel is there even where the size says that there is none.
            const std::uint64_t texels = std::max<std::uint64_t>(linear.sizeInBytes / format->bytes(), 1);
            if (texels > most_linear_texels)
                return Outcome(Status::invalid_value,
                               fmt::format("a texture of {} texels of linear memory; there can be {}", texels,
                                           most_linear_texels));
            const auto image =
                image_of(current, linear.devPtr, linear.desc, texels, 1, texels * format->bytes());
            if (!image) return image.outcome;
            texture.image = *image;
            texture.memory = true;
            return texture;
        }
        case cudaResourceTypePitch2D: {
            const auto& rows = resource.res.pitch2D;
            const auto format = format_of(rows.desc);
            if (!format) return format.outcome;
            constexpr std::uint64_t most_width = 131072, most_height = 65000, most_pitch = 2097120;
            if (rows.width == 0 || rows.height == 0 || rows.width > most_width || rows.height > most_height)
                return Outcome(Status::invalid_value,
                               fmt::format("a texture of {} x {} texels of memory; there can be {} x {}",
                                           rows.width, rows.height, most_width, most_height));
            // They may overlap.
            if (rows.pitchInBytes == 0 || rows.pitchInBytes % pitch_alignment != 0 ||
                rows.pitchInBytes > most_pitch)
                return Outcome(
                    Status::invalid_value,
                    fmt::format("rows of {} texels of {} bytes are {} bytes apart; it must be a "
                                "multiple of {}, and at most {}",
                                rows.width, format->bytes(), rows.pitchInBytes, pitch_alignment, most_pitch));
            const auto image =
                image_of(current, rows.devPtr, rows.desc, rows.width, rows.height, rows.pitchInBytes);
            if (!image) return image.outcome;
            auto flat = std::make_shared<exec_ns::Image>(**image);
            flat->dimensions = 2;
            texture.image = flat;
            return texture;
        }
    }
    return Outcome(Status::invalid_value,
                   fmt::format("there is no resource of type {}", static_cast<int>(resource.resType)));
}

// The layers from `first` on, as a picture of their own.
std::shared_ptr<exec_ns::Image> layers_of(const exec_ns::Image& image, std::uint32_t first,
                                          std::uint32_t count) {
    auto part = std::make_shared<exec_ns::Image>(image);
    for (exec_ns::ImageLevel& level : part->levels) {
        level.address += first * level.slice_bytes;
        level.extent.depth = count;
    }
    return part;
}

// Blocks of texels in one of an array's: 8 bytes of BC1 and BC4, 16 of the others.
Outcome refuse_compressed(const cudaResourceViewDesc& view, const exec_ns::Image& image) {
    const bool small = view.format <= cudaResViewFormatUnsignedBlockCompressed1 ||
                       view.format == cudaResViewFormatUnsignedBlockCompressed4 ||
                       view.format == cudaResViewFormatSignedBlockCompressed4;
    const exec_ns::TexelFormat blocks{ChannelKind::unsigned_int, 32,
                                      static_cast<std::uint8_t>(small ? 2 : 4)};
    const exec_ns::ImageExtent& extent = image.levels.front().extent;
    if (view.format > cudaResViewFormatUnsignedBlockCompressed7 || image.format != blocks ||
        view.width != 4 * std::size_t{extent.width} || view.height != 4 * std::size_t{extent.height})
        return Outcome(Status::invalid_value,
                       fmt::format("a view of the format {}, {} by {}, on texels of {} bytes, {} by {}",
                                   static_cast<int>(view.format), view.width, view.height,
                                   image.format.bytes(), extent.width, extent.height));
    return Outcome::lacking(Status::not_supported, "views of block-compressed textures are not implemented");
}

// A view changes the format to one of the same size, and chooses levels and layers. What an H200 takes, and
// what it does with numbers beyond the last, was recorded.
Outcome look_through(const cudaResourceViewDesc& view, exec_ns::Texture& texture) {
    const std::shared_ptr<const exec_ns::Image> whole = texture.image;
    const exec_ns::Image& image = *whole;
    if (texture.memory) return {};  // which has no view: none is looked at
    if (view.format >= cudaResViewFormatUnsignedBlockCompressed1) return refuse_compressed(view, image);
    if (view.format <= cudaResViewFormatNone)
        return Outcome(Status::invalid_value, "a view has a format of its own");
    // As the array was asked for: of all levels, with 0 where it has no such direction.
    const exec_ns::ImageExtent& extent = image.levels.front().extent;
    const bool has_depth = image.layered || image.cube || image.dimensions == 3;
    const std::size_t height = image.dimensions > 1 ? extent.height : 0, depth = has_depth ? extent.depth : 0;
    if (view.width != extent.width || view.height != height || view.depth != depth)
        return Outcome(Status::invalid_value,
                       fmt::format("a view of {} x {} x {} texels; the array has {} x {} x {}", view.width,
                                   view.height, view.depth, extent.width, height, depth));
    const auto level_count = static_cast<std::uint32_t>(image.levels.size());
    if (view.firstMipmapLevel > view.lastMipmapLevel || view.firstMipmapLevel >= level_count ||
        (level_count == 1 && view.lastMipmapLevel > 0))
        return Outcome(Status::invalid_value, fmt::format("levels {} to {} of {}", view.firstMipmapLevel,
                                                          view.lastMipmapLevel, level_count));
    if (level_count > 1) {
        texture.first_level = view.firstMipmapLevel;
        texture.last_level = std::min(view.lastMipmapLevel, level_count - 1);
    }
    const std::uint32_t layers = image.layered ? extent.depth : 1;
    if (view.firstLayer > view.lastLayer || view.firstLayer >= layers ||
        (!image.layered && view.lastLayer > 0))
        return Outcome(Status::invalid_value,
                       fmt::format("layers {} to {} of {}", view.firstLayer, view.lastLayer, layers));
    const std::uint32_t seen_layers = std::min(view.lastLayer, layers - 1) + 1 - view.firstLayer;
    if (image.layered && seen_layers != layers)
        texture.image = layers_of(image, view.firstLayer, seen_layers);
    // In the order of the enumeration: 8, 16 and 32 bits unsigned and signed, halves, floats; 1, 2 and 4
    // channels.
    const int which = (view.format - 1) / 3;
    constexpr int bits[] = {8, 8, 16, 16, 32, 32, 16, 32};
    constexpr ChannelKind kinds[] = {ChannelKind::unsigned_int, ChannelKind::signed_int,
                                     ChannelKind::unsigned_int, ChannelKind::signed_int,
                                     ChannelKind::unsigned_int, ChannelKind::signed_int,
                                     ChannelKind::floating,     ChannelKind::floating};
    const exec_ns::TexelFormat format{kinds[which], static_cast<std::uint8_t>(bits[which]),
                                      static_cast<std::uint8_t>(1 << (view.format - 1) % 3)};
    if (format.bytes() != image.format.bytes())
        return Outcome(Status::invalid_value, fmt::format("a view of texels of {} bytes on texels of {}",
                                                          format.bytes(), image.format.bytes()));
    auto seen = std::make_shared<exec_ns::Image>(*texture.image);
    seen->format = format;
    texture.image = seen;
    return {};
}

std::optional<DescribedTexture> description_of(Device& current, std::uint64_t object, bool texture) {
    TextureState& known = state().textures;
    const std::lock_guard lock(known.mutex);
    const auto found = known.objects.find({&current, object});
    const bool lives =
        texture ? current.objects().texture(object) != nullptr : current.objects().surface(object) != nullptr;
    if (found == known.objects.end() || !lives) return std::nullopt;
    return found->second;
}

void describe(Device& current, std::uint64_t object, DescribedTexture description) {
    TextureState& known = state().textures;
    const std::lock_guard lock(known.mutex);
    known.objects[{&current, object}] = std::move(description);
}

const void* handle_of(unsigned long long object) { return reinterpret_cast<const void*>(object); }

Outcome no_object(const char* what, unsigned long long object) {
    note_unknown(handle_of(object));
    return Outcome(Status::invalid_value, fmt::format("{} is no {} object, or was destroyed", object, what));
}

// One that is none is no error, as with CUDA 13.0 on an H200.
Outcome destroyed(const char* what, unsigned long long object, bool was_there) {
    if (was_there)
        note_destroyed(handle_of(object), what);
    else
        note_unknown(handle_of(object));
    return {};
}

}  // namespace

namespace lockstep::runtime {

Found<exec::Texture> texture_of(Device& current, const cudaResourceDesc& resource,
                                const cudaTextureDesc& desc, const cudaResourceViewDesc* view) {
    auto texture = with_picture(current, resource);
    if (!texture) return texture;
    // An array's own format decides what may be filtered, whatever a view makes of it.
    const bool own_integers = texture->image->format.kind != exec::ChannelKind::floating;
    if (view)
        if (Outcome bad = look_through(*view, texture.value); !bad) return bad;
    const exec::TexelFormat format = texture->image->format;
    exec::Sampler& sampler = texture.value.sampler;
    for (std::size_t a = 0; a < 3; ++a) {
        if (desc.addressMode[a] < cudaAddressModeWrap || desc.addressMode[a] > cudaAddressModeBorder)
            return Outcome(Status::invalid_value,
                           fmt::format("there is no address mode {}", static_cast<int>(desc.addressMode[a])));
        sampler.address[a] = static_cast<exec::AddressMode>(desc.addressMode[a]);
    }
    for (const auto mode : {desc.filterMode, desc.mipmapFilterMode})
        if (mode != cudaFilterModePoint && mode != cudaFilterModeLinear)
            return Outcome(Status::invalid_value,
                           fmt::format("there is no filter mode {}", static_cast<int>(mode)));
    const bool integers = format.kind != exec::ChannelKind::floating;
    sampler.reads_floats = desc.readMode == cudaReadModeNormalizedFloat && integers;
    if (desc.readMode == cudaReadModeNormalizedFloat && format.bits == 32)
        return Outcome(static_cast<Status>(cudaErrorInvalidNormSetting),
                       "channels of 32 bits cannot be read as numbers from 0 to 1");
    sampler.linear = desc.filterMode == cudaFilterModeLinear;
    sampler.linear_levels = desc.mipmapFilterMode == cudaFilterModeLinear;
    if (sampler.linear && (integers || own_integers) && !sampler.reads_floats)
        return Outcome(
            static_cast<Status>(cudaErrorInvalidFilterSetting),
            "integers are filtered only where they are read as numbers (cudaReadModeNormalizedFloat)");
    sampler.normalised = desc.normalizedCoords != 0;
    sampler.srgb = desc.sRGB != 0;
    sampler.seamless = desc.seamlessCubemap != 0;
    std::copy_n(desc.borderColor, 4, sampler.border.begin());
    sampler.bias = desc.mipmapLevelBias;
    sampler.lowest_level = desc.minMipmapLevelClamp;
    sampler.highest_level = desc.maxMipmapLevelClamp;
    if (desc.maxAnisotropy > 1 && texture->last_level > texture->first_level)
        return Outcome::lacking(
            Status::not_supported,
            fmt::format("anisotropic filtering (maxAnisotropy {}) is not implemented", desc.maxAnisotropy));
    return texture;
}

Found<std::uint64_t> create_texture(Device& current, const cudaResourceDesc& resource,
                                    const cudaTextureDesc& desc, const cudaResourceViewDesc* view,
                                    const CUDA_TEXTURE_DESC* driver) {
    auto texture = texture_of(current, resource, desc, view);
    if (!texture) return texture.outcome;
    const std::uint64_t object = current.objects().add(std::move(texture.value));
    describe(current, object,
             {resource, desc, view ? std::optional(*view) : std::nullopt,
              driver ? std::optional(*driver) : std::nullopt});
    return object;
}

std::uint64_t add_surface(Device& current, const cudaResourceDesc& resource, const session::Array& array) {
    const std::uint64_t object = current.objects().add(exec_ns::Surface{array.image, array.level});
    describe(current, object, {.resource = resource});
    return object;
}

Found<DescribedTexture> described_texture(Device& current, std::uint64_t object) {
    auto known = description_of(current, object, true);
    if (!known) return no_object("texture", object);
    return std::move(*known);
}

}  // namespace lockstep::runtime

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const struct cudaResourceDesc* resource,
                                    const struct cudaTextureDesc* desc,
                                    const struct cudaResourceViewDesc* view) {
    return call("cudaCreateTextureObject", Waits::no, [&](Device& current) -> Outcome {
        if (!texture || !resource) return null_pointer("texture or resource");
        if (!desc) return {Status::invalid_handle, null_pointer("desc").reason};  // as an H200 with CUDA 13.0
        const auto object = create_texture(current, *resource, *desc, view);
        if (!object) return object.outcome;
        *texture = *object;
        return {};
    });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    return call("cudaDestroyTextureObject", Waits::yes, [&](Device& current) -> Outcome {
        if (texture == 0) return {};
        return destroyed("texture object", texture, current.objects().remove_texture(texture));
    });
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc* resource, cudaTextureObject_t texture) {
    return call("cudaGetTextureObjectResourceDesc", Waits::no, [&](Device& current) -> Outcome {
        if (!resource) return null_pointer("resource");
        const auto known = described_texture(current, texture);
        if (!known) return known.outcome;
        *resource = known->resource;
        return {};
    });
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc* desc, cudaTextureObject_t texture) {
    return call("cudaGetTextureObjectTextureDesc", Waits::no, [&](Device& current) -> Outcome {
        if (!desc) return null_pointer("desc");
        const auto known = described_texture(current, texture);
        if (!known) return known.outcome;
        *desc = known->texture;
        return {};
    });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc* view,
                                                 cudaTextureObject_t texture) {
    return call("cudaGetTextureObjectResourceViewDesc", Waits::no, [&](Device& current) -> Outcome {
        if (!view) return null_pointer("view");
        const auto known = described_texture(current, texture);
        if (!known) return known.outcome;
        *view = known->view.value_or(cudaResourceViewDesc{});
        return {};
    });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const struct cudaResourceDesc* resource) {
    return call("cudaCreateSurfaceObject", Waits::no, [&](Device& current) -> Outcome {
        if (!surface || !resource) return null_pointer("surface or resource");
        if (resource->resType != cudaResourceTypeArray)
            return Outcome(static_cast<Status>(cudaErrorInvalidChannelDescriptor),
                           "a surface is made of an array");
        const auto array = array_of(current, resource->res.array.array);
        if (!array) return array.outcome;
        *surface = add_surface(current, *resource, **array);
        return {};
    });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return call("cudaDestroySurfaceObject", Waits::yes, [&](Device& current) -> Outcome {
        if (surface == 0) return {};
        return destroyed("surface object", surface, current.objects().remove_surface(surface));
    });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
    return call("cudaGetSurfaceObjectResourceDesc", Waits::no, [&](Device& current) -> Outcome {
        if (!resource) return null_pointer("resource");
        const auto known = description_of(current, surface, false);
        if (!known) return no_object("surface", surface);
        *resource = known->resource;
        return {};
    });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels, const struct cudaChannelFormatDesc* desc,
                                                 int device) {
    return call("cudaDeviceGetTexture1DLinearMaxWidth", Waits::no, [&](Device& current) -> Outcome {
        if (!texels || !desc) return null_pointer("texels or desc");
        if (const auto found = device_numbered(current.process(), device); !found) return found.outcome;
        const auto format = format_of(*desc);
        if (!format) return format.outcome;
        *texels = most_linear_texels;
        return {};
    });
}
}
