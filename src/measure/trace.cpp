// What a program has a real GPU do, and when: loaded into it by CUDA's driver (CUDA_INJECTION64_PATH).
// Compiled on the machine that has the GPU, against the CUPTI of its CUDA toolkit (measure/gpu-trace.cc), and
// read there. Writes a line for each record to $LOCKSTEP_GPU_TRACE.PID: a word for its kind, and figures
// between tabs.
#include <cupti.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

namespace {

std::FILE* out = nullptr;
std::mutex writing;

// CUPTI adds to the ends of its records with each release: what we read stands in the first form of each.
void write_record(const CUpti_Activity* record) {
    switch (record->kind) {
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        case CUPTI_ACTIVITY_KIND_KERNEL: {
            const auto& one = *reinterpret_cast<const CUpti_ActivityKernel4*>(record);
            std::fprintf(out, "kernel\t%llu\t%llu\t%u\t%u\t%u\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n",
                         static_cast<unsigned long long>(one.start), static_cast<unsigned long long>(one.end),
                         one.deviceId, one.streamId, one.correlationId, one.gridX, one.gridY, one.gridZ,
                         one.blockX, one.blockY, one.blockZ, int{one.registersPerThread},
                         one.staticSharedMemory, one.dynamicSharedMemory, one.name);
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY: {
            const auto& one = *reinterpret_cast<const CUpti_ActivityMemcpy*>(record);
            std::fprintf(out, "copy\t%llu\t%llu\t%u\t%u\t%u\t%llu\t%d\t%d\t%d\n",
                         static_cast<unsigned long long>(one.start), static_cast<unsigned long long>(one.end),
                         one.deviceId, one.streamId, one.correlationId,
                         static_cast<unsigned long long>(one.bytes), int{one.copyKind}, int{one.srcKind},
                         int{one.dstKind});
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMSET: {
            const auto& one = *reinterpret_cast<const CUpti_ActivityMemset*>(record);
            std::fprintf(out, "fill\t%llu\t%llu\t%u\t%u\t%u\t%llu\n",
                         static_cast<unsigned long long>(one.start), static_cast<unsigned long long>(one.end),
                         one.deviceId, one.streamId, one.correlationId,
                         static_cast<unsigned long long>(one.bytes));
            break;
        }
        case CUPTI_ACTIVITY_KIND_RUNTIME:
        case CUPTI_ACTIVITY_KIND_DRIVER: {
            const auto& one = *reinterpret_cast<const CUpti_ActivityAPI*>(record);
            const char* name = nullptr;
            const CUpti_CallbackDomain domain = one.kind == CUPTI_ACTIVITY_KIND_RUNTIME
                                                    ? CUPTI_CB_DOMAIN_RUNTIME_API
                                                    : CUPTI_CB_DOMAIN_DRIVER_API;
            if (cuptiGetCallbackName(domain, one.cbid, &name) != CUPTI_SUCCESS || !name) name = "?";
            std::fprintf(out, "call\t%llu\t%llu\t%u\t%u\t%s\n", static_cast<unsigned long long>(one.start),
                         static_cast<unsigned long long>(one.end), one.threadId, one.correlationId, name);
            break;
        }
        default: break;
    }
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, size_t* size, size_t* most_records) {
    constexpr size_t bytes = 1 << 20, alignment = 8;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(alignment, bytes));
    *size = *buffer ? bytes : 0;
    *most_records = 0;
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, size_t, size_t valid) {
    const std::lock_guard lock(writing);
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) write_record(record);
    size_t lost = 0;
    if (cuptiActivityGetNumDroppedRecords(nullptr, 0, &lost) == CUPTI_SUCCESS && lost)
        std::fprintf(out, "lost\t%zu\n", lost);
    std::free(buffer);
}

void finish() {
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const std::lock_guard lock(writing);
    std::fputs("end\n", out);
    std::fflush(out);
}

}  // namespace

// CUDA's driver calls this when it begins.
extern "C" int InitializeInjection() {
    const char* name = std::getenv("LOCKSTEP_GPU_TRACE");
    if (!name || out) return 1;
    out = std::fopen((std::string(name) + "." + std::to_string(getpid())).c_str(), "w");
    if (!out) return 1;
    cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
    for (const CUpti_ActivityKind kind :
         {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
          CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER})
        if (const CUptiResult result = cuptiActivityEnable(kind); result != CUPTI_SUCCESS) {
            const char* why = "";
            cuptiGetResultString(result, &why);
            std::fprintf(out, "refused\t%d\t%s\n", int{kind}, why);
        }
    std::atexit(finish);
    return 1;
}
