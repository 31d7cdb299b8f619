// Accesses of blocks that are half a warp wide: rows of neighbours, moved as vectors and not lane by lane.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include "exec/jit/program.h"

namespace lockstep::exec::jit {

// What is moved between lanes and memory.
struct Moved {
    llvm::Value* addresses;  // of the lanes, in memory
    llvm::Value* all;        // … and as a vector
    llvm::Value* range;      // that is known as good
    llvm::Value* data;
    int bytes;
    bool load;
};

// Blocks that are half a warp wide have two rows of neighbours in a warp, each with elements side by side, or
// all with the same one: these are moved as vectors, if both lie in the known range. The function returns
// there; otherwise it goes on behind this.
void move_rows(Program& program, llvm::IRBuilder<>& builder, llvm::Function* function, const Moved& moved);

}  // namespace lockstep::exec::jit
