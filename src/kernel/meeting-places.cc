#include "kernel/meeting-places.h"

#include <algorithm>

#include "kernel/graph.h"

namespace lockstep::kernel {
namespace {

// Whether lanes that went to either side may be in one block before they meet.
bool may_be_together(const Function& function, BlockId branch, BlockId meeting) {
    const auto& targets = function.blocks[branch].terminator.targets;
    const std::vector<bool> first = reachable_until(function, targets[0], meeting),
                            second = reachable_until(function, targets[1], meeting);
    for (BlockId b = 0; b < function.blocks.size(); ++b)
        if (first[b] && second[b] && !is_leaving(function, b)) return true;
    return false;
}

class Meetings {
  public:
    explicit Meetings(const Function& function)
        : f_(function), all_(post_dominators(f_)), turns_(f_.loops.size()) {}

    Meeting of(BlockId b) {
        const auto& targets = f_.blocks[b].terminator.targets;
        Meeting meeting;
        for (int number = f_.blocks[b].loop; number >= 0;) {
            const auto at = static_cast<std::size_t>(number);
            const Loop& loop = f_.loops[at];
            if (loop.contains[targets[0]] && loop.contains[targets[1]]) {
                if (turns_[at].empty()) turns_[at] = post_dominators(f_, loop);
                return with(meeting, turns_[at][b]);
            }
            meeting.leaves = loop.contains[targets[0]] ? 1 : 0;
            meeting.begin = loop.header;
            meeting.end = loop.header + static_cast<BlockId>(std::ranges::count(loop.contains, true));
            number = loop.parent;
        }
        return with(meeting, all_[b]);
    }

  private:
    static Meeting with(Meeting meeting, BlockId place) {
        meeting.place = place == no_block ? meet_nowhere : place;
        return meeting;
    }

    const Function& f_;
    std::vector<BlockId> all_;
    std::vector<std::vector<BlockId>> turns_;  // by loop, where they are asked for
};

}  // namespace

std::vector<Meeting> meeting_places(const Function& function, const std::vector<bool>& remains) {
    std::vector<Meeting> meetings(function.blocks.size());
    Meetings places(function);
    bool early = false;
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        const Terminator& end = function.blocks[b].terminator;
        const auto leaves = [&](BlockId target) { return is_leaving(function, target); };
        if (end.kind != Terminator::Kind::branch || !end.guard || !remains[b] ||
            end.targets[0] == end.targets[1] || std::ranges::any_of(end.targets, leaves))
            continue;
        meetings[b] = places.of(b);
        early |= may_be_together(function, b, meetings[b].place);
    }
    if (!early) meetings.clear();
    return meetings;
}

}  // namespace lockstep::kernel
