#include "timing/trace.h"

#include <algorithm>
#include <bit>

#include "counters/banks.h"
#include "counters/memory-at.h"
#include "counters/slow-ways.h"
#include "events/visit.h"

namespace lockstep::timing {
namespace {

using counters::Memory;
using kernel::LaneMask;
using kernel::SiteKind;

}  // namespace

class TraceMaker::Impl {
  public:
    Impl(const Code& code, const kernel::Kernel& kernel, std::span<const counters::MachineAccess> accesses,
         double most, bool each)
        : code_(code),
          kernel_(kernel),
          accesses_(accesses),
          most_(most),
          each_(each),
          remembered_(kernel.sites.size()) {
        // In which region's section a site stands, and where in it.
        ordinal_.assign(kernel.sites.size(), Op::no_access);
        for (const kernel::Site& site : kernel.sites)
            region_of_.push_back(code.issued_with[kernel.first_block(site.function) + site.block]);
        for (std::uint32_t region = 0; region < code.regions.size(); ++region) {
            const auto& sites = code.regions[region].once.sites;
            for (std::size_t i = 0; i < sites.size(); ++i)
                if (sites[i] < ordinal_.size())
                    ordinal_[sites[i]] = static_cast<std::uint16_t>(i), region_of_[sites[i]] = region;
        }
    }

    BlockTrace run(const RecordedBlock& recorded, bool lanes) {
        BlockTrace trace;
        lanes_ = lanes;
        out_ = &trace;
        ++made_;
        trace.block = recorded.block;
        trace.record_bytes = recorded.record_bytes;
        std::uint64_t kept = 0;
        bool cut = false;
        for (std::size_t w = 0; w < recorded.warps.size(); ++w) {
            warp_number_ = w;
            warp_ = &recorded.warps[w];
            steps_ = &trace.warps.emplace_back();
            const std::span<const std::byte> records = upto_cut();
            cut |= warp_->cut || records.size() < warp_->records.size();
            read(records);
            kept += events::whole_bytes(records);
            join_turns();
        }
        if (cut) trace.phases.clear();  // what is not here would be waited for in vain
        // A block that did nothing observable still has a warp that starts and ends.
        if (trace.warps.empty()) trace.warps.emplace_back();
        if (trace.record_bytes)
            trace.kept = static_cast<double>(kept) / static_cast<double>(trace.record_bytes);
        return trace;
    }

  private:
    // The warp's records, without those that come after too many instructions; never none of them.
    std::span<const std::byte> upto_cut() const {
        const std::span<const std::byte> all = warp_->records;
        if (std::isinf(most_)) return all;
        double instructions = 0;
        const std::byte* cut = all.data() + all.size();
        events::visit(all, [&](std::uint32_t number, const auto& record) {
            if constexpr (std::is_same_v<decltype(record), const events::BlockRecord&>) {
                if (instructions >= most_) {
                    cut = std::min(cut, reinterpret_cast<const std::byte*>(&record));
                    return;
                }
                instructions += issued_by(number);
                for (const std::uint32_t block : code_.follows[number]) instructions += issued_by(block);
            }
            if constexpr (std::is_same_v<decltype(record), const events::SlowWayRecord&>)
                instructions += routine_of(number, record).issues;
        });
        return all.first(static_cast<std::size_t>(cut - all.data()));
    }

    std::uint32_t issued_by(std::uint32_t block) const {
        return code_.issued_with[block] == block ? code_.regions[block].once.instructions : 0;
    }

    void read(std::span<const std::byte> records) {
        events::visit_as_recorded(
            records,
            events::Visitor{
                [&](std::uint32_t number, const events::BlockRecord& record) {
                    enter(number, record.mask);
                    for (std::uint32_t block : code_.follows[number]) enter(block, record.mask);
                },
                [&](std::uint32_t number, const events::LinearAccess& record) {
                    regular(number, record, [&] {
                        std::uint64_t addresses[kernel::warp_lanes];
                        events::lane_addresses(record, addresses);
                        access(number, LaneMask(record.mask), addresses);
                    });
                },
                [&](std::uint32_t number, const events::RowsAccess& record) {
                    regular(number, record,
                            [&] { access(number, LaneMask(record.mask), record.scattered().addresses); });
                },
                [&](std::uint32_t number, const events::ScatteredAccess& record) {
                    access(number, LaneMask(record.mask), record.addresses);
                },
                [&](std::uint32_t number, const events::TextureAccess& record) { texture(number, record); },
                [&](std::uint32_t number, const events::BulkAccess& record) { bulk(number, record); },
                [&](std::uint32_t number, const events::PhaseRecord& record) { phase(number, record); },
                [&](std::uint32_t number, const events::SlowWayRecord& record) { slow_way(number, record); },
                [&](std::uint32_t number, const events::MatchRecord& record) { match(number, record); },
                [&](std::uint32_t number, const events::SplitRecord&) {
                    if (Step* step = find_step(code_.issued_with[number])) step->split = true;
                },
            });
    }

