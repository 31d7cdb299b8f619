#include "check/barriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace lockstep::check {

Barriers::Barriers(const KernelCode& code, std::uint32_t threads, Findings& findings, Who who)
    : code_(code),
      threads_(threads),
      warps_((threads + warp_lanes - 1) / warp_lanes),
      findings_(findings),
      who_(std::move(who)) {}

void Barriers::begin() {
    current_ = &blocks_[number_];
    if (!unused_.empty()) {
        *current_ = std::move(unused_.back());
        unused_.pop_back();
    }
    current_->warps.assign(warps_, {});
}

void Barriers::block_ended(std::uint64_t number) {
    const auto found = blocks_.find(number);
    if (found == blocks_.end()) return;
    if (!found->second.here.empty()) complete(number, found->second);
    unused_.push_back(std::move(found->second));
    blocks_.erase(found);
    current_ = nullptr;
}

// They are let go: all threads of the block should have been there, at one place of the source.
void Barriers::tell(std::uint64_t number, const Block& block) {
    std::array<Lanes, most_warps> came{};
    std::uint32_t threads = 0;
    for (const Arrival& arrival : block.here) came[arrival.warp] |= arrival.lanes;
    for (const Lanes lanes : came) threads += static_cast<std::uint32_t>(std::popcount(lanes));
    const Arrival first = block.here.front();
    const Arrival* other = nullptr;
    for (const Arrival& arrival : block.here) {
        if (arrival.site == first.site) continue;
        const Place place = code_.place(first.site, "barrier"), its = code_.place(arrival.site, "barrier");
        if (its.file != place.file || its.line != place.line) other = &arrival;
    }
    const auto who = [&](const Arrival& arrival) {
        return who_(static_cast<std::uint32_t>(number), arrival.warp, std::countr_zero(arrival.lanes));
    };
    if (other) {
        Finding finding{.kind_of = Class::sync, .kind = "different-barriers", .kernel = code_.name};
        finding.message =
            "threads of a block wait for each other at different __syncthreads(): all threads of a block "
            "have to "
            "come to the same one";
        finding.advice = "move the barrier out of the condition, so that there is one for all threads";
        finding.places = {code_.place(first.site, "barrier", who(first)),
                          code_.place(other->site, "barrier", who(*other))};
        finding.own_places = 2;
        for (const Arrival& arrival : {first, *other}) code_.add_callers(finding.places, arrival.site);
        findings_.add(std::move(finding));
    } else if (threads < threads_) {
        Finding finding{.kind_of = Class::sync, .kind = "divergent-barrier", .kernel = code_.name};
        std::string absent;
        bool within_warp = false;
        for (std::uint32_t w = 0; w < warps_; ++w) {
            const std::uint32_t of_warp = std::min<std::uint32_t>(threads_ - w * warp_lanes, warp_lanes);
            const Lanes all = of_warp == warp_lanes ? ~Lanes{0} : (Lanes{1} << of_warp) - 1;
            const Lanes missing = all & ~came[w];
            within_warp |= missing && came[w];
            if (missing && absent.empty())
                absent = who_(static_cast<std::uint32_t>(number), w, std::countr_zero(missing));
        }
        finding.message = fmt::format(
            "__syncthreads() is reached by {} of the {} threads of a block: {} is not there (it has "
            "returned, or "
            "the condition around the barrier is false for it)",
            threads, threads_, absent);
        finding.advice =
            "all threads of a block have to reach the barrier: move it out of the condition, and let threads "
            "without work go on to it instead of returning";
        finding.places = {code_.place(first.site, "barrier", who(first))};
        code_.add_callers(finding.places, first.site);
        finding.details = {{"divergent_in", within_warp ? "warp" : "block"}};
        findings_.add(std::move(finding));
    }
}

void Barriers::meet(std::uint32_t warp, std::uint32_t site, Lanes lanes, Lanes named, Lanes unanswered) {
    const Lanes missing = named & ~lanes, unnamed = named ? lanes & ~named : 0;
    if (!unanswered && !missing && !unnamed) return;
    Finding finding{.kind_of = Class::sync, .kind = "missing-lane", .kernel = code_.name};
    const auto number = static_cast<std::uint32_t>(number_);
    if (unnamed) {
        finding.message = fmt::format(
            "lanes call a warp function with a mask that does not name them: {:#010x} is named, {:#010x} "
            "calls",
            named, lanes);
        finding.advice =
            "each calling lane has to be in its mask: name all that call, or let only those call";
        finding.places = {code_.place(site, "warp function", who_(number, warp, std::countr_zero(unnamed)))};
    } else if (unanswered) {
        const int lane = std::countr_zero(unanswered);
        finding.message =
            "a shuffle takes the value of a lane that does not take part (it has returned, is masked out, or "
            "is "
            "elsewhere): what it gets is undefined";
        finding.advice =
            "keep all lanes that the mask names in the code until the shuffle, or make the mask with "
            "__ballot_sync and read only lanes in it";
        finding.places = {code_.place(site, "shuffle", who_(number, warp, lane))};
    } else {
        finding.message = fmt::format(
            "the mask of a warp function names lanes that do not come: {:#010x} is named, {:#010x} is here",
            named, lanes);
        finding.advice = "name the lanes that come, or let all that are named come to it";
        finding.places = {code_.place(site, "warp function", who_(number, warp, std::countr_zero(lanes)))};
    }
    code_.add_callers(finding.places, site);
    findings_.add(std::move(finding));
}

std::vector<Place> Barriers::waiting() const {
    std::vector<Place> places;
    const auto add = [&](std::uint64_t number, const Arrival& arrival) {
        Place place = code_.place(
            arrival.site, "waits",
            who_(static_cast<std::uint32_t>(number), arrival.warp, std::countr_zero(arrival.lanes)));
        const auto same = [&](const Place& p) { return p.file == place.file && p.line == place.line; };
        if (std::none_of(places.begin(), places.end(), same)) places.push_back(std::move(place));
    };
    for (const auto& [number, block] : blocks_) {
        for (const Arrival& arrival : block.here)
            if (block.warps[arrival.warp].waiting & arrival.lanes) add(number, arrival);
        for (std::uint32_t w = 0; w < warps_; ++w)
            if (const Warp& warp = block.warps[w]; warp.elsewhere)
                add(number, {w, warp.site, warp.elsewhere});
    }
    return places;
}

}  // namespace lockstep::check
