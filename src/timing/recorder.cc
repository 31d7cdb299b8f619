#include "timing/recorder.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "events/visit.h"

namespace lockstep::timing {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{128} << 20;     // of records kept …
constexpr std::uint64_t most_sink_bytes = std::uint64_t{1} << 30;  // … and with a sink
// Of a grid that is small enough to be replayed whole, this many parts are watched, of at least so many
// blocks.
constexpr std::uint64_t parts = 4, least_part = 8;

}  // namespace

BlockChoice::BlockChoice(std::uint64_t blocks, std::uint32_t sms, std::uint32_t resident,
                         const Sampling& sampling) {
    const std::uint64_t used = std::min<std::uint64_t>(sms, blocks), stretches = sampling.stretches;
    const auto chosen = static_cast<std::uint32_t>(std::min<std::uint64_t>(sampling.sms, used));
    const std::uint64_t rounds = (blocks + used - 1) / used;
    const auto add = [&](std::uint64_t first, std::uint64_t count) {
        for (std::uint64_t r = 0; r < count; ++r)
            for (std::uint32_t s = 0; s < chosen; ++s) {
                const std::uint64_t block = first + r * used + s * used / chosen;
                if (block < blocks) blocks_.push_back({block, s});
            }
    };
    if (rounds <= std::uint64_t{resident} * stretches) {
        add(0, rounds);
        // Parts of a grid that the GPU holds whole, or nearly.
        const std::uint64_t part = std::max(blocks / (16 * parts), least_part);
        if (!sampling.all_blocks && 2 * parts * part <= blocks)
            for (std::uint64_t p = 0; p < parts; ++p)
                followed_.push_back({blocks * p / parts, blocks * p / parts + part});
    } else {
        for (std::uint64_t w = 0; w < stretches; ++w) {
            const std::uint64_t first = (rounds - resident) * w / (stretches - 1) * used;
            add(first, resident);
            if (!sampling.all_blocks)
                followed_.push_back({first, std::min(first + (resident * used + 1) / 2, blocks)});
        }
    }
    std::sort(blocks_.begin(), blocks_.end(),
              [](const Chosen& a, const Chosen& b) { return a.block < b.block; });
    blocks_.erase(std::unique(blocks_.begin(), blocks_.end(),
                              [](const Chosen& a, const Chosen& b) { return a.block == b.block; }),
                  blocks_.end());
    if (!followed_.empty()) watch(blocks);
}

void BlockChoice::watch(std::uint64_t blocks) {
    std::uint64_t followed = 0;
    for (const events::BlockRange& range : followed_) followed += range.end - range.begin;
    const std::uint64_t first = followed_[0].end;
    l2_weights_ = {first, static_cast<double>(blocks - first) / static_cast<double>(followed - first)};

    watched_ = followed_;
    for (const Chosen& one : blocks_)
        if (!is_followed(one.block)) watched_.push_back({one.block, one.block + 1});
    std::sort(watched_.begin(), watched_.end(),
              [](const events::BlockRange& a, const events::BlockRange& b) { return a.begin < b.begin; });
    for (const events::BlockRange& range : watched_) watched_blocks_ += range.end - range.begin;
    blocks_a_watched_ = static_cast<double>(blocks) / static_cast<double>(watched_blocks_);
}

bool BlockChoice::is_followed(std::uint64_t block) const {
    return followed_.empty() ||
           std::any_of(followed_.begin(), followed_.end(), [&](const events::BlockRange& range) {
               return block >= range.begin && block < range.end;
           });
}

std::uint64_t BlockChoice::blocks_of_one_sm() const {
    return static_cast<std::uint64_t>(
        std::count_if(blocks_.begin(), blocks_.end(), [](const Chosen& chosen) { return chosen.sm == 0; }));
}

const BlockChoice::Chosen* BlockChoice::find(std::uint64_t block) const {
    const auto found =
        std::lower_bound(blocks_.begin(), blocks_.end(), block,
                         [](const Chosen& chosen, std::uint64_t number) { return chosen.block < number; });
    return found != blocks_.end() && found->block == block ? &*found : nullptr;
}

