// wmma: what the lanes hold of matrices after a load, and what is stored after a product.
#define KERNEL extern "C" __global__ void

#define IN1(c, x) c(x[0])
#define IN2(c, x) c(x[0]), c(x[1])
#define IN4(c, x) IN2(c, x), c(x[2]), c(x[3])
#define IN8(c, x) IN4(c, x), c(x[4]), c(x[5]), c(x[6]), c(x[7])
#define LIST1 "{%0}"
#define LIST2 "{%0,%1}"
#define LIST4 "{%0,%1,%2,%3}"
#define LIST8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define S8888 "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11,%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23},{%24,%25,%26,%27,%28,%29,%30,%31}"
#define S4884 "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19},{%20,%21,%22,%23}"
#define S8884 "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11,%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23},{%24,%25,%26,%27}"
#define S4888 "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19},{%20,%21,%22,%23,%24,%25,%26,%27}"
#define S8448 "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11},{%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23}"
#define S8288 "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13,%14,%15,%16,%17},{%18,%19,%20,%21,%22,%23,%24,%25}"
#define S8828 "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11,%12,%13,%14,%15},{%16,%17},{%18,%19,%20,%21,%22,%23,%24,%25}"
#define S8228 "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9},{%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19}"
#define S8148 "{%0,%1,%2,%3,%4,%5,%6,%7},{%8},{%9,%10,%11,%12},{%13,%14,%15,%16,%17,%18,%19,%20}"
#define S8418 "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11},{%12},{%13,%14,%15,%16,%17,%18,%19,%20}"
#define S2112 "{%0,%1},{%2},{%3},{%4,%5}"
#define AT1 ", [%1], %2;"
#define AT2 ", [%2], %3;"
#define AT4 ", [%4], %5;"
#define AT8 ", [%8], %9;"
#define VALUES2 ", {%2,%3}, %1;"
#define VALUES4 ", {%2,%3,%4,%5}, %1;"
#define VALUES8 ", {%2,%3,%4,%5,%6,%7,%8,%9}, %1;"

