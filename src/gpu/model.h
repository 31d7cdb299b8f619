// A GPU model: the numbers of one GPU, read from gpus/*.toml.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/timing-figures.h"

namespace lockstep::gpu {

inline constexpr const char* default_model = "h200";

// What a textbook's latency-hiding table was computed with, where that is not what was measured since; all 0
// where there is none. Only gpu/latency-hiding.h reads it, so that the table can be shown as it is printed.
struct TextbookFigures {
    int arithmetic_latency = 0;
    int memory_latency = 0;
    int memory_clock_mhz = 0;  // the cycles that memory_latency counts
};

// What only AMD's GPUs have; all 0 on others.
struct WaveFigures {
    int vector_units = 0;            // of a compute unit
    int shift64_lanes = 0;           // that a compute unit's vector units shift by 64 bits in a cycle
    int scalar_registers = 0;        // of a vector unit; 0: every wavefront has all that it can name
    int scalar_register_unit = 16;   // given to a wavefront at once
    bool unified_registers = false;  // accumulation registers come out of the vector registers
    std::uint32_t l1_line_bytes = 0, l2_line_bytes = 0;
    int l2_channels = 0;
    int shader_engines = 0, dies = 1;
    int scalar_caches = 0;  // of the whole GPU
};

struct GpuModel {
    std::string id;  // "h200": the file's name
    std::filesystem::path file;
    std::vector<std::string> changes;  // "sm.count=8": what --set made different from the file
    std::string name;                  // "NVIDIA H200", as cudaDeviceProp::name gives it
    std::string architecture;          // "Hopper"
    int compute_major = 0, compute_minor = 0;
    std::string target;  // what compilers call it where that is not sm_NN: "gfx908"; else empty
    int sms = 0;
    int sms_full_chip = 0;  // of the whole chip; a product has some switched off
    int warp_size = 32;
    int clock_mhz = 0;  // SM boost clock
    int memory_clock_mhz = 0;
    int memory_bus_bits = 0;
    int memory_bandwidth_gbs = 0;  // peak, in 10^9 bytes a second
    std::uint64_t memory_bytes = 0;
    std::uint64_t l2_bytes = 0;
    std::uint64_t constant_bytes = 65536;
    bool ecc = false;
    int fp64_ratio = 0;  // FP32 operations in the time of one FP64 operation
    // Limits of one SM and one block.
    int max_threads_per_block = 1024;
    int max_threads_per_sm = 0;
    int max_blocks_per_sm = 0;
    int max_barrier_blocks_per_sm = 0;  // of more than one warp, where barriers are fewer; 0: as many
    int max_registers_per_thread = 255;
    int registers_per_sm = 0;
    int registers_per_block = 0;
    int register_allocation_unit = 256;  // registers a warp
    int warp_allocation_granularity = 4;
    std::uint32_t shared_per_sm = 0;
    std::uint32_t shared_per_block = 49152;  // without opting in
    std::uint32_t shared_per_block_optin = 0;
    std::uint32_t shared_reserved_per_block = 0;  // taken by the system
    std::uint32_t shared_allocation_unit = 128;
    // What an SM's memory may be split into, in bytes of shared memory, ascending: the rest is L1 cache.
    // Where the driver does not choose by itself, just what it takes.
    std::vector<std::uint32_t> shared_configurations;
    std::uint32_t max_block[3] = {1024, 1024, 64};
    std::uint32_t max_grid[3] = {2147483647, 65535, 65535};
    int copy_engines = 1;
    int concurrent_kernels = 1;
    bool unified_addressing = true;
    bool managed_memory = true;
    int memory_latency_cycles = 0;  // of a load that misses all caches, in cycles of the SM clock
    TimingFigures timing;
    WaveFigures wave;
    TextbookFigures textbook;

    int max_warps_per_sm() const { return max_threads_per_sm / warp_size; }
    // 90 for compute capability 9.0, as in sm_90.
    int compute_capability() const { return compute_major * 10 + compute_minor; }
    // "9.0", or what its own vendor calls it: "gfx908".
    std::string compute_name() const;
    // "NVIDIA H200", or "NVIDIA H200 with sm.count=8".
    std::string full_name() const;
};

// Reads a model from a TOML file; an unknown or missing key, a value of the wrong type or outside what a GPU
// can have is an error with its place. `settings` change single figures (gpu/model-settings.h).
Result<GpuModel> load_model(const std::filesystem::path& file, const std::vector<std::string>& settings = {});
// Finds `name` in `directory` (NAME.toml), or takes it as a path to a .toml file. Unknown: an error with the
// nearest names.
Result<GpuModel> find_model(const std::string& name, const std::filesystem::path& directory,
                            const std::vector<std::string>& settings = {});
std::vector<std::string> list_models(const std::filesystem::path& directory);

}  // namespace lockstep::gpu
