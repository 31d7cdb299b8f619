// A kernel from a few lines of PTX: its code as the timing model sees it, and its launches in time.
#pragma once
#include <gtest/gtest.h>

#include <cstring>

#include "session/profiled-kernel.h"
#include "session/watched-launch.h"
#include "timing/models.h"

namespace lockstep::timing {

class PtxKernel {
  public:
    // `body` has the parameters p, a buffer of so many bytes, and n; `tile` is shared memory.
    explicit PtxKernel(const std::string& body, int threads = 1, std::uint64_t bytes = 1 << 16)
        : memory_(std::make_shared<exec::DeviceMemory>(bytes + (1 << 20))),
          buffer_(*memory_->allocate(bytes, exec::MemoryKind::device)) {
        std::memset(reinterpret_cast<void*>(buffer_), 0, bytes);
        load(body, threads);
    }
    // With the same memory, so that addresses are the same.
    PtxKernel(const std::string& body, int threads, const PtxKernel& other)
        : memory_(other.memory_), buffer_(other.buffer_) {
        load(body, threads);
    }
    session::WatchedLaunch run(std::uint32_t blocks, std::uint32_t threads, std::uint32_t n = 0,
                               bool detailed = false) {
        exec::LaunchStats stats;
        return session::run_watched(function_, launch_of(blocks, threads, n), -1, gpu,
                                    {.detailed = detailed, .repeats = false}, &stats);
    }
    // As a program that only wants to know the time: most blocks of a large grid are not watched.
    session::TimedLaunch run_timed(std::uint32_t blocks, std::uint32_t threads, std::uint32_t n = 0) {
        return session::run_timed(function_, launch_of(blocks, threads, n), -1, gpu, {});
    }
    timing::Prediction predict(std::uint32_t blocks, std::uint32_t threads, std::uint32_t n = 0,
                               bool detailed = false) {
        const session::WatchedLaunch watched = run(blocks, threads, n, detailed);
        EXPECT_FALSE(watched.fault) << watched.fault->message;
        return watched.counts.value().prediction.value();
    }
    // Without what every launch takes.
    double work(const timing::Prediction& prediction) const {
        return prediction.nanoseconds - gpu.timing.kernel_overhead_us * 1000;
    }
    // The code of the block with the most instructions: the one that a test is about.
    const Region& region() const {
        const Region* most = nullptr;
        for (const Region& one : variant.code.regions)
            if (!most || one.once.ops.size() > most->once.ops.size()) most = &one;
        return *most;
    }

    gpu::GpuModel gpu = h200();
    pipeline::Derived variant;

  private:
    exec::Launch launch_of(std::uint32_t blocks, std::uint32_t threads, std::uint32_t n) {
        params_.resize(12);
        std::memcpy(params_.data(), &buffer_, 8);
        std::memcpy(params_.data() + 8, &n, 4);
        return {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .params = params_};
    }
    void load(const std::string& body, int threads) {
        const std::string text =
            ".version 8.0\n.target sm_90\n.address_size 64\n"
            ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.shared .align 16 .b8 tile[4096];\n"
            ".reg .pred %p<8>; .reg .b32 %r<64>; .reg .b64 %rd<32>; .reg .f32 %f<64>;\n" +
            body + "\n}\n";
        auto module = exec::Module::load(text, "test", *memory_, gpu, exec::Options{.threads = threads});
        if (!module) {
            ADD_FAILURE() << module.error().to_string();
            return;
        }
        module_ = std::move(*module);
        function_.name = "k";
        function_.kernel = module_->find_kernel("k");
        auto found =
            exec::observe(*function_.kernel, exec::Launch{.block = {32, 1, 1}}, events::profile_wants);
        if (found.fault) {
            ADD_FAILURE() << found.fault->message;
            return;
        }
        variant = pipeline::derive(found.kernel, gpu, {});
    }

    std::shared_ptr<exec::DeviceMemory> memory_;
    std::uint64_t buffer_;
    std::vector<std::byte> params_;
    std::unique_ptr<exec::Module> module_;
    session::Function function_;
};

// tid.x in %r1, %p1 where it is odd, p in %rd1, the thread's own word of p in %rd2.
inline const char* ptx_head =
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 1;\nsetp.eq.s32 %p1, %r2, 1;\n"
    "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd1, %rd3;\n";

inline std::string repeated(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

}  // namespace lockstep::timing
