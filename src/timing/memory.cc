#include "timing/memory.h"

#include <bit>

namespace lockstep::timing {

double dram_efficiency(const gpu::TimingFigures& figures, double read_bytes, double write_bytes) {
    const double all = read_bytes + write_bytes;
    const double reads = all > 0 ? read_bytes / all : 1;
    const double straight = reads * figures.dram_read_efficiency + (1 - reads) * figures.dram_write_efficiency;
    const double middle = (figures.dram_read_efficiency + figures.dram_write_efficiency) / 2;
    return straight - (middle - figures.dram_mixed_efficiency) * 4 * reads * (1 - reads);
}

MemorySystem::MemorySystem(const gpu::GpuModel& gpu, double share, const L2Outcome* l2, std::size_t sites)
    : figures_(gpu.timing),
      dram_extra_latency_(std::max(0, gpu.memory_latency_cycles - gpu.timing.l2_latency)),
      read_cost_(1 / (gpu.timing.l2_read_bytes_per_cycle * share)),
      write_cost_(1 / (gpu.timing.l2_write_bytes_per_cycle * share)),
      request_cost_(1 / (gpu.timing.l2_requests_per_cycle * share)),
      atomic_cost_(1 / (gpu.timing.atomics_per_cycle * share)),
      same_address_cost_(1 / (gpu.timing.same_address_atomics_per_cycle * share)),
      outcome_(l2) {
    const double bytes_per_cycle = gpu.memory_bandwidth_gbs * 1000.0 / gpu.clock_mhz;
    const double efficiency =
        l2 ? dram_efficiency(figures_, l2->read_bytes, l2->write_bytes) : figures_.dram_mixed_efficiency;
    dram_cost_ = 1 / (bytes_per_cycle * efficiency * share);
    if (l2) {
        credit_.assign(sites, 0.5);
        write_back_share_ = l2->written_bytes > 0 ? std::min(1.0, l2->write_bytes / l2->written_bytes) : 0;
    } else {
        cache_ = std::make_unique<Cache>(gpu.timing.l2_effective_bytes / line_bytes);
    }
}

void MemorySystem::credit(std::uint32_t site, std::uint32_t sectors) {
    if (outcome_) credit_[site] += outcome_->miss_share[site] * sectors;
}

std::uint32_t MemorySystem::misses(const Line& line, std::uint32_t site) {
    const auto wanted = static_cast<std::uint32_t>(std::popcount(line.sectors));
    if (outcome_) {
        const auto owed = static_cast<std::uint32_t>(std::max(0.0, credit_[site]));
        const std::uint32_t missing = std::min(owed, wanted);
        credit_[site] -= missing;
        return missing;
    }
    const std::uint64_t number = line.address / line_bytes;
    CacheLine* known = cache_->find(number);
    if (!known) {
        CacheLine evicted;
        known = &cache_->insert(number, evicted);
        if (evicted.dirty) {
            const double bytes = std::popcount(evicted.dirty) * sector_bytes;
            dram_.take(dram_.free, bytes * dram_cost_);
            totals_.dram_write_bytes += bytes;
        }
    }
    auto missing = static_cast<std::uint8_t>(line.sectors & ~known->valid);
    const auto count = static_cast<std::uint32_t>(std::popcount(missing));
    if (figures_.dram_fetch_bytes > static_cast<int>(sector_bytes))
        missing = static_cast<std::uint8_t>((missing & 3 ? 3 : 0) | (missing & 12 ? 12 : 0));
    known->valid |= missing | line.sectors;
    return count;
}

// From device memory into the L2: a miss brings more than its own sector, so that neighbours come together.
double MemorySystem::fetch(std::uint32_t sectors, double now) {
    const auto granule = static_cast<std::uint32_t>(figures_.dram_fetch_bytes);
    const std::uint32_t bytes = (sectors * sector_bytes + granule - 1) / granule * granule;
    const double begun = dram_.take(now, bytes * dram_cost_);
    totals_.dram_read_bytes += bytes;
    return begun - now + bytes * dram_cost_ + dram_extra_latency_;
}

double MemorySystem::read(const Line& line, std::uint32_t accessed, std::uint32_t site, double now) {
    const auto wanted = static_cast<std::uint32_t>(std::popcount(line.sectors));
    credit(site, accessed);
    const double cost = std::max(wanted * sector_bytes * read_cost_, request_cost_);
    const double begun = l2_read_.take(now, cost);
    const std::uint32_t missing = misses(line, site);
    totals_.l2_reads += wanted;
    totals_.l2_hits += wanted - missing;
    double arrives = begun + cost + figures_.l2_latency;
    if (missing) arrives += fetch(missing, begun);
    return arrives;
}

double MemorySystem::write(const Line& line, double now) {
    const auto wanted = static_cast<std::uint32_t>(std::popcount(line.sectors));
    const double cost = std::max(wanted * sector_bytes * write_cost_, request_cost_);
    const double begun = l2_write_.take(now, cost);
    totals_.l2_writes += wanted;
    totals_.l2_hits += wanted;
    double accepted = begun + cost;
    if (outcome_) {
        const double bytes = wanted * sector_bytes * write_back_share_;
        const double written = dram_.take(begun, bytes * dram_cost_);
        totals_.dram_write_bytes += bytes;
        accepted = std::max(accepted, written);
    } else {
        const std::uint64_t number = line.address / line_bytes;
        CacheLine* known = cache_->find(number);
        if (!known) {
            CacheLine evicted;
            known = &cache_->insert(number, evicted);
            if (evicted.dirty) {
                const double bytes = std::popcount(evicted.dirty) * sector_bytes;
                accepted = std::max(accepted, dram_.take(begun, bytes * dram_cost_));
                totals_.dram_write_bytes += bytes;
            }
        }
        known->valid |= line.sectors;
        known->dirty |= line.sectors;
    }
    return accepted;
}

double MemorySystem::atomic(const Line& line, std::uint32_t lanes, bool one_address, std::uint32_t site,
                            double now) {
    credit(site, static_cast<std::uint32_t>(std::popcount(line.sectors)));
    const double cost = lanes * (one_address ? same_address_cost_ : atomic_cost_);
    const double begun = atomics_.take(now, cost);
    const std::uint32_t missing = misses(line, site);
    const auto wanted = static_cast<double>(std::popcount(line.sectors));
    totals_.l2_reads += wanted;
    totals_.l2_hits += wanted - missing;
    double arrives = begun + cost + figures_.atomic_latency;
    if (missing) arrives += fetch(missing, begun);
    return arrives;
}

}  // namespace lockstep::timing
