#include "check/race-log.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/accesses.h"

namespace lockstep::check {

void RaceLog::note(const Side& first, const Side& second, std::uint64_t address) {
    note(first, second,
         first.block != second.block ? Scope::grid
         : first.warp != second.warp ? Scope::block
                                     : Scope::warp,
         address);
}

void RaceLog::note_copy(const Side& copy, const Side& access) { note(copy, access, Scope::thread, 0); }

void RaceLog::note(const Side& first, const Side& second, Scope scope, std::uint64_t address) {
    Seen& seen = seen_[{std::min(first.site, second.site), std::max(first.site, second.site), address == 0}];
    const auto &one = code_.sites[first.site].value, &other = code_.sites[second.site].value;
    seen.same_value &= one && other && *one == *other;
    if (++seen.count > 1 && scope <= seen.scope) return;
    seen.scope = scope;
    seen.first = first;
    seen.second = second;
    seen.address = address;
}

Finding RaceLog::finding(const Seen& seen) const {
    const bool shared = seen.address == 0;
    const auto facts_of = [&](std::uint32_t site) {
        return (shared ? code_.asynchronous(site) : std::nullopt).value_or(code_.sites[site]);
    };
    const SiteFacts first = facts_of(seen.first.site), second = facts_of(seen.second.site);
    const auto verb = [](const SiteFacts& facts) {
        return facts.atomic ? "atomic" : facts.writes ? "write" : "read";
    };
    const auto with_article = [&](const SiteFacts& facts) {
        return fmt::format("{} {}", facts.atomic ? "an" : "a", verb(facts));
    };
    Finding finding{.kind_of = Class::race, .kernel = code_.name, .count = seen.count};
    finding.own_places = 2;
    for (const Side& side : {seen.first, seen.second})
        finding.places.push_back(
            code_.place(side.site, verb(facts_of(side.site)), who_(side.block, side.warp, side.lane)));
    const Place &a = finding.places[0], &b = finding.places[1];
    const std::string between =
        a.file == b.file && a.line == b.line ? fmt::format("the accesses of line {}", a.line)
        : a.file == b.file
            ? fmt::format("lines {} and {}", std::min(a.line, b.line), std::max(a.line, b.line))
            : fmt::format("{}:{} and {}:{}", a.file, a.line, b.file, b.line);
    finding.kind = first.atomic != second.atomic   ? "race-atomic"
                   : seen.scope == Scope::grid     ? "race-blocks"
                   : seen.scope == Scope::warp     ? "race-warp"
                   : first.writes && second.writes ? "race-write-write"
                                                   : "race-read-write";
    finding.message = fmt::format("{} and {} of the same {} memory by threads of {}, which nothing orders",
                                  with_article(first), with_article(second), shared ? "shared" : "global",
                                  seen.scope == Scope::grid     ? "different blocks"
                                  : seen.scope == Scope::thread ? "a block"
                                  : seen.scope == Scope::warp   ? "one warp"
                                                                : "different warps of a block");
    finding.details = {{"space", shared ? "shared" : "global"}};
    const auto asynchronous = [&](const Side& side) {
        return shared && code_.asynchronous(side.site).has_value();
    };
    const auto what = [&](const Side& side) {
        return code_.sites[side.site].product ? "wgmma" : "a bulk copy";
    };
    if (seen.scope == Scope::thread && asynchronous(seen.first) && !first.writes) {
        finding.message = fmt::format(
            "{} of shared memory that {} may still read: it reads by itself until its group was "
            "waited for",
            with_article(second), what(seen.first));
        finding.advice =
            code_.sites[seen.first.site].product
                ? "wait for the products (wgmma.wait_group) before, and let who writes there wait "
                  "for that: an 'empty' barrier at which readers arrive behind their wait"
                : "wait for the copy's group before (cp.async.bulk.wait_group.read), with a "
                  "__syncthreads() behind it where others write";
    } else if (seen.scope != Scope::thread && asynchronous(seen.second)) {
        finding.message =
            second.writes
                ? fmt::format(
                      "a bulk copy overwrites shared memory that another thread may still {}: nothing "
                      "orders them",
                      verb(first))
                : fmt::format(
                      "{} reads shared memory that another thread may still write: nothing orders them",
                      what(seen.second));
        finding.advice = fmt::format(
            "put a __syncthreads() between {}, or a barrier in shared memory at which threads arrive when "
            "they "
            "are done there, and for which the thread waits that starts it",
            between);
    } else if (seen.scope == Scope::thread && asynchronous(seen.first)) {
        finding.places[0].role = "copied";
        finding.message = fmt::format(
            "{} of shared memory that a bulk copy writes, by a thread that does not know it to have arrived",
            with_article(second));
        finding.advice =
            "wait for the phase of the copy's barrier before (mbarrier.try_wait, cuda::barrier's wait): "
            "__syncthreads() does not wait for bulk copies";
    } else if (seen.scope == Scope::thread) {
        const bool own = seen.first.warp == seen.second.warp && seen.first.lane == seen.second.lane;
        finding.message = fmt::format(
            "{} of shared memory that an asynchronous copy of {} thread writes, for which {} has not waited",
            with_article(second), own ? "the same" : "another", own ? "it" : "that one");
        finding.advice = fmt::format(
            "wait for the copy's group before (__pipeline_wait_prior, cp.async.wait_group, or the "
            "pipeline's consumer_wait){}",
            own ? "" : ": each thread for its own copies, and then a __syncthreads()");
    } else if (seen.same_value) {
        finding.rank = Rank::warning;
        finding.message += fmt::format("; all of them write the value {:#x}", *first.value);
        finding.advice =
            "let one thread write it, or use an atomic: that all write the same value does not make it "
            "defined";
    } else if (first.strong && second.strong && seen.scope == Scope::grid) {
        finding.advice = "use atomics with device scope (atomicAdd instead of atomicAdd_block)";
    } else if (first.atomic != second.atomic) {
        finding.advice = "use an atomic, or a volatile or cuda::atomic_ref access, on both sides";
    } else if (seen.scope == Scope::grid) {
        finding.advice =
            "__syncthreads() orders one block only: write to other memory than is read, or split the kernel "
            "in "
            "two launches";
    } else if (a.line == b.line && a.file == b.file && first.writes && second.writes && !first.reads) {
        finding.advice =
            "let each thread write to an element of its own, or one thread alone, or combine the values by "
            "an "
            "atomic";
    } else {
        finding.advice = fmt::format("put a {} between {}",
                                     seen.scope == Scope::warp ? "__syncwarp()" : "__syncthreads()", between);
    }
    for (const Side& side : {seen.first, seen.second}) code_.add_callers(finding.places, side.site);
    if (!shared && history_)
        for (Place& place : history_(seen.address)) finding.places.push_back(std::move(place));
    return finding;
}

std::set<std::uint32_t> RaceLog::racing() const {
    std::set<std::uint32_t> sites;
    for (const auto& [pair, _] : seen_) sites.insert({std::get<0>(pair), std::get<1>(pair)});
    return sites;
}

void RaceLog::finish() {
    // Several instructions of a line are one access to who reads the source.
    std::map<std::tuple<std::string, int, std::string, int, bool>, Seen> by_lines;
    for (const auto& [sites, seen] : seen_) {
        const Place one = code_.place(std::get<0>(sites), ""), other = code_.place(std::get<1>(sites), "");
        const bool swapped = std::tie(other.file, other.line) < std::tie(one.file, one.line);
        const Place &low = swapped ? other : one, &high = swapped ? one : other;
        const auto [at, fresh] =
            by_lines.try_emplace({low.file, low.line, high.file, high.line, std::get<2>(sites)}, seen);
        if (fresh) continue;
        Seen& joined = at->second;
        const std::uint64_t count = joined.count + seen.count;
        const bool same_value = joined.same_value && seen.same_value;
        if (seen.scope > joined.scope) joined = seen;
        joined.count = count;
        joined.same_value = same_value;
    }
    for (const auto& [_, seen] : by_lines) findings_.add(finding(seen));
}

}  // namespace lockstep::check