    void enter(std::uint32_t block, events::WarpBits mask) {
        if (code_.issued_with[block] != block) return;
        const Section& section = code_.regions[block].once;
        steps_->steps.push_back({block, static_cast<std::uint32_t>(steps_->accesses.size()),
                                 static_cast<std::uint8_t>(std::popcount(mask)), mask, false, false});
        steps_->accesses.insert(steps_->accesses.end(), section.sites.size(), WarpTrace::no_access);
        for (const SpillAccess& spill : section.spills) add_spill(spill);
    }

    // Words of a warp's lanes side by side, behind all that the kernel itself has in local memory.
    void add_spill(const SpillAccess& spill) {
        Access access;
        access.site = static_cast<std::uint32_t>(kernel_.sites.size());
        access.first_line = static_cast<std::uint32_t>(out_->lines.size());
        access.lines = spill.words;
        access.sectors = static_cast<std::uint16_t>(spill.words * counters::line_sectors);
        access.lanes = kernel::warp_lanes;
        access.lane_bytes = static_cast<std::uint8_t>(4 * spill.words);
        access.memory = Memory::local;
        access.kind = spill.load ? kernel::SiteKind::load : kernel::SiteKind::store;
        for (std::uint32_t word = 0; word < spill.words; ++word)
            out_->lines.push_back({own_memory() + (std::uint64_t{1} << 39) + (spill.slot + word) * line_bytes,
                                   counters::sectors_between(0, line_bytes - 1)});
        steps_->accesses[steps_->steps.back().first_access + spill.access] =
            static_cast<std::uint32_t>(out_->accesses.size());
        out_->accesses.push_back(access);
    }

    Step* find_step(std::uint32_t region) {
        auto& steps = steps_->steps;
        for (std::size_t i = steps.size(); i-- > 0;)
            if (steps[i].region == region) return &steps[i];
        return nullptr;
    }

    static bool is_one_address(LaneMask mask, const std::uint64_t* addresses) {
        const std::uint64_t first = addresses[mask.first()];
        if (addresses[mask.last()] != first) return false;
        bool same = true;
        mask.for_each([&](int lane) { same &= addresses[lane] == first; });
        return same;
    }

    // What the L2 does for an atomic: a pass takes up a word of each lane in a part of a line, and further
    // ones the lanes that want the same word. Operands of two words, and wide ones, leave room for fewer
    // lanes.
    static void count_passes(Access& access, LaneMask mask, const std::uint64_t* addresses) {
        std::uint64_t own[kernel::most_lanes];
        int count = 0;
        mask.for_each([&](int lane) { own[count++] = addresses[lane]; });
        std::sort(own, own + count);
        const std::uint64_t part = access.adds_floats && access.lane_bytes > 4 ? sector_bytes / 4
                                   : access.compares || access.lane_bytes > 4  ? sector_bytes / 2
                                                                               : sector_bytes;
        int most = 0, passes = 0, in_part = 0, run = 0;
        for (int i = 0; i < count; ++i) {
            run = i && own[i] == own[i - 1] ? run + 1 : 1;
            if (!i || own[i] / part != own[i - 1] / part) passes += std::exchange(in_part, 0);
            in_part = std::max(in_part, run);
            most = std::max(most, run);
        }
        access.meeting = static_cast<std::uint8_t>(most);
        access.passes = static_cast<std::uint8_t>(passes + in_part);
    }

    // A lane of a generic access may be in any memory; the hardware asks each, and we follow the most lanes.
    Memory memory_of(ptx::Space space, LaneMask mask, const std::uint64_t* addresses) const {
        return counters::memory_at(space, addresses[mask.first()], warp_->windows);
    }

