// Facts about a function's control-flow graph: dominators, post-dominators, reachability, live registers.
#pragma once
#include <boost/dynamic_bitset.hpp>
#include <vector>

#include "kernel/ir.h"

namespace lockstep::kernel {

constexpr BlockId no_block = ~BlockId{0};

std::vector<BlockId> successors(const Block& block);

// Immediate dominator of each block; the entry's is itself; unreachable blocks have no_block.
std::vector<BlockId> dominators(const Function& function);
bool dominates(const std::vector<BlockId>& idom, BlockId a, BlockId b);
// The nearest block that dominates both.
BlockId common_dominator(const std::vector<BlockId>& idom, BlockId a, BlockId b);

// A block that does nothing but end its threads. Lanes that branch there are gone at once, so such a branch
// needs no reconvergence.
bool is_leaving(const Function& function, BlockId block);

// Immediate post-dominator of each block; no_block where that is the function's end. Edges by which some
// lanes end while others go on are left out.
std::vector<BlockId> post_dominators(const Function& function);

// The same within one turn of a loop: ways out of it are left out, and no_block is its end.
std::vector<BlockId> post_dominators(const Function& function, const Loop& loop);

// Blocks on some path that starts in `from` (included) and ends before `stop` (excluded).
std::vector<bool> reachable_until(const Function& function, BlockId from, BlockId stop);

using RegisterSet = boost::dynamic_bitset<>;

// live[b][r]: register r's value on entry to b may still be read. With `kept`, a write of r in b where
// kept[b][r] is set counts as a read too, since some lanes keep the old value.
std::vector<RegisterSet> live_registers(const Function& function,
                                        const std::vector<RegisterSet>* kept = nullptr);

// The registers that hold what a function returns.
std::vector<RegId> return_registers(const Function& function);

// The registers that an instruction reads (its guard included) and writes.
std::vector<RegId> registers_read(const Function& function, const ptx::Instruction& instruction);
std::vector<RegId> registers_written(const Function& function, const ptx::Instruction& instruction);

}  // namespace lockstep::kernel
