#include "runtime/logs.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <deque>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/call.h"
#include "runtime/driver.h"

struct CUlogsCallbackEntry_st {
    cudaLogsCallback_t function = nullptr;
    void* data = nullptr;
};

using namespace lockstep::runtime;

namespace {

constexpr std::size_t most_bytes = 25600;  // that CUDA keeps
constexpr char truncated[] = "Older messages are not kept, or do not fit.\n";

struct Log {
    std::mutex mutex;
    std::deque<std::string> lines;
    std::size_t bytes = 0;
    cudaLogIterator first = 0;  // the number of the oldest line
    std::list<CUlogsCallbackEntry_st> callbacks;

    cudaLogIterator end() const { return first + static_cast<cudaLogIterator>(lines.size()); }
};

// It outlives all others: the process's end may fail, too.
Log& the_log() {
    static Log* const log = new Log;
    return *log;
}

std::string line_of(const std::string& message) {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    std::tm day{};
    localtime_r(&seconds, &day);
    return fmt::format("[{:02}:{:02}:{:02}.{:03}][{}][CUDA][E] {}\n", day.tm_hour, day.tm_min, day.tm_sec,
                       milliseconds, syscall(SYS_gettid), message);
}

void log(const std::string& message) {
    Log& log = the_log();
    std::vector<CUlogsCallbackEntry_st> callbacks;
    {
        const std::lock_guard lock(log.mutex);
        log.lines.push_back(line_of(message));
        log.bytes += log.lines.back().size();
        for (; log.bytes > most_bytes; ++log.first) {
            log.bytes -= log.lines.front().size();
            log.lines.pop_front();
        }
        callbacks.assign(log.callbacks.begin(), log.callbacks.end());
    }
    // Calls that fail in a callback would call it again.
    thread_local bool calling = false;
    if (std::exchange(calling, true)) return;
    for (const CUlogsCallbackEntry_st& one : callbacks) {
        std::string text = message;
        one.function(one.data, cudaLogLevelError, text.data(), text.size());
    }
    calling = false;
}

// The messages from an iterator on; where some are gone or do not fit, a line that says so and the newest.
// Nothing: not even the newest fits.
std::string text_from(const Log& log, const cudaLogIterator* iterator, std::size_t room) {
    const cudaLogIterator from = iterator ? *iterator : 0;
    std::size_t next = from > log.first ? from - log.first : 0, bytes = 0;
    for (std::size_t i = next; i < log.lines.size(); ++i) bytes += log.lines[i].size();
    std::string text;
    if (from < log.first || bytes > room) text = truncated;
    while (next < log.lines.size() && text.size() + bytes > room) bytes -= log.lines[next++].size();
    if (bytes == 0) return {};
    while (next < log.lines.size()) text += log.lines[next++];
    return text;
}

}  // namespace

void lockstep::runtime::log_failure(const std::string& function, const std::string& reason, int code,
                                    const char* error) {
    if (!reason.empty()) log(reason);
    log(fmt::format("Returning {} ({}) from {}", code, error, function));
}

extern "C" {

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t function, void* data,
                                     cudaLogsCallbackHandle* handle) {
    const LockstepScope lockstep;
    if (!function) return finish("cudaLogsRegisterCallback", null_pointer("callbackFunc"));
    const std::lock_guard lock(the_log().mutex);
    the_log().callbacks.push_back({function, data});
    if (handle) *handle = &the_log().callbacks.back();
    return cudaSuccess;
}

cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle) {
    const LockstepScope lockstep;
    const auto removed = [&] {
        const std::lock_guard lock(the_log().mutex);
        return the_log().callbacks.remove_if([&](const auto& one) { return &one == handle; });
    }();
    if (removed == 0)
        return finish("cudaLogsUnregisterCallback",
                      Outcome(Status::invalid_value, "no such callback, or it was unregistered"));
    return cudaSuccess;
}

cudaError_t cudaLogsCurrent(cudaLogIterator* iterator, unsigned flags) {
    const LockstepScope lockstep;
    if (!iterator) return finish("cudaLogsCurrent", null_pointer("iterator"));
    if (flags != 0) return finish("cudaLogsCurrent", unknown_flags(flags));
    const std::lock_guard lock(the_log().mutex);
    *iterator = the_log().end();
    return cudaSuccess;
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer, size_t* size, unsigned flags) {
    const LockstepScope lockstep;
    if (!buffer || !size) return finish("cudaLogsDumpToMemory", null_pointer("buffer or size"));
    if (flags != 0) return finish("cudaLogsDumpToMemory", unknown_flags(flags));
    const bool fits = [&] {
        const std::lock_guard lock(the_log().mutex);
        const Log& log = the_log();
        const cudaLogIterator begin = iterator ? *iterator : log.first;
        const std::string text = *size > 0 ? text_from(log, iterator, *size - 1) : std::string();
        if (*size > 0) std::memcpy(buffer, text.c_str(), text.size() + 1);
        *size = text.size();
        if (iterator) *iterator = log.end();
        return !text.empty() || begin >= log.end();
    }();
    if (!fits)
        return finish("cudaLogsDumpToMemory",
                      Outcome(Status::invalid_value, "the buffer is too small for a message"));
    return cudaSuccess;
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* path, unsigned flags) {
    const LockstepScope lockstep;
    if (!path) return finish("cudaLogsDumpToFile", null_pointer("pathToFile"));
    if (flags != 0) return finish("cudaLogsDumpToFile", unknown_flags(flags));
    std::string text;
    {
        const std::lock_guard lock(the_log().mutex);
        text = text_from(the_log(), iterator, most_bytes + sizeof truncated);
        if (iterator) *iterator = the_log().end();
    }
    std::FILE* const file = std::fopen(path, "w");
    const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = file && std::fclose(file) == 0;
    if (!written || !closed)
        return finish("cudaLogsDumpToFile",
                      Outcome(Status::invalid_value, fmt::format("{} cannot be written", path)));
    return cudaSuccess;
}

CUresult cuLogsRegisterCallback(CUlogsCallback function, void* data, CUlogsCallbackHandle* handle) {
    return driver_result(
        cudaLogsRegisterCallback(reinterpret_cast<cudaLogsCallback_t>(function), data, handle));
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
    return driver_result(cudaLogsUnregisterCallback(handle));
}

CUresult cuLogsCurrent(CUlogIterator* iterator, unsigned flags) {
    return driver_result(cudaLogsCurrent(iterator, flags));
}

CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size, unsigned flags) {
    return driver_result(cudaLogsDumpToMemory(iterator, buffer, size, flags));
}

CUresult cuLogsDumpToFile(CUlogIterator* iterator, const char* path, unsigned flags) {
    return driver_result(cudaLogsDumpToFile(iterator, path, flags));
}
}
