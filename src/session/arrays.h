// CUDA arrays of a device: their shapes, as CUDA allows them, and their memory.
#pragma once
#include <array>
#include <cstdint>
#include <memory>

#include "exec/image.h"
#include "session/status.h"
#include "session/streams.h"

namespace lockstep::session {

class Device;

// What a program asks for. Sizes are texels; 0 where the array has no such direction.
struct ArrayShape {
    static constexpr unsigned layered = 1, surface = 2, cube = 4, gather = 8;  // as cudaArrayLayered …

    exec::TexelFormat format;
    std::array<std::uint64_t, 3> extent{};  // with layers and faces as the third
    unsigned flags = 0;

    std::uint32_t dimensions() const {
        const bool deep = extent[2] != 0 && !(flags & (layered | cube));
        return deep ? 3 : extent[1] != 0 ? 2 : 1;
    }
};

struct Array {
    Device* device = nullptr;
    ArrayShape shape;  // of the level
    std::shared_ptr<const exec::Image> image;
    std::uint32_t level = 0;
    bool part = false;  // of a mipmapped array, with which it ends
};

struct MipmappedArray {
    Device* device = nullptr;
    ArrayShape shape;
    std::shared_ptr<const exec::Image> image;
    std::vector<Array*> levels;
};

class Arrays {
  public:
    explicit Arrays(Device& device) : device_(device) {}

    Found<Array*> create(const ArrayShape& shape);
    // As many levels as asked for, or as the size has.
    Found<MipmappedArray*> create(const ArrayShape& shape, std::uint64_t levels);
    Outcome destroy(const void* array);
    Outcome destroy_mipmapped(const void* array);
    std::shared_ptr<Array> find(const void* handle) { return arrays_.find(handle); }
    std::shared_ptr<Array> find(const exec::Image& image, std::uint32_t level) {
        return arrays_.find_if(
            [&](const Array& array) { return array.image.get() == &image && array.level == level; });
    }
    std::shared_ptr<MipmappedArray> find_mipmapped(const void* handle) { return mipmapped_.find(handle); }
    void forget_all();

  private:
    Found<std::shared_ptr<const exec::Image>> place(const ArrayShape& shape, std::uint32_t levels);

    Device& device_;
    Handles<Array> arrays_;
    Handles<MipmappedArray> mipmapped_;
};

// Formats as CUDA describes them: bits of four channels and a kind. Nothing where there is none like it.
Found<exec::TexelFormat> texel_format(const std::array<int, 4>& bits, int kind);

}  // namespace lockstep::session