    // Lanes in rows touch the same lines and banks wherever they begin, from there on: found once. `find`
    // adds the access as any other.
    template <class Record, class Find>
    void regular(std::uint32_t site, const Record& record, Find find) {
        const counters::MachineAccess& machine = accesses_[site];
        const ptx::Space space = kernel_.sites[site].space;
        const bool shared = space == ptx::Space::shared;
        const bool own_words = machine.tries_again || machine.adds_floats || machine.spin_instructions;
        if (lanes_ || own_words || (space != ptx::Space::global && !shared) ||
            (shared && !warp_->windows.shared.contains(record.first)))
            return find();
        AccessForm form = form_of(record);
        form.start = record.first % (shared ? counters::bank_bytes : line_bytes);
        const std::uint64_t begin = shared ? 0 : record.first - form.start;
        if (!remembered_[site]) remembered_[site] = std::make_unique<SiteForms>();
        Remembered& known = (*remembered_[site])[shared ? 0 : form.start * known_forms / line_bytes];
        const std::size_t accesses = out_->accesses.size(), lines = out_->lines.size();
        if (known.form != form) {
            find();
            if (out_->accesses.size() == accesses) return;
            known.form = form;
            known.index = static_cast<std::uint32_t>(accesses);
            known.made = made_;
            known.access = out_->accesses.back();
            known.lines.assign(out_->lines.begin() + static_cast<std::ptrdiff_t>(lines), out_->lines.end());
            for (Line& line : known.lines) line.address -= begin;
            return;
        }
        std::uint32_t* const place = place_of(site);
        if (!place) return;
        // One that touches no lines is the same wherever it comes again in the block.
        if (!each_ && shared && known.made == made_) {
            *place = known.index;
            return;
        }
        known.index = *place = static_cast<std::uint32_t>(accesses);
        known.made = made_;
        out_->accesses.push_back(known.access);
        out_->accesses.back().first_line = static_cast<std::uint32_t>(lines);
        for (const Line& line : known.lines) out_->lines.push_back({begin + line.address, line.sectors});
    }

    void access(std::uint32_t site, LaneMask mask, const std::uint64_t* addresses) {
        const counters::MachineAccess& machine = accesses_[site];
        Step* step = find_step(region_of_[site]);
        if (machine.bytes == 0 || ordinal_[site] == Op::no_access || !step) return;
        Access access;
        access.site = site;
        access.kind = machine.kind;
        access.memory = memory_of(kernel_.sites[site].space, mask, addresses);
        access.lanes = static_cast<std::uint8_t>(mask.count());
        access.lane_bytes = static_cast<std::uint8_t>(std::min(machine.bytes, 255u));
        access.first_line = static_cast<std::uint32_t>(out_->lines.size());
        const std::uint64_t first = addresses[mask.first()];
        access.adds_floats = machine.adds_floats;
        access.compares = machine.compares;
        access.one_address = is_one_address(mask, addresses);
        if (machine.one_lane_for_all && access.one_address) {
            mask = mask.only_first();
            access.lanes = 1;
        }
        switch (access.memory) {
            case Memory::shared: {
                const auto passes = counters::bank_passes({mask, machine.bytes, addresses},
                                                          counters::sharing_of(machine.kind));
                access.wavefronts =
                    static_cast<std::uint16_t>(passes.wavefronts * (machine.compares ? 2 : 1));
                access.far = !warp_->windows.shared.contains(first);
                if (access.far) access.sectors = far_sectors({mask, machine.bytes, addresses}, machine.kind);
                break;
            }
            case Memory::local: local_lines({mask, machine.bytes, addresses}); break;
            case Memory::global:
                counters::find_lines({mask, machine.bytes, addresses}, out_->lines);
                if (kernel::is_atomic(machine.kind)) count_passes(access, mask, addresses);
                if (machine.kind == kernel::SiteKind::load)
                    access.wavefronts = static_cast<std::uint16_t>(
                        counters::bank_passes({mask, machine.bytes, addresses}).wavefronts);
                if (machine.transactions == counters::Transactions::whole_lines)
                    for (std::size_t i = access.first_line; i < out_->lines.size(); ++i)
                        out_->lines[i].sectors = counters::sectors_between(0, line_bytes - 1);
                break;
            case Memory::constant: constant_words({mask, machine.bytes, addresses}, access); break;
            case Memory::texture:
            case Memory::bulk: break;
        }
        access.spins = machine.spin_instructions || (machine.adds_floats && access.memory == Memory::shared);
        access.spin_instructions = machine.spin_instructions;
        if (access.spins)
            access.rounds =
                static_cast<std::uint8_t>(counters::swap_rounds({mask, machine.bytes, addresses}));
        if (machine.tries_again || access.spins) add_words(access, mask, addresses);
        access.lines = static_cast<std::uint16_t>(out_->lines.size() - access.first_line);
        for (std::size_t i = access.first_line; i < out_->lines.size(); ++i)
            access.sectors =
                static_cast<std::uint16_t>(access.sectors + counters::count_of(out_->lines[i].sectors));
        access.partial =
            static_cast<std::uint32_t>(access.lanes) * machine.bytes < access.sectors * sector_bytes;
        if (lanes_ && !access.far) keep_addresses(access.memory, mask, addresses);
        steps_->accesses[step->first_access + ordinal_[site]] =
            static_cast<std::uint32_t>(out_->accesses.size());
        out_->accesses.push_back(access);
    }

