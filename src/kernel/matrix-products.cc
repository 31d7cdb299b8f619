#include "kernel/matrix-products.h"

#include <algorithm>
#include <utility>

#include "ptx/fragments.h"

namespace lockstep::kernel {

MatrixProducts matrix_products(const ptx::Instruction& inst) {
    MatrixProducts products{.m = inst.shape.m, .n = inst.shape.n, .k = inst.shape.k};
    const ptx::Type element = ptx::fragment_of(inst, "a").element;
    const int bits = element == ptx::Type::f64 ? 64 : 32;
    const bool single = products.m == 8 && products.n == 8;
    products.exchanged = products.n == 32;
    // The two products' a, otherwise their b.
    const bool rows_differ = products.m == 32 || products.exchanged;
    const auto distinct = [&](int lines) {
        return std::max(1, lines * products.k / 32 * ptx::type_bits(element) / bits);
    };
    int a_registers = distinct(products.m), b_registers = distinct(products.n);
    if (products.exchanged) std::swap(a_registers, b_registers);
    const int count = single ? 1 : 2, steps = element == ptx::Type::tf32 ? 2 : 1;
    if (!single) products.m = 16, products.n = 8;
    products.k /= steps;
    const int c_registers = static_cast<int>(inst.operands[3].elements.size()) / count;
    const int d_registers = static_cast<int>(inst.operands[0].elements.size()) / count;
    const int a_count = a_registers / (rows_differ ? count : 1) / steps;
    const int b_count = b_registers / (rows_differ || single ? 1 : count) / steps;
    for (int product = 0; product < count; ++product)
        for (int step = 0; step < steps; ++step)
            products.all.push_back(
                {.a = {(rows_differ ? product * a_count * steps : 0) + step * a_count, a_count},
                 .b = {(rows_differ ? 0 : product * b_count * steps) + step * b_count, b_count},
                 .c = {product * c_registers, c_registers},
                 .d = {product * d_registers, d_registers},
                 .goes_on = step > 0});
    return products;
}

}  // namespace lockstep::kernel
