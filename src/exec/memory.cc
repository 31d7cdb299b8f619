// The address range is reserved once, inaccessible. It is made readable and writable in chunks of 2 MiB, each
// for as long as some allocation touches it, so that the kernel merges neighbouring chunks into few mappings
// however many small allocations a program makes (a mapping for each would meet the kernel's limit on
// mappings), and large pages fit. Bounds are exact all the same: they are kept in the table of allocations,
// not in page tables.
#include "exec/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

namespace lockstep::exec {
namespace {

constexpr std::uint64_t chunk = 2 << 20;
constexpr std::uint64_t unit = 512;       // alignment of allocations, and the least gap between two
constexpr std::uint64_t page = 4096;      // below this address: a null pointer with an offset
constexpr std::size_t freed_kept = 4096;  // freed allocations remembered for messages
constexpr std::uint64_t host_margin = 256 << 20;
constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// As an H200's driver (580.159) does it: larger allocations have pages of 2 MiB to themselves.
constexpr std::uint64_t most_in_shared_page = 1 << 20;
// What an allocation of a kernel takes of the heap, beside its size in steps of 16 bytes.
constexpr std::uint64_t heap_header = 64;

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t to) { return value / to * to; }
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
    return round_down(value + to - 1, to);
}

std::uint64_t read_number(const char* file) {
    std::ifstream stream(file);
    std::uint64_t value = 0;
    return stream >> value ? value : unlimited;  // "max", or no such file
}

// What the host can still back: the machine's available memory, less where a container has a limit.
std::uint64_t host_available() {
    std::uint64_t available = unlimited;
    std::ifstream meminfo("/proc/meminfo");
    for (std::string line; std::getline(meminfo, line);) {
        std::istringstream fields(line);
        std::string key;
        std::uint64_t kib = 0;
        if (fields >> key >> kib && key == "MemAvailable:") available = kib << 10;
    }
    const std::uint64_t limit = read_number("/sys/fs/cgroup/memory.max");
    const std::uint64_t taken = read_number("/sys/fs/cgroup/memory.current");
    if (limit != unlimited && taken != unlimited)
        available = std::min(available, limit - std::min(limit, taken));
    if (available == unlimited) return unlimited;
    return available - std::min(available, host_margin);
}

std::string bytes_text(std::uint64_t bytes) {
    if (bytes >= 10ull << 30) return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1ull << 30));
    if (bytes >= 10ull << 20) return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1ull << 20));
    return fmt::format("{} bytes", bytes);
}

const char* made_by(MemoryKind kind) {
    switch (kind) {
        case MemoryKind::device: return "device memory";
        case MemoryKind::managed: return "managed memory";
        case MemoryKind::pinned: return "pinned host memory";
        case MemoryKind::host: return "registered host memory";
        case MemoryKind::variable: return "a variable";
        case MemoryKind::heap: return "the kernels' heap";
    }
    return "memory";
}

// The bytes that CUDA's driver gives where `size` are asked for.
std::uint64_t driver_rounds(std::uint64_t size) {
    return round_up(std::max<std::uint64_t>(size, 1), size > most_in_shared_page ? chunk : unit);
}

std::uint64_t heap_share(std::uint64_t size) { return round_up(size, 16) + heap_header; }

bool counts_as_device(MemoryKind kind) {
    return kind == MemoryKind::device || kind == MemoryKind::variable || kind == MemoryKind::heap;
}

std::string noun(const Allocation& a) {
    if (a.kind == MemoryKind::variable && !a.name.empty())
        return fmt::format("the {}-byte variable '{}' at {:#x}", a.size, a.name, a.address);
    return fmt::format("the {}-byte allocation at {:#x} ({})", a.size, a.address, made_by(a.kind));
}

// Whether the process has memory mapped there at all; only then is it likely that the program meant a host
// address.
bool mapped_in_process(std::uint64_t address) {
    const std::uint64_t size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    unsigned char resident = 0;
    return mincore(reinterpret_cast<void*>(round_down(address, size)), size, &resident) == 0;
}

// Where the range lies if nothing else is there: caches place data by its address, so that predicted times
// would differ from run to run if the system chose one at random.
constexpr std::uint64_t usual_place = 0x2000'0000'0000;

}  // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity, MemoryRules rules)
    : rules_(rules), capacity_(capacity), host_limit_(host_available()) {
    constexpr std::uint64_t most = 1ull << 40;
    std::uint64_t size = std::min(round_up(std::min(capacity, most), chunk) * 2, most);
    // A limit on address space (ulimit -v, strict overcommit) may refuse much: take what there is.
    for (size = std::max(size, 64 * chunk); size >= 8 * chunk; size = round_down(size / 2, chunk)) {
        void* range = mmap(reinterpret_cast<void*>(usual_place), size + chunk, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED) continue;
        const std::uint64_t start = reinterpret_cast<std::uint64_t>(range);
        begin_ = round_up(start, chunk);
        end_ = begin_ + size;
        if (begin_ > start) munmap(range, begin_ - start);
        if (begin_ < start + chunk) munmap(reinterpret_cast<void*>(end_), start + chunk - begin_);
        break;
    }
    next_ = begin_;
    if (end_ > begin_) holes_.emplace(begin_, end_ - begin_);
    users_.assign((end_ - begin_) / chunk, 0);
}

