// What a warp tells, as a GPU would have run it. The executor lets lanes that a branch has parted go on
// together from wherever they come to the same code; a GPU runs each part by itself until both have come to
// where the branch's lanes meet (kernel/meeting-places.h). Here each part's records are told apart, one part
// after the other.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "events/observer.h"
#include "events/records.h"
#include "kernel/meeting-places.h"

namespace lockstep::events {

// Stands between what one worker thread runs and those who are told of it.
class PartedLanes final : public Observer {
  public:
    // `meetings`: kernel::meeting_places. All must outlive it.
    PartedLanes(std::span<const kernel::Meeting> meetings, Observers told)
        : meetings_(meetings), told_(std::move(told)) {}
    Wants wants() const override;
    void records(const Batch& batch) override;
    void block_ended(std::uint64_t block) override;
    void launch_failed() override;

  private:
    static constexpr std::uint32_t whole = 0;  // the part that all lanes begin in
    // Lanes that go on together, and are part of others again from where they meet.
    struct Part {
        std::uint32_t of = whole;
        std::uint32_t meets = 0;  // the block where they do
        WarpBits lanes = 0;
        bool free = false;              // for others
        std::vector<std::byte> told{};  // waits until the one that it is part of goes on
    };
    struct Warp {
        std::vector<Part> parts{Part{.lanes = ~WarpBits{0}}};
        std::array<std::uint32_t, kernel::warp_lanes> part_of{};
        std::size_t waiting = 0;  // bytes that do
        Batch last{};
    };

    void read(Warp& warp, std::span<const std::byte> records);
    void enter(Warp& warp, std::uint32_t block, const BlockRecord& record);
    void split(Warp& warp, std::uint32_t block, const SplitRecord& record);
    static void move_to_new(Warp& warp, WarpBits lanes, std::uint32_t of, std::uint32_t meets);
    void go_on(Warp& warp, std::uint32_t part);
    std::vector<std::byte>& stream_of(Warp& warp, std::uint32_t part) {
        return part == whole ? out_ : warp.parts[part].told;
    }
    template <class F>
    static void for_each_part(const Warp& warp, WarpBits mask, F&& f);
    template <class Record>
    void tell(Warp& warp, std::uint32_t part, const Record& record);
    void pass_on(const Batch& batch);

    std::span<const kernel::Meeting> meetings_;
    Observers told_;
    std::map<std::pair<std::uint64_t, std::uint32_t>, Warp> warps_;  // by block and number
    std::vector<std::byte> out_;                                     // of the batch that is read
};

}  // namespace lockstep::events