// LOAD(operand with its layout, shape and type; registers; where they go; the matrix and its leading dimension)
#define LOAD(op, n, c, x, matrix, stride) \
    asm volatile("wmma.load." op LIST##n AT##n : IN##n("=" c, x) : "l"(matrix), "r"(stride) : "memory")

// WMMA(kernel, shape, m, n, k, layouts of a, b, c and d, their types, their registers, a register's C type and constraint,
// elements of a, b, c and d in a register of memory's). `out` holds a's and b's fragments, then d.
#define WMMA(name, shape, m, n, k, la, lb, lc, ld, ta, tb, tc, td, a_, b_, c_, d_, type, con, more, ea, eb, ec)        \
    KERNEL name(type* out, const type* in) {                                                                     \
        type a[a_], b[b_], c[c_], d[d_];                                                                         \
        const type *ma = in + blockIdx.x * (m * k / ea + k * n / eb + m * n / ec), *mb = ma + m * k / ea, *mc = mb + k * n / eb; \
        LOAD("a.sync.aligned." #la "." shape ".global." #ta " ", a_, con, a, ma, #la[0] == 'r' ? k : m);          \
        LOAD("b.sync.aligned." #lb "." shape ".global." #tb " ", b_, con, b, mb, #lb[0] == 'r' ? n : k);          \
        LOAD("c.sync.aligned." #lc "." shape ".global." #tc " ", c_, con, c, mc, #lc[0] == 'r' ? n : m);          \
        asm volatile("wmma.mma." more "sync.aligned." #la "." #lb "." shape "." TYPES(ta, tb, tc, td) " " S##d_##a_##b_##c_ ";" \
                     : IN##d_("=" con, d)                                                                        \
                     : IN##a_(con, a), IN##b_(con, b), IN##c_(con, c));                                          \
        out += blockIdx.x * (32 * (a_ + b_ + d_));                                                               \
        for (int i = 0; i < a_; ++i) out[i * 32 + threadIdx.x] = a[i];                                           \
        for (int i = 0; i < b_; ++i) out[(a_ + i) * 32 + threadIdx.x] = b[i];                                    \
        asm volatile("wmma.store.d.sync.aligned." #ld "." shape ".global." #td " [%0]" VALUES##d_ ::"l"(out + 32 * (a_ + b_)), \
                     "r"(#ld[0] == 'r' ? n : m), IN##d_(con, d)                                                  \
                     : "memory");                                                                                \
    }

#define TYPES(ta, tb, tc, td) #td "." #tc
WMMA(wmma_m16n16k16_f16_row_col_f32, "m16n16k16", 16, 16, 16, row, col, row, col, f16, f16, f32, f32, 8, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m16n16k16_f16_row_col_f16, "m16n16k16", 16, 16, 16, row, col, col, row, f16, f16, f16, f16, 8, 8, 4, 4, unsigned, "r", "", 2, 2, 2)
WMMA(wmma_m16n16k16_f16_row_row_f32, "m16n16k16", 16, 16, 16, row, row, row, row, f16, f16, f32, f32, 8, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m16n16k16_f16_row_row_f16, "m16n16k16", 16, 16, 16, row, row, row, row, f16, f16, f16, f16, 8, 8, 4, 4, unsigned, "r", "", 2, 2, 2)
WMMA(wmma_m16n16k16_f16_col_row_f32, "m16n16k16", 16, 16, 16, col, row, col, row, f16, f16, f32, f32, 8, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m16n16k16_f16_col_row_f16, "m16n16k16", 16, 16, 16, col, row, row, col, f16, f16, f16, f16, 8, 8, 4, 4, unsigned, "r", "", 2, 2, 2)
WMMA(wmma_m16n16k16_f16_col_col_f32, "m16n16k16", 16, 16, 16, col, col, col, col, f16, f16, f32, f32, 8, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m16n16k16_f16_col_col_f16, "m16n16k16", 16, 16, 16, col, col, col, col, f16, f16, f16, f16, 8, 8, 4, 4, unsigned, "r", "", 2, 2, 2)
WMMA(wmma_m16n16k16_f16_f16_f32, "m16n16k16", 16, 16, 16, row, col, row, row, f16, f16, f16, f32, 8, 8, 4, 8, unsigned, "r", "", 2, 2, 2)
WMMA(wmma_m16n16k16_f16_f32_f16, "m16n16k16", 16, 16, 16, row, col, row, row, f16, f16, f32, f16, 8, 8, 8, 4, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m32n8k16_f16_row_col, "m32n8k16", 32, 8, 16, row, col, row, col, f16, f16, f16, f16, 8, 8, 4, 4, unsigned, "r", "", 2, 2, 2)
WMMA(wmma_m32n8k16_f16_row_row, "m32n8k16", 32, 8, 16, row, row, row, col, f16, f16, f32, f32, 8, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m32n8k16_f16_col_row, "m32n8k16", 32, 8, 16, col, row, row, col, f16, f16, f16, f16, 8, 8, 4, 4, unsigned, "r", "", 2, 2, 2)
WMMA(wmma_m32n8k16_f16_col_col, "m32n8k16", 32, 8, 16, col, col, row, col, f16, f16, f32, f32, 8, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m8n32k16_f16_row_col, "m8n32k16", 8, 32, 16, row, col, row, col, f16, f16, f16, f16, 8, 8, 4, 4, unsigned, "r", "", 2, 2, 2)
WMMA(wmma_m8n32k16_f16_row_row, "m8n32k16", 8, 32, 16, row, row, row, col, f16, f16, f32, f32, 8, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m8n32k16_f16_col_row, "m8n32k16", 8, 32, 16, col, row, row, col, f16, f16, f16, f16, 8, 8, 4, 4, unsigned, "r", "", 2, 2, 2)
WMMA(wmma_m8n32k16_f16_col_col, "m8n32k16", 8, 32, 16, col, col, row, col, f16, f16, f32, f32, 8, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
#undef TYPES
#define TYPES(ta, tb, tc, td) #td "." #ta "." #tb "." #tc
WMMA(wmma_m16n16k16_bf16_row_col, "m16n16k16", 16, 16, 16, row, col, row, row, bf16, bf16, f32, f32, 4, 4, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m16n16k16_bf16_row_row, "m16n16k16", 16, 16, 16, row, row, row, row, bf16, bf16, f32, f32, 4, 4, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m16n16k16_bf16_col_row, "m16n16k16", 16, 16, 16, col, row, row, row, bf16, bf16, f32, f32, 4, 4, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m16n16k16_bf16_col_col, "m16n16k16", 16, 16, 16, col, col, row, row, bf16, bf16, f32, f32, 4, 4, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m32n8k16_bf16_row_col, "m32n8k16", 32, 8, 16, row, col, row, row, bf16, bf16, f32, f32, 8, 2, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m32n8k16_bf16_row_row, "m32n8k16", 32, 8, 16, row, row, row, row, bf16, bf16, f32, f32, 8, 2, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m32n8k16_bf16_col_row, "m32n8k16", 32, 8, 16, col, row, row, row, bf16, bf16, f32, f32, 8, 2, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m32n8k16_bf16_col_col, "m32n8k16", 32, 8, 16, col, col, row, row, bf16, bf16, f32, f32, 8, 2, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m8n32k16_bf16_row_col, "m8n32k16", 8, 32, 16, row, col, row, row, bf16, bf16, f32, f32, 2, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m8n32k16_bf16_row_row, "m8n32k16", 8, 32, 16, row, row, row, row, bf16, bf16, f32, f32, 2, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m8n32k16_bf16_col_row, "m8n32k16", 8, 32, 16, col, row, row, row, bf16, bf16, f32, f32, 2, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m8n32k16_bf16_col_col, "m8n32k16", 8, 32, 16, col, col, row, row, bf16, bf16, f32, f32, 2, 8, 8, 8, unsigned, "r", "", 2, 2, 1)
WMMA(wmma_m16n16k8_tf32_row_col, "m16n16k8", 16, 16, 8, row, col, col, row, tf32, tf32, f32, f32, 4, 4, 8, 8, unsigned, "r", "", 1, 1, 1)
WMMA(wmma_m16n16k8_tf32_row_row, "m16n16k8", 16, 16, 8, row, row, col, row, tf32, tf32, f32, f32, 4, 4, 8, 8, unsigned, "r", "", 1, 1, 1)
WMMA(wmma_m16n16k8_tf32_col_row, "m16n16k8", 16, 16, 8, col, row, col, row, tf32, tf32, f32, f32, 4, 4, 8, 8, unsigned, "r", "", 1, 1, 1)
WMMA(wmma_m16n16k8_tf32_col_col, "m16n16k8", 16, 16, 8, col, col, col, row, tf32, tf32, f32, f32, 4, 4, 8, 8, unsigned, "r", "", 1, 1, 1)
WMMA(wmma_m16n16k16_s8_row_col, "m16n16k16", 16, 16, 16, row, col, row, col, s8, s8, s32, s32, 2, 2, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m16n16k16_u8_row_row, "m16n16k16", 16, 16, 16, row, row, row, col, u8, u8, s32, s32, 2, 2, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m16n16k16_s8_col_row, "m16n16k16", 16, 16, 16, col, row, row, col, s8, s8, s32, s32, 2, 2, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m16n16k16_u8_col_col, "m16n16k16", 16, 16, 16, col, col, row, col, u8, u8, s32, s32, 2, 2, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m32n8k16_s8_row_col, "m32n8k16", 32, 8, 16, row, col, row, col, s8, s8, s32, s32, 4, 1, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m32n8k16_u8_row_row, "m32n8k16", 32, 8, 16, row, row, row, col, u8, u8, s32, s32, 4, 1, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m32n8k16_s8_col_row, "m32n8k16", 32, 8, 16, col, row, row, col, s8, s8, s32, s32, 4, 1, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m32n8k16_u8_col_col, "m32n8k16", 32, 8, 16, col, col, row, col, u8, u8, s32, s32, 4, 1, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m8n32k16_s8_row_col, "m8n32k16", 8, 32, 16, row, col, row, col, s8, s8, s32, s32, 1, 4, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m8n32k16_u8_row_row, "m8n32k16", 8, 32, 16, row, row, row, col, u8, u8, s32, s32, 1, 4, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m8n32k16_s8_col_row, "m8n32k16", 8, 32, 16, col, row, row, col, s8, s8, s32, s32, 1, 4, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m8n32k16_u8_col_col, "m8n32k16", 8, 32, 16, col, col, row, col, u8, u8, s32, s32, 1, 4, 8, 8, unsigned, "r", "", 4, 4, 1)
WMMA(wmma_m8n8k32_s4, "m8n8k32", 8, 8, 32, row, col, row, row, s4, s4, s32, s32, 1, 1, 2, 2, unsigned, "r", "", 8, 8, 1)
WMMA(wmma_m8n8k32_u4, "m8n8k32", 8, 8, 32, row, col, col, row, u4, u4, s32, s32, 1, 1, 2, 2, unsigned, "r", "", 8, 8, 1)
WMMA(wmma_m8n8k128_xor, "m8n8k128", 8, 8, 128, row, col, row, row, b1, b1, s32, s32, 1, 1, 2, 2, unsigned, "r", "xor.popc.", 32, 32, 1)
WMMA(wmma_m8n8k128_and, "m8n8k128", 8, 8, 128, row, col, row, col, b1, b1, s32, s32, 1, 1, 2, 2, unsigned, "r", "and.popc.", 32, 32, 1)
#undef TYPES
#define TYPES(ta, tb, tc, td) "rn." #td "." #ta "." #tb "." #tc
WMMA(wmma_m8n8k4_f64_row_col, "m8n8k4", 8, 8, 4, row, col, row, col, f64, f64, f64, f64, 1, 1, 2, 2, unsigned long long, "l", "", 1, 1, 1)
WMMA(wmma_m8n8k4_f64_row_row, "m8n8k4", 8, 8, 4, row, row, row, col, f64, f64, f64, f64, 1, 1, 2, 2, unsigned long long, "l", "", 1, 1, 1)
WMMA(wmma_m8n8k4_f64_col_row, "m8n8k4", 8, 8, 4, col, row, row, col, f64, f64, f64, f64, 1, 1, 2, 2, unsigned long long, "l", "", 1, 1, 1)
WMMA(wmma_m8n8k4_f64_col_col, "m8n8k4", 8, 8, 4, col, col, row, col, f64, f64, f64, f64, 1, 1, 2, 2, unsigned long long, "l", "", 1, 1, 1)
