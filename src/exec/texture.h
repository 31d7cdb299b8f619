// Texture and surface objects: a picture and how it is looked at. A kernel knows them by number.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "exec/image.h"

namespace lockstep::exec {

// As cudaTextureAddressMode numbers them.
enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

struct Sampler {
    std::array<AddressMode, 3> address{};
    bool linear = false;         // between texels
    bool linear_levels = false;  // between levels
    bool normalised = false;     // coordinates from 0 to 1
    bool reads_floats = false;   // integers of 8 and 16 bits as numbers up to 1
    bool srgb = false;
    bool seamless = false;  // filters across the edges of a cube
    std::array<float, 4> border{};
    float bias = 0, lowest_level = 0, highest_level = 0;
};

struct Texture {
    std::shared_ptr<const Image> image;
    Sampler sampler;
    bool memory = false;  // plain memory without rows: read by index alone
    std::uint32_t first_level = 0, last_level = 0;
};

struct Surface {
    std::shared_ptr<const Image> image;
    std::uint32_t level = 0;
};

// What a launch sees: nothing in it changes.
struct Objects {
    struct Entry {
        std::shared_ptr<const Texture> texture;
        std::shared_ptr<const Surface> surface;
        bool destroyed = false;
        bool used() const { return texture || surface; }
    };
    std::vector<Entry> entries;  // by handle - 1

    const Entry* find(std::uint64_t handle) const {
        return handle - 1 < entries.size() ? &entries[handle - 1] : nullptr;
    }
};

// Of one device. Thread-safe. A number is used again when all others have been used once, so that an object
// that was destroyed is told from one that lives.
class ObjectTable {
  public:
    std::uint64_t add(Texture texture);
    std::uint64_t add(Surface surface);
    std::shared_ptr<const Texture> texture(std::uint64_t handle) const;
    std::shared_ptr<const Surface> surface(std::uint64_t handle) const;
    // False: there is no such object.
    bool remove_texture(std::uint64_t handle);
    bool remove_surface(std::uint64_t handle);
    void clear();
    // For a launch. Objects that are added later are not in it.
    std::shared_ptr<const Objects> snapshot() const;

  private:
    std::uint64_t place(Objects::Entry entry);
    Objects& writable();  // with the mutex held

    mutable std::mutex mutex_;
    std::shared_ptr<Objects> objects_ = std::make_shared<Objects>();
    std::vector<std::uint64_t> free_;  // oldest first
};

}  // namespace lockstep::exec