    // Where the program itself has the loop, each round is an access of its own, in which one lane of a word
    // succeeds; else all of them do, one after the other.
    void add_words(Access& access, LaneMask mask, const std::uint64_t* addresses) {
        access.first_word = static_cast<std::uint32_t>(out_->words.size());
        mask.for_each([&](int lane) {
            const auto own = std::span(out_->words).subspan(access.first_word);
            const auto known = std::ranges::find(own, addresses[lane], &Word::address);
            if (known != own.end())
                ++known->lanes;
            else
                out_->words.push_back({addresses[lane], 1});
        });
        access.words = static_cast<std::uint8_t>(out_->words.size() - access.first_word);
    }

    void keep_addresses(Memory memory, LaneMask mask, const std::uint64_t* addresses) {
        LaneAddresses& kept = out_->lanes.emplace_back();
        kept.access = out_->accesses.size();
        const std::uint64_t begin = memory == Memory::shared ? warp_->windows.shared.begin : 0;
        mask.for_each([&](int lane) {
            kept.mask |= events::WarpBits{1} << lane;
            kept.addresses[static_cast<std::size_t>(lane)] = addresses[lane] - begin;
        });
    }

    // What goes to another SM: 32 bytes at a time; an atomic's request and answer for each lane that has to
    // wait for others.
    static std::uint16_t far_sectors(const counters::Request& request, kernel::SiteKind kind) {
        counters::SeenKeys sectors, words;
        std::uint32_t count = 0, again = 0;
        request.mask.for_each([&](int lane) {
            if (sectors.insert(request.addresses[lane] / sector_bytes)) ++count;
            if (!words.insert(request.addresses[lane])) ++again;
        });
        return static_cast<std::uint16_t>(kernel::is_atomic(kind) ? 2 * (count + again) : count);
    }

    // The lines in the order in which groups of lanes ask for them. A record without requests goes on with
    // the last.
    void texture(std::uint32_t site, const events::TextureAccess& record) {
        const counters::MachineAccess& machine = accesses_[site];
        Step* step = find_step(region_of_[site]);
        if (machine.bytes == 0 || ordinal_[site] == Op::no_access || !step) return;
        if (record.requests) {
            const ptx::Instruction& inst = kernel_.instruction_of(kernel_.sites[site]);
            Access access;
            access.site = site;
            access.kind = machine.kind;
            access.memory = Memory::texture;
            access.lanes = static_cast<std::uint8_t>(std::popcount(record.mask));
            access.lane_bytes = static_cast<std::uint8_t>(std::min(machine.bytes, 255u));
            access.wavefronts = record.wavefronts;
            access.turns = record.turns;
            access.texel_bytes = static_cast<std::uint8_t>(record.texel_bytes);
            access.filtered = inst.opcode != ptx::Opcode::suld && inst.types[1] != ptx::Type::s32;
            access.first_line = static_cast<std::uint32_t>(out_->lines.size());
            steps_->accesses[step->first_access + ordinal_[site]] =
                static_cast<std::uint32_t>(out_->accesses.size());
            out_->accesses.push_back(access);
        }
        if (out_->accesses.empty()) return;
        Access& access = out_->accesses.back();
        for (std::uint32_t i = 0; i < record.count; ++i) {
            const std::uint64_t line = record.sectors[i] / line_bytes * line_bytes;
            const auto sector =
                static_cast<counters::Sectors>(1u << record.sectors[i] % line_bytes / sector_bytes);
            const bool same = access.lines > 0 && out_->lines.back().address == line;
            if (same)
                out_->lines.back().sectors |= sector;
            else
                out_->lines.push_back({line, sector}), ++access.lines;
            ++access.sectors;
        }
    }

