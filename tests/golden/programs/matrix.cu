// mma.sync: every shape, layout and type. A warp a block; golden/fragments.h says what its fragments hold, and how they
// stand in `in`.
#define KERNEL extern "C" __global__ void

template <typename T>
__device__ void load(T* words, int count, const T*& in) {
    for (int i = 0; i < count; ++i) words[i] = in[threadIdx.x * count + i];
    in += 32 * count;
}

#define IN1(c, x) c(x[0])
#define IN2(c, x) c(x[0]), c(x[1])
#define IN4(c, x) IN2(c, x), c(x[2]), c(x[3])
#define IN8(c, x) IN4(c, x), c(x[4]), c(x[5]), c(x[6]), c(x[7])
#define V1(a) "{%" #a "}"
#define V2(a, b) "{%" #a ",%" #b "}"
#define V4(a, b, c, d) "{%" #a ",%" #b ",%" #c ",%" #d "}"
#define V8(a, b, c, d, e, f, g, h) "{%" #a ",%" #b ",%" #c ",%" #d ",%" #e ",%" #f ",%" #g ",%" #h "}"

#define S2112 V2(0, 1) "," V1(2) "," V1(3) "," V2(4, 5)
#define S2212 V2(0, 1) "," V2(2, 3) "," V1(4) "," V2(5, 6)
#define S2222 V2(0, 1) "," V2(2, 3) "," V2(4, 5) "," V2(6, 7)
#define S2422 V2(0, 1) "," V4(2, 3, 4, 5) "," V2(6, 7) "," V2(8, 9)
#define S2442 V2(0, 1) "," V4(2, 3, 4, 5) "," V4(6, 7, 8, 9) "," V2(10, 11)
#define S4214 V4(0, 1, 2, 3) "," V2(4, 5) "," V1(6) "," V4(7, 8, 9, 10)
#define S4224 V4(0, 1, 2, 3) "," V2(4, 5) "," V2(6, 7) "," V4(8, 9, 10, 11)
#define S4424 V4(0, 1, 2, 3) "," V4(4, 5, 6, 7) "," V2(8, 9) "," V4(10, 11, 12, 13)
#define S4444 V4(0, 1, 2, 3) "," V4(4, 5, 6, 7) "," V4(8, 9, 10, 11) "," V4(12, 13, 14, 15)
#define S4844 V4(0, 1, 2, 3) "," V8(4, 5, 6, 7, 8, 9, 10, 11) "," V4(12, 13, 14, 15) "," V4(16, 17, 18, 19)
#define S4228 V4(0, 1, 2, 3) "," V2(4, 5) "," V2(6, 7) "," V8(8, 9, 10, 11, 12, 13, 14, 15)
#define S8224 V8(0, 1, 2, 3, 4, 5, 6, 7) "," V2(8, 9) "," V2(10, 11) "," V4(12, 13, 14, 15)
#define S8228 V8(0, 1, 2, 3, 4, 5, 6, 7) "," V2(8, 9) "," V2(10, 11) "," V8(12, 13, 14, 15, 16, 17, 18, 19)

#define PROLOGUE(type, registers, d_, a_, b_, c_)                                    \
    type d[d_], a[a_], b[b_], c[c_];                                                 \
    unsigned index = blockIdx.x * 32 + threadIdx.x;                                  \
    in += blockIdx.x * 32 * (registers);                                                  \
    load(a, a_, in), load(b, b_, in), load(c, c_, in)
#define EPILOGUE(d_) \
    for (int i = 0; i < d_; ++i) out[index * d_ + i] = d[i]

