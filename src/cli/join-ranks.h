// Whether this process is one of several that mpirun has started, and the way to the others.
#pragma once
#include <memory>

#include "base/result.h"
#include "sweep/ranks.h"

namespace lockstep::cli {

// What Open MPI's environment says, before MPI itself is there. Alone: rank 0 of 1.
struct RankOfProcess {
    int rank = 0, size = 1;
    int on_this_machine = 1;  // ranks
};
RankOfProcess rank_of_process();

// Loads liblockstep-mpi.so. An error where this lockstep was built without it.
Result<std::unique_ptr<sweep::Ranks>> join_ranks();

}  // namespace lockstep::cli