std::uint32_t sms_to_replay(std::uint32_t sms, double instructions_of_sm, double instructions_of_launch,
                            bool even, const Sampling& sampling) {
    const double most = std::max(sampling.instructions, sampling.share * instructions_of_launch);
    while (sms > 1 && instructions_of_sm * sms > most) sms /= 2;
    while (even && sms > 2 && instructions_of_sm * sms > sampling.even_instructions) sms /= 2;
    return sms;
}

std::uint32_t group_of(std::uint64_t record_bytes) {
    return static_cast<std::uint32_t>(std::lround(std::log2(static_cast<double>(record_bytes) + 1) * 8));
}

RecorderState::RecorderState(const BlockChoice& chosen, std::uint64_t resident, std::uint32_t warps,
                             const Sampling& sampling)
    : choice(chosen),
      most_warp_bytes(std::min(most_bytes / (std::max<std::uint64_t>(resident, 1) * std::max(warps, 1u)),
                               sampling.warp_bytes)),
      unseen(chosen.watched_blocks()),
      l2_level(sampling.l2_entries),
      sms_(sampling.sms) {}

void RecorderState::count(std::uint32_t sm, std::uint64_t bytes) {
    bytes_[sm].fetch_add(bytes, std::memory_order_relaxed);
    std::uint32_t current = sms();
    std::uint64_t all = 0;
    for (std::uint32_t s = 0; s < current; ++s) all += bytes_[s].load(std::memory_order_relaxed);
    if (all > most_bytes && current > 1) sms_.compare_exchange_strong(current, current / 2);
}

bool RecorderState::is_full() const {
    return !sink || in_sink.load(std::memory_order_relaxed) > most_sink_bytes;
}

Recorder::Recorder(const kernel::Kernel& kernel, std::span<const counters::MachineAccess> accesses,
                   RecorderState& state)
    : state_(state),
      has_rows_(kernel::rows_of_warp(kernel.row_lanes) > 1),
      l2_(kernel, accesses, state.l2_level) {}

Recorder::Open& Recorder::open(std::uint64_t block) {
    if (current_ && current_block_ == block) return *current_;
    auto found = open_.find(block);
    if (found == open_.end()) {
        if (closed_) {
            closed_.key() = block;
            found = open_.insert(std::move(closed_)).position;
        } else {
            found = open_.try_emplace(block).first;
        }
        found->second.begin(block, state_);
    }
    current_ = &found->second;
    current_block_ = block;
    return *current_;
}

// Where another block's records were, there is memory for this one's.
void Recorder::Open::begin(std::uint64_t number, const RecorderState& state) {
    bytes = 0;
    chosen = state.choice.find(number);
    followed = state.choice.is_followed(number);
    block.block = number;
    for (RecordedBlock::Warp& warp : block.warps) {
        warp.records.clear();
        warp.whole_bytes = 0;
        warp.cut = false;
    }
}

void Recorder::records(const events::Batch& batch) {
    // How much a block did is told by the bytes of its records, which others must not add to.
    const auto follow = [this](const events::Batch& each) { l2_.records(each); };
    if (batch.recorded == wants())
        return keep(batch, has_rows_ ? events::whole_bytes(batch.records) : batch.records.size(), follow);
    const std::vector<std::byte> own = events::only(batch.records, wants());
    events::Batch filtered = batch;
    filtered.records = own;
    filtered.recorded = wants();
    keep(filtered, own.size(), follow);
}

bool is_longer(const RecordedBlock& one, const RecordedBlock& other) {
    return one.record_bytes > other.record_bytes ||
           (one.record_bytes == other.record_bytes && one.block < other.block);
}

void Recorder::begins_form(const events::Batch& batch, const events::BatchForm& form) {
    l2_.learn_form(batch);
    keep(batch, form.whole_bytes, [this](const events::Batch& each) { l2_.records(each); });
}

void Recorder::has_form(const events::Batch& batch, const events::BatchForm& form) {
    keep(batch, form.whole_bytes, [&](const events::Batch& each) { l2_.has_form(each, form); });
}