// MMA(kernel, instruction, registers of d, a, b and c)
#define MMA(name, op, d_, a_, b_, c_)                                                \
    KERNEL name(unsigned* out, const unsigned* in) {                                 \
        PROLOGUE(unsigned, a_ + b_ + c_, d_, a_, b_, c_);                            \
        asm volatile("mma.sync.aligned." op " " S##d_##a_##b_##c_ ";"                \
                     : IN##d_("=r", d)                                               \
                     : IN##a_("r", a), IN##b_("r", b), IN##c_("r", c));              \
        EPILOGUE(d_);                                                                \
    }
#define DMMA(name, shape, a_, b_, c_)                                                \
    KERNEL name(unsigned long long* out, const unsigned long long* in) {             \
        PROLOGUE(unsigned long long, a_ + b_ + c_, c_, a_, b_, c_);                  \
        asm volatile("mma.sync.aligned." shape ".row.col.f64.f64.f64.f64 " S##c_##a_##b_##c_ ";" \
                     : IN##c_("=l", d)                                               \
                     : IN##a_("l", a), IN##b_("l", b), IN##c_("l", c));              \
        EPILOGUE(c_);                                                                \
    }
// As MMA, with metadata that the lanes of this selector give.
#define SPARSE(name, op, d_, a_, b_, c_, e, selector)                                \
    KERNEL name(unsigned* out, const unsigned* in) {                                 \
        PROLOGUE(unsigned, a_ + b_ + c_ + 1, d_, a_, b_, c_);                        \
        asm volatile("mma.sp::ordered_metadata.sync.aligned." op " " S##d_##a_##b_##c_ ",%" #e "," #selector ";" \
                     : IN##d_("=r", d)                                               \
                     : IN##a_("r", a), IN##b_("r", b), IN##c_("r", c), "r"(in[threadIdx.x])); \
        EPILOGUE(d_);                                                                \
    }

MMA(mma_m8n8k4_row_col_f16_f16, "m8n8k4.row.col.f16.f16.f16.f16", 4, 2, 2, 4)
MMA(mma_m8n8k4_row_row_f16_f16, "m8n8k4.row.row.f16.f16.f16.f16", 4, 2, 2, 4)
MMA(mma_m8n8k4_col_col_f16_f16, "m8n8k4.col.col.f16.f16.f16.f16", 4, 2, 2, 4)
MMA(mma_m8n8k4_col_row_f16_f16, "m8n8k4.col.row.f16.f16.f16.f16", 4, 2, 2, 4)
MMA(mma_m8n8k4_row_col_f32_f32, "m8n8k4.row.col.f32.f16.f16.f32", 8, 2, 2, 8)
MMA(mma_m8n8k4_row_row_f32_f32, "m8n8k4.row.row.f32.f16.f16.f32", 8, 2, 2, 8)
MMA(mma_m8n8k4_col_col_f32_f32, "m8n8k4.col.col.f32.f16.f16.f32", 8, 2, 2, 8)
MMA(mma_m8n8k4_col_row_f32_f32, "m8n8k4.col.row.f32.f16.f16.f32", 8, 2, 2, 8)
MMA(mma_m8n8k4_row_col_f32_f16, "m8n8k4.row.col.f32.f16.f16.f16", 8, 2, 2, 4)

MMA(mma_m16n8k8_f16_f16, "m16n8k8.row.col.f16.f16.f16.f16", 2, 2, 1, 2)
MMA(mma_m16n8k8_f32_f16, "m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1, 4)
MMA(mma_m16n8k16_f16_f16, "m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2, 2)
MMA(mma_m16n8k16_f32_f16, "m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2, 4)
MMA(mma_m16n8k8_f32_bf16, "m16n8k8.row.col.f32.bf16.bf16.f32", 4, 2, 1, 4)
MMA(mma_m16n8k16_f32_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2, 4)
MMA(mma_m16n8k4_f32_tf32, "m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1, 4)
MMA(mma_m16n8k8_f32_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2, 4)
MMA(mma_m16n8k32_f32_e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 4, 2, 4)
MMA(mma_m16n8k32_f32_e5m2, "m16n8k32.row.col.f32.e5m2.e5m2.f32", 4, 4, 2, 4)
MMA(mma_m16n8k32_f32_e4m3_e5m2, "m16n8k32.row.col.f32.e4m3.e5m2.f32", 4, 4, 2, 4)
MMA(mma_m16n8k16_f32_e4m3, "m16n8k16.row.col.f32.e4m3.e4m3.f32", 4, 2, 1, 4)
MMA(mma_m16n8k32_f16_e4m3, "m16n8k32.row.col.f16.e4m3.e4m3.f16", 2, 4, 2, 2)
MMA(mma_m16n8k16_f16_e5m2, "m16n8k16.row.col.f16.e5m2.e5m2.f16", 2, 2, 1, 2)

// Once more, for zeros and what is next to them.
MMA(tiny_m16n8k16_f16_f16, "m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2, 2)
MMA(tiny_m16n8k16_f32_f16, "m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2, 4)
MMA(tiny_m16n8k16_f32_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2, 4)
MMA(tiny_m16n8k8_f32_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2, 4)
MMA(tiny_m16n8k32_f32_e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 4, 2, 4)
MMA(tiny_m16n8k32_f16_e5m2, "m16n8k32.row.col.f16.e5m2.e5m2.f16", 2, 4, 2, 2)
MMA(tiny_m8n8k4_f32_f32, "m8n8k4.row.col.f32.f16.f16.f32", 8, 2, 2, 8)
MMA(tiny_m8n8k4_f16_f16, "m8n8k4.row.col.f16.f16.f16.f16", 4, 2, 2, 4)

DMMA(mma_m8n8k4_f64, "m8n8k4", 1, 1, 2)
DMMA(mma_m16n8k4_f64, "m16n8k4", 2, 1, 4)
DMMA(mma_m16n8k8_f64, "m16n8k8", 4, 2, 4)
DMMA(mma_m16n8k16_f64, "m16n8k16", 8, 4, 4)

#define INTEGER(shape, ta, tb, a_, b_, c_) \
    MMA(mma_##shape##_##ta##_##tb, #shape ".row.col.s32." #ta "." #tb ".s32", c_, a_, b_, c_) \
    MMA(mma_##shape##_##ta##_##tb##_satfinite, #shape ".row.col.satfinite.s32." #ta "." #tb ".s32", c_, a_, b_, c_)
INTEGER(m8n8k16, s8, s8, 1, 1, 2)
INTEGER(m8n8k16, u8, s8, 1, 1, 2)
INTEGER(m16n8k16, s8, u8, 2, 1, 4)
INTEGER(m16n8k16, u8, u8, 2, 1, 4)
INTEGER(m16n8k32, s8, s8, 4, 2, 4)
INTEGER(m16n8k32, u8, s8, 4, 2, 4)
INTEGER(m8n8k32, s4, s4, 1, 1, 2)
INTEGER(m8n8k32, u4, s4, 1, 1, 2)
INTEGER(m16n8k32, s4, u4, 2, 1, 4)
INTEGER(m16n8k32, u4, u4, 2, 1, 4)
INTEGER(m16n8k64, s4, s4, 4, 2, 4)
INTEGER(m16n8k64, u4, s4, 4, 2, 4)

#define BINARY(shape, a_, b_, c_) \
    MMA(mma_##shape##_b1_xor, #shape ".row.col.s32.b1.b1.s32.xor.popc", c_, a_, b_, c_) \
    MMA(mma_##shape##_b1_and, #shape ".row.col.s32.b1.b1.s32.and.popc", c_, a_, b_, c_)
BINARY(m8n8k128, 1, 1, 2)
BINARY(m16n8k128, 2, 1, 4)
BINARY(m16n8k256, 4, 2, 4)

SPARSE(mma_sp_m16n8k16_f32_f16, "m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 2, 4, 12, 0)
SPARSE(mma_sp_m16n8k16_f32_f16_3, "m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 2, 4, 12, 3)
SPARSE(mma_sp_m16n8k16_f16_f16_1, "m16n8k16.row.col.f16.f16.f16.f16", 2, 2, 2, 2, 8, 1)
SPARSE(mma_sp_m16n8k32_f32_f16, "m16n8k32.row.col.f32.f16.f16.f32", 4, 4, 4, 4, 16, 0)
SPARSE(mma_sp_m16n8k32_f16_f16_1, "m16n8k32.row.col.f16.f16.f16.f16", 2, 4, 4, 2, 12, 1)
SPARSE(mma_sp_m16n8k16_f32_bf16_2, "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 2, 4, 12, 2)
SPARSE(mma_sp_m16n8k32_f32_bf16_1, "m16n8k32.row.col.f32.bf16.bf16.f32", 4, 4, 4, 4, 16, 1)
SPARSE(mma_sp_m16n8k8_f32_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 2, 4, 12, 0)
SPARSE(mma_sp_m16n8k8_f32_tf32_2, "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 2, 4, 12, 2)
SPARSE(mma_sp_m16n8k16_f32_tf32_1, "m16n8k16.row.col.f32.tf32.tf32.f32", 4, 4, 4, 4, 16, 1)
SPARSE(mma_sp_m16n8k64_f32_e4m3, "m16n8k64.row.col.f32.e4m3.e4m3.f32", 4, 4, 4, 4, 16, 0)
SPARSE(mma_sp_m16n8k64_f32_e5m2_e4m3, "m16n8k64.row.col.f32.e5m2.e4m3.f32", 4, 4, 4, 4, 16, 0)
SPARSE(mma_sp_m16n8k32_s8_s8, "m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 2, 4, 12, 0)
SPARSE(mma_sp_m16n8k32_u8_s8_1, "m16n8k32.row.col.satfinite.s32.u8.s8.s32", 4, 2, 2, 4, 12, 1)
SPARSE(mma_sp_m16n8k64_s8_u8, "m16n8k64.row.col.s32.s8.u8.s32", 4, 4, 4, 4, 16, 0)
SPARSE(mma_sp_m16n8k64_s4_s4_1, "m16n8k64.row.col.s32.s4.s4.s32", 4, 2, 2, 4, 12, 1)
SPARSE(mma_sp_m16n8k128_u4_s4, "m16n8k128.row.col.s32.u4.s4.s32", 4, 4, 4, 4, 16, 0)