DeviceMemory::~DeviceMemory() {
    if (end_ > begin_) munmap(reinterpret_cast<void*>(begin_), end_ - begin_);
}

// With exact rules the gap after each allocation belongs to nobody, so that an access just past the end is
// never another's.
std::uint64_t DeviceMemory::taken_by(std::uint64_t size) const {
    if (rules_ == MemoryRules::gpu) return driver_rounds(size);
    return round_up(std::max<std::uint64_t>(size, 1), unit) + unit;
}

Result<std::uint64_t> DeviceMemory::allocate(std::uint64_t size, MemoryKind kind, std::string name) {
    const std::lock_guard lock(mutex_);
    const bool on_device = counts_as_device(kind);
    const std::uint64_t most = capacity_ - std::min(capacity_, used_);
    if (on_device && (size > most || round_up(size, unit) > most))
        return Error{fmt::format("out of device memory: {} asked for, {} of the GPU's {} are free",
                                 bytes_text(size), bytes_text(most), bytes_text(capacity_)),
                     {}};
    const std::uint64_t backed = host_limit_ - std::min(host_limit_, mapped_);
    if (size > backed || (size >= 16 * chunk && size > host_available()))
        return Error{
            fmt::format(
                "out of memory: {} asked for, but this machine, whose memory stands in for the GPU's, "
                "can give only {} more",
                bytes_text(size), bytes_text(std::min(backed, host_available()))),
            {}};

    if (kind == MemoryKind::heap) {
        heap_used_ = true;
        const std::uint64_t left = heap_limit_ - std::min(heap_limit_, heap_taken_);
        if (size > left || heap_share(size) > left)
            return Error{fmt::format("the kernels' heap is full: {} asked for, {} of {} are free",
                                     bytes_text(size), bytes_text(left), bytes_text(heap_limit_)),
                         {}};
    }
    const std::uint64_t taken = taken_by(size);
    const bool own_pages = rules_ == MemoryRules::exact ? size >= chunk : size > most_in_shared_page;
    const auto address = take_hole(taken, own_pages ? chunk : unit);
    if (!address)
        return Error{fmt::format("out of addresses for device memory: {} asked for", bytes_text(size)), {}};
    if (!commit(*address, taken)) {
        give_hole(*address, taken);
        return Error{fmt::format("out of memory: the system refuses {} more", bytes_text(size)), {}};
    }
    std::erase_if(freed_, [&](const Allocation& old) {
        return old.address < *address + taken && *address < old.end();
    });
    live_[*address] = Allocation{*address, size, kind, std::move(name), false};
    mapped_ += taken;
    if (on_device) used_ += round_up(size, unit);
    if (kind == MemoryKind::heap) heap_taken_ += heap_share(size);
    generation_.fetch_add(1, std::memory_order_release);
    return *address;
}

Result<void> DeviceMemory::register_host(std::uint64_t address, std::uint64_t size) {
    const std::lock_guard lock(mutex_);
    if (size == 0 || address == 0 || address + size < address)
        return Error{"no memory there to register", {}};
    if (address < end_ && address + size > begin_) return Error{"this is device memory already", {}};
    const auto after = live_.lower_bound(address);
    const bool overlaps_next = after != live_.end() && after->first < address + size;
    const bool overlaps_previous = after != live_.begin() && std::prev(after)->second.end() > address;
    if (overlaps_next || overlaps_previous) return Error{"part of this memory is registered already", {}};
    live_[address] = Allocation{address, size, MemoryKind::host, {}, false};
    generation_.fetch_add(1, std::memory_order_release);
    return {};
}

bool DeviceMemory::release(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto it = live_.find(address);
    if (it == live_.end()) return false;
    release_locked(it);
    return true;
}

std::optional<Allocation> DeviceMemory::release_heap(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto it = live_.find(address);
    if (it == live_.end() || it->second.kind != MemoryKind::heap) return std::nullopt;
    const Allocation old = it->second;
    release_locked(it);
    return old;
}

bool DeviceMemory::was_heap(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    return std::any_of(freed_.begin(), freed_.end(), [&](const Allocation& old) {
        return old.address == address && old.kind == MemoryKind::heap;
    });
}