    // Where the section has a place for the site, in the warp's last step through it; null: nowhere.
    std::uint32_t* place_of(std::uint32_t site) {
        Step* step = find_step(region_of_[site]);
        if (ordinal_[site] == Op::no_access || !step) return nullptr;
        return &steps_->accesses[step->first_access + ordinal_[site]];
    }

    // Threads that copy at one instruction are one access: what they ask for comes one after the other.
    void bulk(std::uint32_t site, const events::BulkAccess& record) {
        std::uint32_t* const place = place_of(site);
        if (!place) return;
        if (*place == WarpTrace::no_access) {
            Access access;
            access.site = site;
            access.kind = accesses_[site].kind;
            access.memory = Memory::bulk;
            access.first_line = static_cast<std::uint32_t>(out_->lines.size());
            access.phase = record.phase;
            if (record.phase) ++arrivals(record.phase);
            *place = static_cast<std::uint32_t>(out_->accesses.size());
            out_->accesses.push_back(access);
        }
        Access& access = out_->accesses[*place];
        if (access.first_line + access.lines != out_->lines.size()) return;
        access.rows = static_cast<std::uint16_t>(access.rows + record.count);
        for (std::uint32_t i = 0; i < record.count; ++i)
            counters::for_each_line(record.ranges[i].address, record.ranges[i].bytes, [&](const Line& line) {
                out_->lines.push_back(line);
                ++access.lines;
                access.sectors =
                    static_cast<std::uint16_t>(access.sectors + counters::count_of(line.sectors));
            });
    }

    void phase(std::uint32_t site, const events::PhaseRecord& record) {
        std::uint32_t* const place = place_of(site);
        if (!place || *place != WarpTrace::no_access) return;
        Access access;
        access.site = site;
        access.kind = kernel::SiteKind::phase;
        access.memory = Memory::shared;
        access.phase = record.phase;
        access.waits = record.waits != 0;
        if (!access.waits) ++arrivals(record.phase);
        *place = static_cast<std::uint32_t>(out_->accesses.size());
        out_->accesses.push_back(access);
    }

    void match(std::uint32_t site, const events::MatchRecord& record) {
        std::uint32_t* const place = place_of(site);
        if (!place) return;
        Access access;
        access.site = site;
        access.kind = kernel::SiteKind::warp_sync;
        access.memory = Memory::constant;
        access.wavefronts = static_cast<std::uint16_t>(record.values);
        // A value takes as long as a constant of twice its bytes.
        const int bytes = ptx::type_bytes(kernel_.instruction_of(kernel_.sites[site]).type());
        access.lane_bytes = static_cast<std::uint8_t>(2 * bytes);
        *place = static_cast<std::uint32_t>(out_->accesses.size());
        out_->accesses.push_back(access);
    }

    // What the warp issues more than the usual code.
    struct Routine {
        int issues = 0, branches = 0;
    };
    Routine routine_of(std::uint32_t site, const events::SlowWayRecord& record) const {
        Routine routine;
        for (const machine::SlowPart& part : machine::slow_parts(kernel_.slow_way(kernel_.sites[site]))) {
            if (counters::lanes_in(part, record).empty()) continue;
            routine.issues += part.issues;
            routine.branches += part.branches;
        }
        return routine;
    }

    void slow_way(std::uint32_t site, const events::SlowWayRecord& record) {
        std::uint32_t* const place = place_of(site);
        if (!place) return;
        Access access;
        access.site = site;
        access.kind = kernel::SiteKind::slow_way;
        access.memory = Memory::constant;  // of no other: it asks for nothing
        const Routine routine = routine_of(site, record);
        access.issues = static_cast<std::uint16_t>(routine.issues);
        access.branches = static_cast<std::uint8_t>(routine.branches);
        *place = static_cast<std::uint32_t>(out_->accesses.size());
        out_->accesses.push_back(access);
    }

