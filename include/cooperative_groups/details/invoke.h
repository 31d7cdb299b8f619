/* A function that one thread of a group calls. Which one is left open; here it is the first. */
/* First, since it includes this file at its end. */
#include "../../cooperative_groups.h"
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_INVOKE_H
#define LOCKSTEP_COOPERATIVE_GROUPS_INVOKE_H
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN
namespace details {

template <class Group, class Function, class... Arguments>
LOCKSTEP_CG result_of<Function, Arguments...> invoke_one_broadcast(const Group& group, Function&& function,
                                                                   Arguments&&... arguments) {
    result_of<Function, Arguments...> result;
    if (group.thread_rank() == 0)
        result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
    return group.shfl(result, 0);
}

}  // namespace details

template <class Group, class Function, class... Arguments>
LOCKSTEP_CG void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
    if (group.thread_rank() == 0) std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}
template <class Function, class... Arguments>
LOCKSTEP_CG details::result_of<Function, Arguments...> invoke_one_broadcast(const coalesced_group& group,
                                                                            Function&& function,
                                                                            Arguments&&... arguments) {
    return details::invoke_one_broadcast(group, std::forward<Function>(function),
                                         std::forward<Arguments>(arguments)...);
}
template <unsigned int Size, class Parent, class Function, class... Arguments>
LOCKSTEP_CG details::result_of<Function, Arguments...> invoke_one_broadcast(
    const thread_block_tile<Size, Parent>& group, Function&& function, Arguments&&... arguments) {
    return details::invoke_one_broadcast(group, std::forward<Function>(function),
                                         std::forward<Arguments>(arguments)...);
}

LOCKSTEP_CG_END

#endif
#endif