void DeviceMemory::release_all() {
    const std::lock_guard lock(mutex_);
    while (!live_.empty()) release_locked(live_.begin());
    heap_limit_ = default_heap_bytes;
    heap_used_ = false;
}

void DeviceMemory::release_locked(std::map<std::uint64_t, Allocation>::iterator it) {
    const Allocation& old = it->second;
    if (old.kind != MemoryKind::host) {
        const std::uint64_t taken = taken_by(old.size);
        decommit(old.address, taken);
        give_hole(old.address, taken);
        mapped_ -= taken;
        if (counts_as_device(old.kind)) used_ -= round_up(old.size, unit);
        if (old.kind == MemoryKind::heap) heap_taken_ -= heap_share(old.size);
    }
    if (freed_.size() == freed_kept) freed_.erase(freed_.begin(), freed_.begin() + freed_kept / 2);
    freed_.push_back(old);
    live_.erase(it);
    generation_.fetch_add(1, std::memory_order_release);
}

std::optional<Allocation> DeviceMemory::find(std::uint64_t address, std::uint64_t size) const {
    const std::lock_guard lock(mutex_);
    auto it = live_.upper_bound(address);
    if (it == live_.begin()) return std::nullopt;
    const Allocation& candidate = std::prev(it)->second;
    if (address > candidate.end() || size > candidate.end() - address) return std::nullopt;
    // An empty access at the very end belongs to no allocation.
    if (address == candidate.end() && candidate.size != 0) return std::nullopt;
    return candidate;
}

bool DeviceMemory::mapped(std::uint64_t address, std::uint64_t size) const {
    if (address < begin_ || address >= end_ || size > end_ - address) return false;
    const std::uint64_t first = (address - begin_) / chunk, last = (address + size - 1 - begin_) / chunk;
    return users_[first] != 0 && users_[last] != 0;
}

bool DeviceMemory::lets_pass(std::uint64_t address, std::uint64_t size) const {
    if (rules_ != MemoryRules::gpu) return false;
    const std::lock_guard lock(mutex_);
    if (!mapped(address, size)) return false;
    // Constants lie elsewhere on a GPU: nothing reaches them by accident.
    const auto reaches = [&](const Allocation& a) {
        return a.read_only && address < a.end() && a.address < address + size;
    };
    const auto after = live_.lower_bound(address + size);
    return after == live_.begin() || !reaches(std::prev(after)->second);
}

std::string DeviceMemory::what_a_gpu_does(std::uint64_t address, std::uint64_t size) const {
    const std::lock_guard lock(mutex_);
    if (rules_ == MemoryRules::gpu || address < begin_ || address >= end_) return "";
    const auto after = live_.upper_bound(address);
    const Allocation* previous = after == live_.begin() ? nullptr : &std::prev(after)->second;
    if (previous && previous->kind != MemoryKind::host &&
        address + size <= previous->address + driver_rounds(previous->size))
        return "; a GPU lets this pass, as --memory gpu does";
    const bool near_previous = previous && address < previous->end() + chunk;
    const bool near_next = after != live_.end() && after->first - address <= chunk;
    return near_previous || near_next ? "; a GPU may let this pass, as --memory gpu does" : "";
}

bool DeviceMemory::set_heap_limit(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (heap_used_) return false;
    heap_limit_ = bytes;
    return true;
}

std::vector<Allocation> DeviceMemory::allocations() const {
    const std::lock_guard lock(mutex_);
    std::vector<Allocation> all;
    all.reserve(live_.size());
    for (const auto& [address, allocation] : live_) all.push_back(allocation);
    return all;
}

std::string DeviceMemory::describe(std::uint64_t address) const {
    if (address == 0) return "the null pointer";
    if (address < page) return fmt::format("{} bytes after the null pointer", address);
    const std::lock_guard lock(mutex_);

    const auto after = live_.upper_bound(address);
    const Allocation* previous = after == live_.begin() ? nullptr : &std::prev(after)->second;
    const Allocation* next = after == live_.end() ? nullptr : &after->second;
    if (previous && address < previous->end())
        return fmt::format("{} bytes inside {}", address - previous->address, noun(*previous));
    for (auto old = freed_.rbegin(); old != freed_.rend(); ++old)
        if (address >= old->address && address < old->end())
            return fmt::format("{} bytes inside {}, which was freed", address - old->address, noun(*old));

    // Registered host memory may lie anywhere; its neighbourhood is worth naming only when it is close.
    const bool in_range = address >= begin_ && address < end_;
    const std::uint64_t near = in_range ? unlimited : 1 << 20;
    const std::uint64_t beyond = previous ? address - previous->end() : unlimited;
    const std::uint64_t before = next ? next->address - address : unlimited;
    if (beyond <= before && beyond < near) {
        if (beyond == 0) return fmt::format("just after the end of {}", noun(*previous));
        return fmt::format("{} bytes after the end of {}", beyond, noun(*previous));
    }
    if (before < near) return fmt::format("{} bytes before {}", before, noun(*next));
    if (in_range) return "device memory, but nothing is allocated";
    if (mapped_in_process(address))
        return "host memory, which kernels cannot access (copy it with cudaMemcpy, or allocate it with "
               "cudaMallocManaged or cudaMallocHost)";
    return "no memory at all";
}

