/* Groups made of groups: by size at run time, by a condition, by a label. */
/* First, since it includes this file at its end. */
#include "../../cooperative_groups.h"
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_PARTITIONING_H
#define LOCKSTEP_COOPERATIVE_GROUPS_PARTITIONING_H
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN
namespace details {

LOCKSTEP_CG_STATIC void check_tile_size(unsigned int size) {
    if (size == 0 || size > 32 || (size & (size - 1)) != 0) __trap();
}

/* Neighbouring lanes; the last tile of a group may have fewer. */
LOCKSTEP_CG_STATIC unsigned int lanes_of_tile(unsigned int rank, unsigned int threads, unsigned int size) {
    const unsigned int first = rank & ~(size - 1);
    const unsigned int count = threads - first < size ? threads - first : size;
    return (0xffffffffu >> (32 - count)) << (lane() & ~(size - 1));
}

/* `size` lanes with neighbouring ranks. */
LOCKSTEP_CG_STATIC unsigned int lanes_by_rank(unsigned int mask, unsigned int rank, unsigned int size) {
    const unsigned int first = rank / size * size;
    unsigned int result = 0, next = 0;
    for (unsigned int rest = mask; rest; rest &= rest - 1, ++next)
        if (next - first < size) result |= rest & (0u - rest);
    return result;
}

template <class Group>
LOCKSTEP_CG coalesced_group binary_partition(const Group& group, bool condition) {
    const unsigned int all = group_access::mask(group);
    const unsigned int yes = __ballot_sync(all, condition);
    if (yes == 0 || yes == all) return group_access::coalesced(all);
    return group_access::coalesced(condition ? yes : all & ~yes, condition, 2);
}

#if LOCKSTEP_ARCH >= 700
template <class Group, class Label>
LOCKSTEP_CG coalesced_group labeled_partition(const Group& group, Label label) {
    static_assert(std::is_integral<Label>::value || std::is_pointer<Label>::value,
                  "a label is an integer or a pointer");
    const unsigned int all = group_access::mask(group);
    const unsigned int same = match_any(all, label);
    const unsigned int first = same & (0u - same);
    const unsigned int firsts = __ballot_sync(all, (first & 1u << lane()) != 0);
    return group_access::coalesced(same, __popc(firsts & (first - 1)), __popc(firsts));
}
template <class Group>
LOCKSTEP_CG coalesced_group labeled_partition(const Group& group, bool label) {
    return binary_partition(group, label);
}
#endif

}  // namespace details

LOCKSTEP_CG coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
    details::check_tile_size(size);
    const unsigned int threads = parent.num_threads(), rank = parent.thread_rank();
    if (threads <= size) return parent;
    if (details::group_access::is_tile(parent))
        return details::group_access::coalesced(details::lanes_of_tile(rank, threads, size), rank / size,
                                                threads / size, true);
    return details::group_access::coalesced(
        details::lanes_by_rank(details::group_access::mask(parent), rank, size), rank / size,
        (threads + size - 1) / size);
}
LOCKSTEP_CG thread_group tiled_partition(const thread_block& parent, unsigned int size) {
    details::check_tile_size(size);
    const unsigned int threads = parent.num_threads(), rank = parent.thread_rank();
    return details::group_access::lanes(details::lanes_of_tile(rank, threads, size), rank / size,
                                        (threads + size - 1) / size, true);
}
LOCKSTEP_CG thread_group tiled_partition(const thread_group& parent, unsigned int size) {
    if (parent.get_type() == details::coalesced_group_id)
        return tiled_partition(details::group_access::coalesced(parent), size);
    if (parent.get_type() != details::thread_block_id) __trap(); /* grids have no tiles */
    return tiled_partition(this_thread_block(), size);
}

LOCKSTEP_CG coalesced_group binary_partition(const coalesced_group& group, bool condition) {
    return details::binary_partition(group, condition);
}
template <unsigned int Size, class Parent>
LOCKSTEP_CG coalesced_group binary_partition(const thread_block_tile<Size, Parent>& tile, bool condition) {
    static_assert(Size <= 32, "only tiles of at most 32 threads can be divided so");
    return details::binary_partition(tile, condition);
}
#if LOCKSTEP_ARCH >= 700
template <class Label>
LOCKSTEP_CG coalesced_group labeled_partition(const coalesced_group& group, Label label) {
    return details::labeled_partition(group, label);
}
template <class Label, unsigned int Size, class Parent>
LOCKSTEP_CG coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& tile, Label label) {
    static_assert(Size <= 32, "only tiles of at most 32 threads can be divided so");
    return details::labeled_partition(tile, label);
}
#endif

LOCKSTEP_CG_END

#endif
#endif
