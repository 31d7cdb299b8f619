// What a program's constructors tell the runtime before main: its fat binaries, and which host symbols stand
// for which kernels and variables. Nothing is loaded here.
#pragma once
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace lockstep::session {

struct RegisteredVariable {
    const void* host = nullptr;  // the host's shadow; what cudaMemcpyToSymbol is given
    std::string name;
    std::uint64_t size = 0;
    bool constant = false;
    bool texture = false;       // a texture or surface reference: an object's number lies there
    bool reads_floats = false;  // … through which integers are numbers from 0 to 1
    // The host's way to a managed variable: nvcc's programs hold a pointer that the runtime fills, clang's
    // use the shadow itself as the storage.
    void** managed_pointer = nullptr;
    bool device_pointer = false;  // … and so does device code (HIP), which the runtime fills from the host's
    bool managed_shadow = false;
    // The storage has its initial value. It outlives modules: files that are linked together register one
    // after the other, and several devices load them.
    bool initialised = false;
};

// One fat binary, as __cudaRegisterFatBinary received it.
struct Image {
    const void* fatbin = nullptr;
    // nvcc's, of several files: the fat binary of each, since the joint one holds machine code only.
    std::vector<const void*> parts;
    const void* object = nullptr;  // the executable or shared library that it is part of; null: none
    std::map<const void*, std::string> functions;  // host stub -> mangled name
    std::vector<RegisteredVariable> variables;
    bool has_managed() const {
        for (const auto& variable : variables)
            if (variable.managed_pointer || variable.managed_shadow) return true;
        return false;
    }
};

// Addresses of images are stable: they serve as handles. Whoever uses it holds its mutex (recursive, because
// loading a module looks things up while it is held).
class Registry {
  public:
    std::recursive_mutex& mutex() { return mutex_; }
    Image* add_image(const void* fatbin);
    void remove_image(Image* image);
    void add_managed_range(std::uint64_t begin, std::uint64_t end) {
        managed_ranges_.push_back({begin, end});
    }
    bool in_managed_range(const void* host) const;

    std::list<Image>& images() { return images_; }
    // How many there are of one executable or shared library.
    std::size_t images_of(const void* object) const;
    // The image that registered a host symbol, or null.
    Image* image_of_function(const void* host);
    Image* image_of_variable(const void* host);

  private:
    std::recursive_mutex mutex_;
    std::list<Image> images_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> managed_ranges_;
};

}  // namespace lockstep::session
