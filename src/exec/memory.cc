// The device's range of addresses is reserved once, inaccessible. It is made readable and writable in chunks
// of 2 MiB, each for as long as some allocation touches it, so that the kernel merges neighbouring chunks
// into few mappings however many small allocations a program makes (a mapping for each would meet the
// kernel's limit on mappings), and large pages fit. Bounds are exact all the same: they are kept in the table
// of allocations, not in page tables.
#include "exec/memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "exec/host-available.h"

namespace lockstep::exec {
namespace {

constexpr std::uint64_t chunk = DeviceMemory::page;
constexpr std::uint64_t unit = 512;  // alignment of allocations, and the least gap between two

// As an H200's driver (580.159) does it: larger allocations have pages of 2 MiB to themselves.
constexpr std::uint64_t most_in_shared_page = 1 << 20;
// What an allocation of a kernel takes of the heap, beside its size in steps of 16 bytes.
constexpr std::uint64_t heap_header = 64;

constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t to) { return value / to * to; }
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
    return round_down(value + to - 1, to);
}

std::string bytes_text(std::uint64_t bytes) {
    if (bytes >= 10ull << 30) return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1ull << 30));
    if (bytes >= 10ull << 20) return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1ull << 20));
    return fmt::format("{} bytes", bytes);
}

// The bytes that CUDA's driver gives where `size` are asked for.
std::uint64_t driver_rounds(std::uint64_t size) {
    return round_up(std::max<std::uint64_t>(size, 1), size > most_in_shared_page ? chunk : unit);
}

// How far from its page's begin an allocation is that begins in such a page. Kernels that go through several
// arrays side by side would otherwise use the same few sets of the host's cache for all of them, and its
// loads would wait for stores that look alike. 2^n + 1 pages apart, as arrays of such sizes are, there are
// seven different places.
std::uint64_t lines_apart(std::uint64_t page) {
    constexpr std::uint64_t places = 7, distance = 5 * unit;
    return page % places * distance;
}

std::uint64_t heap_share(std::uint64_t size) { return round_up(size, 16) + heap_header; }

bool counts_as_device(MemoryKind kind) {
    return kind == MemoryKind::device || kind == MemoryKind::variable || kind == MemoryKind::runtime ||
           kind == MemoryKind::heap;
}

// At the end of the file that processes share is a table that says what of it is still allocated.
constexpr std::uint64_t share_slots = 4096, slots_bytes = share_slots * sizeof(std::uint64_t);

bool write_slot(int file, std::uint64_t range, std::uint64_t slot, std::uint64_t serial) {
    return pwrite(file, &serial, sizeof serial, static_cast<off_t>(range + slot * sizeof serial)) ==
           sizeof serial;
}

std::uint64_t host_page() {
    static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

// Beyond the limit a program would get a signal.
bool file_may_have(std::uint64_t bytes) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= bytes;
}