std::uint64_t DeviceMemory::used() const {
    const std::lock_guard lock(mutex_);
    return used_;
}

std::uint64_t DeviceMemory::available() const {
    const std::lock_guard lock(mutex_);
    const std::uint64_t on_device = capacity_ - std::min(capacity_, used_);
    // Against the memory that the host had at the start: what it has now changes with other programs, and a
    // program that allocates expects to see just that much less.
    const std::uint64_t backed = host_limit_ - std::min(host_limit_, used_);
    return round_down(std::min(on_device, backed), unit);
}

void DeviceMemory::set_read_only(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto it = live_.find(address);
    if (it == live_.end()) return;
    it->second.read_only = true;
    generation_.fetch_add(1, std::memory_order_release);
}

// Next fit: goes on from the last allocation and starts over at the end of the range.
std::optional<std::uint64_t> DeviceMemory::take_hole(std::uint64_t size, std::uint64_t alignment) {
    const auto fit = [&](std::map<std::uint64_t, std::uint64_t>::iterator hole,
                         std::uint64_t from) -> std::optional<std::uint64_t> {
        const std::uint64_t hole_begin = hole->first, hole_end = hole->first + hole->second;
        std::uint64_t address = round_up(std::max(hole_begin, from), alignment);
        // The driver's small allocations do not reach into the next page.
        if (rules_ == MemoryRules::gpu && alignment < chunk &&
            address / chunk != (address + size - 1) / chunk)
            address = round_up(address, chunk);
        if (address >= hole_end || hole_end - address < size) return std::nullopt;
        holes_.erase(hole);
        if (address > hole_begin) holes_.emplace(hole_begin, address - hole_begin);
        if (hole_end > address + size) holes_.emplace(address + size, hole_end - address - size);
        next_ = address + size;
        return address;
    };
    if (rules_ == MemoryRules::gpu) next_ = begin_;
    auto start = holes_.upper_bound(next_);
    if (start != holes_.begin()) --start;
    for (auto hole = start; hole != holes_.end(); ++hole)
        if (const auto address = fit(hole, next_)) return address;
    for (auto hole = holes_.begin(); hole != holes_.end(); ++hole)
        if (const auto address = fit(hole, begin_)) return address;
    return std::nullopt;
}

void DeviceMemory::give_hole(std::uint64_t begin, std::uint64_t size) {
    auto after = holes_.upper_bound(begin);
    if (after != holes_.end() && after->first == begin + size) {
        size += after->second;
        after = holes_.erase(after);
    }
    if (after != holes_.begin()) {
        auto before = std::prev(after);
        if (before->first + before->second == begin) {
            before->second += size;
            return;
        }
    }
    holes_.emplace(begin, size);
}

bool DeviceMemory::commit(std::uint64_t begin, std::uint64_t size) {
    const std::uint64_t first = (begin - begin_) / chunk, last = (begin + size - 1 - begin_) / chunk;
    // Only the ends of an allocation can lie in chunks that others use already; one call covers the rest.
    std::uint64_t from = first, to = last + 1;
    if (users_[from] != 0) ++from;
    if (to > from && users_[to - 1] != 0) --to;
    if (to > from) {
        void* start = reinterpret_cast<void*>(begin_ + from * chunk);
        if (mprotect(start, (to - from) * chunk, PROT_READ | PROT_WRITE) != 0) return false;
        if (size >= chunk) madvise(start, (to - from) * chunk, MADV_HUGEPAGE);
    }
    for (std::uint64_t i = first; i <= last; ++i) ++users_[i];
    return true;
}

void DeviceMemory::decommit(std::uint64_t begin, std::uint64_t size) {
    // The driver keeps what was freed, and kernels that still use it find it.
    if (rules_ == MemoryRules::gpu) return;
    const std::uint64_t first = (begin - begin_) / chunk, last = (begin + size - 1 - begin_) / chunk;
    for (std::uint64_t i = first; i <= last; ++i) --users_[i];
    std::uint64_t from = first, to = last + 1;
    if (users_[from] != 0) ++from;
    if (to > from && users_[to - 1] != 0) --to;
    if (to <= from) return;
    void* start = reinterpret_cast<void*>(begin_ + from * chunk);
    madvise(start, (to - from) * chunk, MADV_DONTNEED);
    mprotect(start, (to - from) * chunk, PROT_NONE);
}

}  // namespace lockstep::exec