    std::uint32_t& arrivals(std::uint32_t phase) {
        if (out_->phases.size() <= phase) out_->phases.resize(phase + 1);
        return out_->phases[phase];
    }

    // Each warp of the grid has memory of its own, far from all other.
    std::uint64_t own_memory() const { return (out_->block * 64 + warp_number_ + 1) << 40; }

    void local_lines(const counters::Request& request) {
        const std::uint64_t own = own_memory();
        const std::size_t begin = out_->lines.size();
        counters::for_each_local_word(request, warp_->windows, [&](const counters::Request& word) {
            counters::find_lines(word, out_->lines);
        });
        for (std::size_t i = begin; i < out_->lines.size(); ++i) out_->lines[i].address += own;
    }

    // Lanes at one address share a word; lines are the constants' own, one for each word.
    void constant_words(const counters::Request& request, Access& access) {
        constexpr std::uint32_t most = 8;  // bytes of a lane that come at once
        access.lane_bytes = static_cast<std::uint8_t>(std::min(request.bytes, most));
        counters::SeenKeys words;
        request.mask.for_each([&](int lane) {
            const std::uint64_t address = request.addresses[lane];
            if (!words.insert(address)) return;
            ++access.wavefronts;
            out_->lines.push_back(
                {address / counters::constant_line_bytes * counters::constant_line_bytes, 0});
        });
    }

    // Turns of a loop that ptxas unrolled are issued together.
    void join_turns() {
        auto& steps = steps_->steps;
        std::size_t to = 0;
        for (std::size_t from = 0; from < steps.size();) {
            const std::uint32_t region = steps[from].region;
            const std::uint32_t unroll = code_.regions[region].unroll;
            std::size_t turns = 1;
            while (turns < unroll && from + turns < steps.size() && steps[from + turns].region == region)
                ++turns;
            const bool whole = unroll > 1 && turns == unroll;
            steps[to] = steps[from];
            steps[to].unrolled = whole;
            from += whole ? turns : 1;
            ++to;
        }
        steps.resize(to);
    }

    // What a regular access, moved to a place of its own, has in common with others of its instruction.
    struct AccessForm {
        events::WarpBits mask = 0;  // 0: none
        std::uint32_t rows = 1;
        std::int64_t stride = 0;
        std::array<std::int64_t, events::RowsAccess::most_rows - 1> distances{};  // from row to row
        std::uint64_t start = 0;  // in the line, or in the bank
        bool operator==(const AccessForm&) const = default;
    };

    static AccessForm form_of(const events::LinearAccess& record) {
        return {record.mask, 1, record.stride, {}, 0};
    }
    static AccessForm form_of(const events::RowsAccess& record) {
        AccessForm form{record.mask, record.rows, record.stride, {}, 0};
        std::copy_n(record.distances, record.rows - 1, form.distances.begin());
        return form;
    }

    const Code& code_;
    const kernel::Kernel& kernel_;
    std::span<const counters::MachineAccess> accesses_;
    double most_;
    bool each_;
    bool lanes_ = false;
    std::uint64_t made_ = 0;  // traces
    struct Remembered {
        AccessForm form;
        std::uint32_t index = 0;  // in the trace that was made last with it, …
        std::uint64_t made = 0;   // … this one; 0: none
        Access access;
        std::vector<Line> lines;  // from where it begins
    };
    static constexpr std::size_t known_forms = 16;  // of a site, by where they start
    using SiteForms = std::array<Remembered, known_forms>;
    std::vector<std::unique_ptr<SiteForms>> remembered_;  // by site
    std::vector<std::uint16_t> ordinal_;                  // by site
    std::vector<std::uint32_t> region_of_;                // by site
    BlockTrace* out_ = nullptr;
    const RecordedBlock::Warp* warp_ = nullptr;
    std::size_t warp_number_ = 0;
    WarpTrace* steps_ = nullptr;
};

TraceMaker::TraceMaker(const Code& code, const kernel::Kernel& kernel,
                       std::span<const counters::MachineAccess> accesses, double most, bool each)
    : impl_(std::make_unique<Impl>(code, kernel, accesses, most, each)) {}
TraceMaker::~TraceMaker() = default;

BlockTrace TraceMaker::trace(const RecordedBlock& recorded, bool lanes) {
    return impl_->run(recorded, lanes);
}

}  // namespace lockstep::timing
