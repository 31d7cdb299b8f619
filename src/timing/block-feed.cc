#include "timing/block-feed.h"

namespace lockstep::timing {

void BlockFeed::put(BlockTrace block) {
    std::unique_lock lock(mutex_);
    const std::uint64_t number = block.block;
    taken_.wait(lock, [&] { return closed_ || number < wanted_ + ahead_; });
    if (closed_) return;
    waiting_[number] = std::make_unique<BlockTrace>(std::move(block));
    came_.notify_one();
}

void BlockFeed::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    came_.notify_one();
    taken_.notify_all();
}

const BlockTrace* BlockFeed::next() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return closed_ || waiting_.contains(wanted_); });
    const auto found = waiting_.find(wanted_);
    if (found == waiting_.end()) return nullptr;
    ++wanted_;
    taken_.notify_all();
    auto node = waiting_.extract(found);
    return given_out_.insert(std::move(node)).position->second.get();
}

void BlockFeed::release(const BlockTrace* block) {
    const std::lock_guard lock(mutex_);
    given_out_.erase(block->block);
}

}  // namespace lockstep::timing
