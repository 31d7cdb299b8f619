// What a wmma.mma is made of, as ptxas makes it of mma's shapes: 16 by 8 twice (or 8 by 8 once), tf32 with k
// in two halves.
#pragma once
#include <vector>

#include "ptx/ast.h"

namespace lockstep::kernel {

struct MatrixProducts {
    // Registers of its operands: the first, and how many.
    struct Registers {
        int first = 0, count = 0;
    };
    struct One {
        Registers a, b, c, d;
        bool goes_on = false;  // adds to what the one before has left in d, not to c
    };
    int m = 0, n = 0, k = 0;  // of each
    bool exchanged = false;   // a and b have changed places, as if all were transposed
    std::vector<One> all;
};

MatrixProducts matrix_products(const ptx::Instruction& wmma);

}  // namespace lockstep::kernel