// Addresses that stay the device's, with no memory behind them.
void put_nothing(std::uint64_t address, std::uint64_t size) {
    mmap(reinterpret_cast<void*>(address), size, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

// Where the range lies if nothing else is there: caches place data by its address, so that predicted times
// would differ from run to run if the system chose one at random.
constexpr std::uint64_t usual_place = 0x2000'0000'0000;

}  // namespace

DeviceMemory::DeviceMemory(std::unique_ptr<AddressMap> own, AddressMap* map, std::uint64_t capacity,
                           bool large_apart)
    : own_map_(std::move(own)),
      map_(map ? *map : *own_map_),
      capacity_(capacity),
      large_apart_(large_apart && map_.rules_ == MemoryRules::exact) {
    const std::lock_guard lock(map_.mutex_);
    reserve_range();
    number_ = static_cast<int>(map_.devices_.size());
    map_.devices_.push_back(this);
}

DeviceMemory::DeviceMemory(AddressMap& map, std::uint64_t capacity, bool large_apart)
    : DeviceMemory(nullptr, &map, capacity, large_apart) {}

DeviceMemory::DeviceMemory(std::uint64_t capacity, MemoryRules rules)
    : DeviceMemory(std::make_unique<AddressMap>(rules), nullptr, capacity, true) {}

void DeviceMemory::reserve_range() {
    constexpr std::uint64_t most = 1ull << 40;
    const std::uint64_t place = map_.devices_.empty() ? usual_place : map_.devices_.back()->end_;
    std::uint64_t size = std::min(round_up(std::min(capacity_, most), chunk) * 2, most);
    // A limit on address space (ulimit -v, strict overcommit) may refuse much: take what there is.
    for (size = std::max(size, 64 * chunk); size >= 8 * chunk; size = round_down(size / 2, chunk)) {
        // As much again for managed memory, behind a gap, which keeps the two apart.
        const std::uint64_t both = 2 * size + chunk;
        void* range = mmap(reinterpret_cast<void*>(place), both + chunk, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED) continue;
        const std::uint64_t start = reinterpret_cast<std::uint64_t>(range);
        begin_ = round_up(start, chunk);
        managed_begin_ = begin_ + size + chunk;
        end_ = begin_ + both;
        if (begin_ > start) munmap(range, begin_ - start);
        if (begin_ < start + chunk) munmap(reinterpret_cast<void*>(end_), start + chunk - begin_);
        break;
    }
    next_ = begin_;
    next_managed_ = managed_begin_;
    if (end_ > begin_) {
        holes_.emplace(begin_, managed_begin_ - chunk - begin_);
        holes_.emplace(managed_begin_, end_ - managed_begin_);
        map_.lowest_ = std::min(map_.lowest_.load(), begin_);
        map_.highest_ = std::max(map_.highest_.load(), end_);
    }
    users_.assign((end_ - begin_) / chunk, 0);
}

DeviceMemory::~DeviceMemory() {
    const std::lock_guard lock(map_.mutex_);
    std::erase_if(map_.live_, [&](const auto& entry) { return entry.second.owner == number_; });
    map_.devices_[static_cast<std::size_t>(number_)] = nullptr;
    if (shared_file_ >= 0) close(shared_file_);
    if (managed_file_ >= 0) close(managed_file_);
    if (end_ > begin_) munmap(reinterpret_cast<void*>(begin_), end_ - begin_);
}

// With exact rules the gap after each allocation belongs to nobody, so that an access just past the end is
// never another's.
std::uint64_t DeviceMemory::taken_by(std::uint64_t size, MemoryKind kind) const {
    if (has_own_pages(kind)) return round_up(size + unit, host_page());
    if (map_.rules_ == MemoryRules::gpu) return driver_rounds(size);
    return round_up(std::max<std::uint64_t>(size, 1), unit) + unit;
}

bool DeviceMemory::has_own_pages(MemoryKind kind) const {
    return host_pages_ && (kind == MemoryKind::managed || kind == MemoryKind::pinned);
}

void DeviceMemory::separate_host_pages() {
    const std::lock_guard lock(map_.mutex_);
    host_pages_ = true;
}

std::vector<DeviceMemory::Span> DeviceMemory::committed() const {
    const std::lock_guard lock(map_.mutex_);
    std::vector<Span> spans;
    for (std::uint64_t at = begin_, i = 0; at < managed_begin_; at += chunk, ++i) {
        if (at >= next_ && users_[i] == 0) break;
        if (users_[i] == 0) continue;
        if (spans.empty() || spans.back().end != at) spans.push_back({at, at});
        spans.back().end = at + chunk;
    }
    return spans;
}

// Whether the device, and the host behind it, have that much left.
Result<void> DeviceMemory::check_room(std::uint64_t size, MemoryKind kind) const {
    const std::uint64_t most = capacity_ - std::min(capacity_, used_);
    if (counts_as_device(kind) && (size > most || round_up(size, unit) > most))
        return Error{fmt::format("out of device memory: {} asked for, {} of the GPU's {} are free",
                                 bytes_text(size), bytes_text(most), bytes_text(capacity_)),
                     {}};
    const std::uint64_t backed = map_.host_limit_ - std::min(map_.host_limit_, map_.mapped_);
    if (size > backed || (size >= 16 * chunk && size > host_available()))
        return Error{
            fmt::format(
                "out of memory: {} asked for, but this machine, whose memory stands in for the GPU's, "
                "can give only {} more",
                bytes_text(size), bytes_text(std::min(backed, host_available()))),
            {}};
    return {};
}

// At addresses that are the caller's.
Result<void> DeviceMemory::put_memory(std::uint64_t address, std::uint64_t size, MemoryKind kind,
                                      std::string name) {
    const std::uint64_t taken = taken_by(size, kind);
    if (!commit(address, taken))
        return Error{fmt::format("out of memory: the system refuses {} more", bytes_text(size)), {}};
    std::erase_if(map_.freed_, [&](const Allocation& old) {
        return old.address < address + taken && address < old.end();
    });
    map_.live_[address] = Allocation{address, size, kind, std::move(name), false, number_};
    map_.mapped_ += taken;
    if (counts_as_device(kind)) used_ += round_up(size, unit);
    if (kind == MemoryKind::heap) heap_taken_ += heap_share(size);
    return {};
}

Result<std::uint64_t> DeviceMemory::allocate(std::uint64_t size, MemoryKind kind, std::string name) {
    const std::lock_guard lock(map_.mutex_);
    if (auto room = check_room(size, kind); !room) return room.error();
    if (kind == MemoryKind::heap) {
        heap_used_ = true;
        const std::uint64_t left = heap_limit_ - std::min(heap_limit_, heap_taken_);
        if (size > left || heap_share(size) > left)
            return Error{fmt::format("the kernels' heap is full: {} asked for, {} of {} are free",
                                     bytes_text(size), bytes_text(left), bytes_text(heap_limit_)),
                         {}};
    }
    const auto address = take_hole(taken_by(size, kind), alignment_of(size, kind), kind, true);
    if (!address)
        return Error{fmt::format("out of addresses for device memory: {} asked for", bytes_text(size)), {}};
    if (auto put = put_memory(*address, size, kind, std::move(name)); !put) {
        give_hole(*address, taken_by(size, kind));
        return put.error();
    }
    // Others may have had its pages before.
    if (kind == MemoryKind::managed) drop_pages(*address, size);
    return *address;
}

std::uint64_t DeviceMemory::alignment_of(std::uint64_t size, MemoryKind kind) const {
    if (has_own_pages(kind) && size < chunk) return host_page();
    const bool own_pages = map_.rules_ == MemoryRules::exact ? size >= chunk : size > most_in_shared_page;
    return own_pages ? chunk : unit;
}

Result<std::uint64_t> DeviceMemory::reserve(std::uint64_t size, std::uint64_t alignment) {
    const std::lock_guard lock(map_.mutex_);
    const auto address = take_hole(taken_by(size), std::max(alignment, alignment_of(size)));
    if (!address)
        return Error{fmt::format("out of addresses for device memory: {} asked for", bytes_text(size)), {}};
    reserved_[*address] = size;
    return *address;
}

Result<void> DeviceMemory::back(std::uint64_t reserved, MemoryKind kind) {
    const std::lock_guard lock(map_.mutex_);
    const std::uint64_t size = reserved_.at(reserved);
    if (auto room = check_room(size, kind); !room) return room.error();
    return put_memory(reserved, size, kind, {});
}

void DeviceMemory::give_back_addresses(std::uint64_t reserved) {
    const std::lock_guard lock(map_.mutex_);
    const auto it = reserved_.find(reserved);
    if (it == reserved_.end()) return;
    const std::uint64_t size = it->second;
    reserved_.erase(it);
    // Memory that is still there goes, and takes the addresses with it.
    if (!map_.live_.contains(reserved)) give_hole(reserved, taken_by(size));
}

bool DeviceMemory::map(std::uint64_t address, std::uint64_t size, int fd, bool of_host) {
    const std::lock_guard lock(map_.mutex_);
    if (mmap(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
        MAP_FAILED)
        return false;
    mappings_[address] = {size, {}, of_host};
    list_mapped();
    return true;
}

void DeviceMemory::allow(std::uint64_t address, std::uint64_t size, int device, DeviceAccess access) {
    const std::lock_guard lock(map_.mutex_);
    if (const auto one = map_.live_.find(address);
        one != map_.live_.end() && one->second.kind == MemoryKind::device) {
        one->second.access.set(device, access);
        return;
    }
    for (auto it = mappings_.lower_bound(address); it != mappings_.end() && it->first < address + size; ++it)
        it->second.access.set(device, access);
    list_mapped();
}

void DeviceMemory::unmap(std::uint64_t address, std::uint64_t size) {
    const std::lock_guard lock(map_.mutex_);
    std::erase_if(mappings_,
                  [&](const auto& one) { return one.first >= address && one.first < address + size; });
    put_nothing(address, size);
    list_mapped();
}

// What is mapped stands in the table of allocations as far as any device, or the host, may use it.
void DeviceMemory::list_mapped() {
    std::erase_if(map_.live_, [&](const auto& one) {
        return (one.second.kind == MemoryKind::mapped || one.second.kind == MemoryKind::located) &&
               one.second.owner == number_;
    });
    Allocation* last = nullptr;
    for (const auto& [address, mapping] : mappings_) {
        if (mapping.access.read == 0 && !mapping.of_host) continue;
        const MemoryKind kind = mapping.of_host ? MemoryKind::located : MemoryKind::mapped;
        if (last && last->end() == address && last->kind == kind && last->access == mapping.access &&
            !reserved_.contains(address)) {
            last->size += mapping.size;
            continue;
        }
        last = &map_.live_[address];
        *last = Allocation{address, mapping.size, kind, {}, false, number_, mapping.access};
    }
}

Result<void> DeviceMemory::take(std::uint64_t size) {
    const std::lock_guard lock(map_.mutex_);
    if (auto room = check_room(size, MemoryKind::device); !room) return room;
    used_ += size;
    map_.mapped_ += size;
    return {};
}

void DeviceMemory::give(std::uint64_t size) {
    const std::lock_guard lock(map_.mutex_);
    used_ -= size;
    map_.mapped_ -= size;
}

bool DeviceMemory::is_reserved(std::uint64_t address, std::uint64_t size) const {
    auto it = reserved_.upper_bound(address);
    if (it == reserved_.begin()) return false;
    --it;
    return address - it->first <= it->second && size <= it->second - (address - it->first);
}

bool DeviceMemory::release(std::uint64_t address) {
    const std::lock_guard lock(map_.mutex_);
    const auto it = map_.live_.find(address);
    if (it == map_.live_.end() || it->second.owner != number_) return false;
    map_.forget(it);
    return true;
}

std::optional<Allocation> DeviceMemory::release_heap(std::uint64_t address) {
    const std::lock_guard lock(map_.mutex_);
    const auto it = map_.live_.find(address);
    if (it == map_.live_.end() || it->second.kind != MemoryKind::heap || it->second.owner != number_)
        return std::nullopt;
    const Allocation old = it->second;
    map_.forget(it);
    return old;
}

bool DeviceMemory::was_heap(std::uint64_t address) const {
    const std::lock_guard lock(map_.mutex_);
    return std::any_of(map_.freed_.begin(), map_.freed_.end(), [&](const Allocation& old) {
        return old.address == address && old.kind == MemoryKind::heap && old.owner == number_;
    });
}

void DeviceMemory::release_all() {
    const std::lock_guard lock(map_.mutex_);
    for (auto it = map_.live_.begin(); it != map_.live_.end();) {
        const auto one = it++;
        if (one->second.owner == number_) map_.forget(one);
    }
    heap_limit_ = default_heap_bytes;
    heap_used_ = false;
    peers_.clear();
    mappings_.clear();
}

// What was given out is free again.
void DeviceMemory::give_back(const Allocation& old) {
    if (old.kind == MemoryKind::host || old.kind == MemoryKind::mapped) return;
    if (const auto import = imports_.find(old.address); import != imports_.end()) {
        const auto [begin, size] = import->second;
        put_nothing(begin, size);
        give_hole(begin, size);
        imports_.erase(import);
        return;
    }
    if (const auto exported = exports_.find(old.address); exported != exports_.end()) {
        write_slot(shared_file_, end_ - begin_, exported->second.slot, 0);
        exports_.erase(exported);
    }
    const std::uint64_t taken = taken_by(old.size, old.kind);
    decommit(old.address, taken);
    if (!reserved_.contains(old.address)) give_hole(old.address, taken);
    map_.mapped_ -= taken;
    if (counts_as_device(old.kind)) used_ -= round_up(old.size, unit);
    if (old.kind == MemoryKind::heap) heap_taken_ -= heap_share(old.size);
}

bool DeviceMemory::reaches(const Allocation& allocation) const {
    if (allocation.access.of(number_) != DeviceAccess::none) return true;
    if (allocation.kind == MemoryKind::mapped || allocation.kind == MemoryKind::located) return false;
    const bool hosts = !counts_as_device(allocation.kind) && allocation.kind != MemoryKind::imported;
    return allocation.owner == number_ || hosts ||
           ((allocation.kind == MemoryKind::device || allocation.kind == MemoryKind::imported) &&
            peers_.contains(allocation.owner));
}

void DeviceMemory::reach_peer(int other, bool reaches) {
    const std::lock_guard lock(map_.mutex_);
    if (reaches)
        peers_.insert(other);
    else
        peers_.erase(other);
}

bool DeviceMemory::reaches_peer(int other) const {
    const std::lock_guard lock(map_.mutex_);
    return peers_.contains(other);
}

std::optional<Allocation> DeviceMemory::find(std::uint64_t address, std::uint64_t size) const {
    const std::lock_guard lock(map_.mutex_);
    const Allocation* found = map_.holder(address, size);
    if (!found || !reaches(*found)) return std::nullopt;
    if (found->kind == MemoryKind::managed) reached_.insert(found->address);
    Allocation seen = *found;
    if (seen.access.of(number_) == DeviceAccess::read) seen.read_only = true;
    return seen;
}

std::optional<std::string> DeviceMemory::how_to_reach(std::uint64_t address, std::uint64_t size) const {
    const std::lock_guard lock(map_.mutex_);
    const Allocation* found = map_.holder(address, size);
    if (!found || reaches(*found)) return std::nullopt;
    return found->kind == MemoryKind::mapped || found->kind == MemoryKind::located
               ? "cuMemSetAccess gives it"
               : "cudaDeviceEnablePeerAccess gives it, of a pool's memory cudaMemPoolSetAccess";
}

bool DeviceMemory::mapped(std::uint64_t address, std::uint64_t size) const {
    if (address < begin_ || address >= end_ || size > end_ - address) return false;
    const std::uint64_t first = (address - begin_) / chunk, last = (address + size - 1 - begin_) / chunk;
    return users_[first] != 0 && users_[last] != 0;
}

bool DeviceMemory::lets_pass(std::uint64_t address, std::uint64_t size) const {
    if (map_.rules_ != MemoryRules::gpu) return false;
    const std::lock_guard lock(map_.mutex_);
    if (!mapped(address, size)) return false;
    // Constants lie elsewhere on a GPU: nothing reaches them by accident.
    const auto reaches = [&](const Allocation& a) {
        return a.read_only && address < a.end() && a.address < address + size;
    };
    const auto after = map_.live_.lower_bound(address + size);
    return after == map_.live_.begin() || !reaches(std::prev(after)->second);
}

std::string DeviceMemory::what_a_gpu_does(std::uint64_t address, std::uint64_t size) const {
    const std::lock_guard lock(map_.mutex_);
    if (map_.rules_ == MemoryRules::gpu || address < begin_ || address >= end_) return "";
    const auto after = map_.live_.upper_bound(address);
    const Allocation* previous = after == map_.live_.begin() ? nullptr : &std::prev(after)->second;
    if (previous && previous->kind != MemoryKind::host &&
        address + size <= previous->address + driver_rounds(previous->size))
        return "; a GPU lets this pass, as --memory gpu does";
    const bool near_previous = previous && address < previous->end() + chunk;
    const bool near_next = after != map_.live_.end() && after->first - address <= chunk;
    return near_previous || near_next ? "; a GPU may let this pass, as --memory gpu does" : "";
}

bool DeviceMemory::set_heap_limit(std::uint64_t bytes) {
    const std::lock_guard lock(map_.mutex_);
    if (heap_used_) return false;
    heap_limit_ = bytes;
    return true;
}

std::uint64_t DeviceMemory::used() const {
    const std::lock_guard lock(map_.mutex_);
    return used_;
}

std::uint64_t DeviceMemory::available() const {
    const std::lock_guard lock(map_.mutex_);
    const std::uint64_t on_device = capacity_ - std::min(capacity_, used_);
    // Against the memory that the host had at the start: what it has now changes with other programs, and a
    // program that allocates expects to see just that much less.
    std::uint64_t used_by_all = 0;
    for (const DeviceMemory* device : map_.devices_) used_by_all += device ? device->used_ : 0;
    const std::uint64_t backed = map_.host_limit_ - std::min(map_.host_limit_, used_by_all);
    return round_down(std::min(on_device, backed), unit);
}

void DeviceMemory::set_read_only(std::uint64_t address) {
    const std::lock_guard lock(map_.mutex_);
    const auto it = map_.live_.find(address);
    if (it == map_.live_.end()) return;
    it->second.read_only = true;
}

// Next fit: goes on from the last allocation and starts over at the end of the range.
std::optional<std::uint64_t> DeviceMemory::take_hole(std::uint64_t size, std::uint64_t alignment,
                                                     MemoryKind kind, bool apart) {
    const bool managed = kind == MemoryKind::managed;
    apart = apart && large_apart_ && alignment == chunk && kind == MemoryKind::device;
    std::uint64_t& next = managed ? next_managed_ : next_;
    const std::uint64_t lowest = managed ? managed_begin_ : begin_;
    const auto fit = [&](std::map<std::uint64_t, std::uint64_t>::iterator hole,
                         std::uint64_t from) -> std::optional<std::uint64_t> {
        const std::uint64_t hole_begin = hole->first, hole_end = hole->first + hole->second;
        if ((hole_begin >= managed_begin_) != managed) return std::nullopt;
        std::uint64_t address = round_up(std::max(hole_begin, from), alignment);
        // The driver's small allocations do not reach into the next page.
        if (map_.rules_ == MemoryRules::gpu && alignment < chunk &&
            address / chunk != (address + size - 1) / chunk)
            address = round_up(address, chunk);
        if (apart) address += lines_apart((address - begin_) / chunk);
        if (address >= hole_end || hole_end - address < size) return std::nullopt;
        holes_.erase(hole);
        if (address > hole_begin) holes_.emplace(hole_begin, address - hole_begin);
        if (hole_end > address + size) holes_.emplace(address + size, hole_end - address - size);
        next = address + size;
        return address;
    };
    if (map_.rules_ == MemoryRules::gpu) next = lowest;
    auto start = holes_.upper_bound(next);
    if (start != holes_.begin()) --start;
    for (auto hole = start; hole != holes_.end(); ++hole)
        if (const auto address = fit(hole, next)) return address;
    for (auto hole = holes_.begin(); hole != holes_.end(); ++hole)
        if (const auto address = fit(hole, lowest)) return address;
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

void DeviceMemory::watch_managed() {
    const std::lock_guard lock(map_.mutex_);
    const std::uint64_t size = end_ - managed_begin_;
    if (end_ == begin_ || access("/proc/self/pagemap", R_OK) != 0 || !file_may_have(size)) return;
    const int file = memfd_create("lockstep managed memory", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, static_cast<off_t>(size)) == 0 &&
        mmap(reinterpret_cast<void*>(managed_begin_), size, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
             file, 0) != MAP_FAILED)
        managed_file_ = file;
    else if (file >= 0)
        close(file);
}

std::vector<bool> DeviceMemory::touched(const Allocation& managed) const {
    if (managed_file_ < 0 || managed.address < managed_begin_ || managed.address >= end_) return {};
    const std::uint64_t first = managed.address / host_page(), last = (managed.end() - 1) / host_page();
    std::vector<std::uint64_t> entries(last - first + 1);
    const auto bytes = static_cast<ssize_t>(entries.size() * sizeof entries[0]);
    const int table = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (table < 0) return {};
    const bool read = pread(table, entries.data(), static_cast<std::size_t>(bytes),
                            static_cast<off_t>(first * sizeof entries[0])) == bytes;
    close(table);
    if (!read) return {};
    constexpr std::uint64_t present = std::uint64_t{1} << 63;
    std::vector<bool> blocks((managed.size + managed_block - 1) / managed_block);
    for (std::uint64_t i = 0; i < entries.size(); ++i) {
        const std::uint64_t at = std::max((first + i) * host_page(), managed.address) - managed.address;
        if (entries[i] & present) blocks[at / managed_block] = true;
    }
    return blocks;
}

void DeviceMemory::forget_touches(const Allocation& managed) { drop_pages(managed.address, managed.size); }

// Neighbours in the same pages are forgotten with them.
void DeviceMemory::drop_pages(std::uint64_t address, std::uint64_t size) {
    if (managed_file_ < 0 || address < managed_begin_ || address >= end_) return;
    const std::uint64_t begin = round_down(address, host_page()), end = round_up(address + size, host_page());
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

std::set<std::uint64_t> DeviceMemory::take_reached() {
    const std::lock_guard lock(map_.mutex_);
    return std::exchange(reached_, {});
}

bool DeviceMemory::open_shared_file() {
    if (shared_file_ >= 0) return true;
    if (!file_may_have(end_ - begin_ + slots_bytes)) return false;
    // It is as large as the range and holds only what is shared. Who gets it from a socket knows by its name
    // what it is (session/shared-files.h).
    shared_file_ = memfd_create(fmt::format("lockstep device {}", number_).c_str(), MFD_CLOEXEC);
    if (shared_file_ < 0) return false;
    if (ftruncate(shared_file_, static_cast<off_t>(end_ - begin_ + slots_bytes)) == 0) return true;
    close(std::exchange(shared_file_, -1));
    return false;
}

int DeviceMemory::shared_file() {
    const std::lock_guard lock(map_.mutex_);
    return open_shared_file() ? shared_file_ : -1;
}

bool DeviceMemory::share_pages(std::uint64_t address, std::uint64_t size) {
    const std::uint64_t first = (address - begin_) / chunk, last = (address + size - 1 - begin_) / chunk;
    for (std::uint64_t i = first; i <= last; ++i) {
        if (shared_.contains(i)) continue;
        auto* const begin = reinterpret_cast<std::byte*>(begin_ + i * chunk);
        const auto offset = static_cast<off_t>(i * chunk);
        // What was never written is not in the file, either.
        constexpr std::size_t piece = 64 << 10;
        for (std::size_t at = 0; at < chunk; at += piece) {
            const auto is_zero = [](std::byte b) { return b == std::byte{0}; };
            if (std::all_of(begin + at, begin + at + piece, is_zero)) continue;
            if (pwrite(shared_file_, begin + at, piece, offset + static_cast<off_t>(at)) !=
                static_cast<ssize_t>(piece))
                return false;
        }
        if (mmap(begin, chunk, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, shared_file_, offset) ==
            MAP_FAILED)
            return false;
        shared_.insert(i);
    }
    return true;
}

Result<DeviceMemory::Shared> DeviceMemory::share(const Allocation& allocation) {
    const std::lock_guard lock(map_.mutex_);
    if (const auto known = exports_.find(allocation.address); known != exports_.end()) return known->second;
    std::set<std::uint64_t> taken;
    for (const auto& [address, other] : exports_) taken.insert(other.slot);
    std::uint64_t slot = 0;
    while (taken.contains(slot)) ++slot;
    if (slot >= share_slots)
        return Error{fmt::format("{} allocations are shared with other processes already", share_slots), {}};
    const std::uint64_t serial = last_serial_ + 1;
    if (!open_shared_file() || !share_pages(allocation.address, allocation.size) ||
        !write_slot(shared_file_, end_ - begin_, slot, serial))
        return Error{"the system refuses memory that processes share", {}};
    last_serial_ = serial;
    return exports_[allocation.address] =
               Shared{shared_file_, allocation.address - begin_, allocation.size, slot, serial};
}

// What other processes still have of it is zero from now on.
void DeviceMemory::unshare(std::uint64_t first, std::uint64_t last) {
    put_nothing(begin_ + first * chunk, (last - first) * chunk);
    fallocate(shared_file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(first * chunk),
              static_cast<off_t>((last - first) * chunk));
    shared_.erase(shared_.lower_bound(first), shared_.lower_bound(last));
}

Result<std::uint64_t> DeviceMemory::import(const Shared& other, bool& gone) {
    const auto& [file, offset, size, slot, serial] = other;
    struct stat status{};
    std::uint64_t found = 0;
    gone = fstat(file, &status) != 0 || slot >= share_slots || offset + size < offset ||
           static_cast<std::uint64_t>(status.st_size) < slots_bytes + offset + size ||
           pread(file, &found, sizeof found, status.st_size - static_cast<off_t>(slots_bytes - slot * 8)) !=
               sizeof found ||
           found != serial;
    if (gone) return Error{"the memory was freed by the process that had allocated it", {}};
    const std::lock_guard lock(map_.mutex_);
    const std::uint64_t begin = round_down(offset, chunk), taken = round_up(offset + size, chunk) - begin;
    const auto address = take_hole(taken, chunk);
    if (!address) return Error{"out of addresses for memory of another process", {}};
    if (mmap(reinterpret_cast<void*>(*address), taken, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
             static_cast<off_t>(begin)) == MAP_FAILED) {
        give_hole(*address, taken);
        return Error{"the system refuses to map memory of another process", {}};
    }
    const std::uint64_t at = *address + (offset - begin);
    map_.live_[at] = Allocation{at, size, MemoryKind::imported, {}, false, number_};
    imports_[at] = {*address, taken};
    return at;
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
    if (map_.rules_ == MemoryRules::gpu) return;
    const std::uint64_t first = (begin - begin_) / chunk, last = (begin + size - 1 - begin_) / chunk;
    for (std::uint64_t i = first; i <= last; ++i) --users_[i];
    std::uint64_t from = first, to = last + 1;
    if (users_[from] != 0) ++from;
    if (to > from && users_[to - 1] != 0) --to;
    if (to <= from) return;
    if (managed_file_ >= 0 && begin_ + from * chunk >= managed_begin_)
        fallocate(managed_file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(begin_ + from * chunk - managed_begin_),
                  static_cast<off_t>((to - from) * chunk));
    if (const auto shared = shared_.lower_bound(from); shared != shared_.end() && *shared < to)
        return unshare(from, to);
    void* start = reinterpret_cast<void*>(begin_ + from * chunk);
    madvise(start, (to - from) * chunk, MADV_DONTNEED);
    mprotect(start, (to - from) * chunk, PROT_NONE);
}

}  // namespace lockstep::exec