template <class Follow>
void Recorder::keep(const events::Batch& batch, std::size_t bytes, Follow follow) {
    Open& now = open(batch.block);
    now.bytes += bytes;
    if (!state_.sink && now.followed) follow(batch);
    auto& warps = now.block.warps;
    if (warps.size() <= batch.warp) warps.resize(batch.warp + 1);
    RecordedBlock::Warp& warp = warps[batch.warp];
    warp.windows = batch.windows;
    if (warp.cut) return;
    // What a warp does beyond so much is not kept. Where a batch ends, a buffer was full: that is no reason.
    std::span<const std::byte> records = batch.records;
    if (warp.whole_bytes + bytes > state_.most_warp_bytes && state_.is_full()) {
        warp.cut = true;
        state_.has_cut.store(true, std::memory_order_relaxed);
        if (warp.whole_bytes >= state_.most_warp_bytes) return;
        records = events::first_of(records, state_.most_warp_bytes - warp.whole_bytes);
        bytes = events::whole_bytes(records);
        if (!warp.records.empty() && warp.whole_bytes + bytes > state_.most_warp_bytes) return;
    }
    warp.records.insert(warp.records.end(), records.begin(), records.end());
    warp.whole_bytes += bytes;
    if (state_.sink) state_.in_sink.fetch_add(bytes, std::memory_order_relaxed);
}

void Recorder::moved(events::MovedBlocks& blocks) {
    l2_.moved(blocks);
    std::uint64_t kept = 0;
    for (const BlockChoice::Chosen& chosen : state_.choice.blocks()) {
        if (!blocks.has(chosen.block) || blocks.is_seen(chosen.block)) continue;
        for (const events::Batch& batch : blocks.records_of(events::place_of(chosen.block, blocks.grid())))
            keep(batch, events::whole_bytes(batch.records), [](const events::Batch&) {});
        block_ended(chosen.block);
        ++kept;
    }
    std::uint64_t bytes = 0;
    for (const events::Batch& batch : blocks.records_of(blocks.box().begin))
        bytes += events::whole_bytes(batch.records);
    count_blocks(blocks.unseen() - kept, bytes);
}

// Of those that told so much.
void Recorder::count_blocks(std::uint64_t blocks, std::uint64_t bytes) {
    // Neighbours mostly did the same.
    if (!group_ || grouped_bytes_ != bytes) {
        group_ = &result_.groups[group_of(bytes)];
        grouped_bytes_ = bytes;
    }
    group_->blocks += static_cast<double>(blocks);
    group_->record_bytes += static_cast<double>(blocks * bytes);
}

void Recorder::block_ended(std::uint64_t block) {
    Open& ended = open(block);
    count_blocks(1, ended.bytes);
    ended.block.record_bytes = ended.bytes;
    if (state_.sink)
        state_.sink(std::move(ended.block));
    else if (is_kept(ended))
        end_kept(ended);
    else if (is_longer(ended.block, result_.longest))
        std::swap(result_.longest, ended.block);
    closed_ = open_.extract(block);
    current_ = nullptr;
    // What other threads have recorded is seen by the last.
    if (state_.all_seen && state_.unseen.fetch_sub(1, std::memory_order_acq_rel) == 1) state_.all_seen();
}

void Recorder::end_kept(Open& ended) {
    if (ended.block.warps.empty()) return;
    std::uint64_t kept = 0;
    for (const RecordedBlock::Warp& warp : ended.block.warps) kept += warp.whole_bytes;
    state_.count(ended.chosen->sm, kept);
    result_.blocks.push_back(std::move(ended.block));
    ended.block = {};
    if (sms_ != state_.sms()) drop_blocks();
}

void Recorder::drop_blocks() {
    sms_ = state_.sms();
    std::erase_if(result_.blocks,
                  [&](const RecordedBlock& one) { return state_.choice.find(one.block)->sm >= sms_; });
}

Recorder::Result Recorder::take() {
    drop_blocks();
    result_.l2 = l2_.take();
    group_ = nullptr;
    return std::move(result_);
}

}  // namespace lockstep::timing
