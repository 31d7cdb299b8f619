// Latency and throughput of arithmetic instructions.
//
// Each warp runs `ilp` independent chains in which every step needs the one before. One warp with one chain
// shows the latency; many warps show how many steps an SM finishes a cycle. The steps are written in PTX
// where one PTX instruction is one machine instruction; sass.csv says what the assembler made of each.
#include <type_traits>

#include "measure.h"

// x is the chain; a and b are the thread's own values, u the same for all threads: nothing is known at
// compile time.
#define INSTRUCTION(id, type, steps, code)                                                     \
    struct id {                                                                                \
        using Value = type;                                                                    \
        static constexpr const char* name = #id;                                               \
        static constexpr int steps_a_round = steps;                                            \
        static constexpr int since = 0; /* which compute capability has it */                  \
        static __device__ __forceinline__ void step(type& x, type a, type b, type u) { code; } \
    }
#define INT_PTX(id, text) INSTRUCTION(id, int, 256, asm volatile(text : "+r"(x) : "r"(a), "r"(b), "r"(u)))
#define FLOAT_PTX(id, text) INSTRUCTION(id, float, 256, asm volatile(text : "+f"(x) : "f"(a), "f"(b), "f"(u)))
#define LONG_PTX(id, text) \
    INSTRUCTION(id, long long, 128, asm volatile(text : "+l"(x) : "l"(a), "l"(b), "l"(u)))
#define DOUBLE_PTX(id, text) \
    INSTRUCTION(id, double, 128, asm volatile(text : "+d"(x) : "d"(a), "d"(b), "d"(u)))

namespace instruction {  // math.h has functions of some of these names

FLOAT_PTX(fadd, "add.f32 %0, %0, %1;");
FLOAT_PTX(fmul, "mul.f32 %0, %0, %1;");
FLOAT_PTX(ffma, "fma.rn.f32 %0, %0, %1, %2;");
FLOAT_PTX(ffma_uniform, "fma.rn.f32 %0, %0, %3, %2;");
FLOAT_PTX(ffma_immediate, "fma.rn.f32 %0, %0, 0f3f8ccccd, %2;");
FLOAT_PTX(fadd_uniform, "add.f32 %0, %0, %3;");
FLOAT_PTX(fmnmx, "{ .reg .f32 t; min.f32 t, %0, %1; max.f32 %0, t, %2; }");
FLOAT_PTX(fsetp_fsel, "{ .reg .pred p; setp.lt.f32 p, %0, %1; selp.f32 %0, %1, %2, p; }");
INT_PTX(iadd3, "{ .reg .s32 t; add.s32 t, %0, %1; add.s32 %0, t, %2; }");
INT_PTX(iadd3_uniform, "{ .reg .s32 t; add.s32 t, %0, %3; add.s32 %0, t, %2; }");
INT_PTX(imad, "mad.lo.s32 %0, %0, %1, %2;");
INT_PTX(imad_uniform, "mad.lo.s32 %0, %0, %3, %2;");
INT_PTX(imul_hi, "mul.hi.s32 %0, %0, %1;");
LONG_PTX(imad_wide_lop3,
         "{ .reg .s32 l, h, u; mov.b64 {l, h}, %0; xor.b32 l, l, h; cvt.u32.u64 u, %1; mad.wide.s32 %0, l, "
         "u, %2; }");
LONG_PTX(mul64, "mul.lo.s64 %0, %0, %1;");
INT_PTX(lop3, "lop3.b32 %0, %0, %1, %2, 0x1e;");
INT_PTX(shf, "shf.l.wrap.b32 %0, %0, %1, %2;");
INT_PTX(shl, "shl.b32 %0, %0, %1;");
INT_PTX(prmt, "prmt.b32 %0, %0, %1, %2;");
INT_PTX(imnmx, "{ .reg .s32 t; min.s32 t, %0, %1; max.s32 %0, t, %2; }");
INT_PTX(isetp_sel, "{ .reg .pred p; setp.lt.s32 p, %0, %1; selp.s32 %0, %1, %2, p; }");
INT_PTX(popc, "popc.b32 %0, %0;");
INT_PTX(flo, "bfind.s32 %0, %0;");
INT_PTX(brev, "brev.b32 %0, %0;");
INT_PTX(i2f, "{ .reg .f32 t; cvt.rn.f32.s32 t, %0; mov.b32 %0, t; }");
INT_PTX(f2i, "{ .reg .f32 t; mov.b32 t, %0; cvt.rzi.s32.f32 %0, t; }");
DOUBLE_PTX(f2f_f64_f32, "{ .reg .f32 t; cvt.rn.f32.f64 t, %0; cvt.f64.f32 %0, t; }");
DOUBLE_PTX(f2i_i2f_f64, "{ .reg .s32 t; cvt.rzi.s32.f64 t, %0; cvt.rn.f64.s32 %0, t; }");
FLOAT_PTX(mufu_rcp_fadd, "{ .reg .f32 t; rcp.approx.ftz.f32 t, %0; add.f32 %0, t, %1; }");
FLOAT_PTX(mufu_rsq, "rsqrt.approx.ftz.f32 %0, %0;");
FLOAT_PTX(mufu_sqrt, "sqrt.approx.ftz.f32 %0, %0;");
FLOAT_PTX(mufu_sin, "sin.approx.ftz.f32 %0, %0;");
FLOAT_PTX(mufu_ex2, "ex2.approx.ftz.f32 %0, %0;");
FLOAT_PTX(mufu_lg2, "lg2.approx.ftz.f32 %0, %0;");
FLOAT_PTX(mufu_tanh, "tanh.approx.f32 %0, %0;");
DOUBLE_PTX(dadd, "add.f64 %0, %0, %1;");
DOUBLE_PTX(dmul, "mul.f64 %0, %0, %1;");
DOUBLE_PTX(dfma, "fma.rn.f64 %0, %0, %1, %2;");
INT_PTX(hfma2, "fma.rn.f16x2 %0, %0, %1, %2;");
INT_PTX(hadd2, "add.f16x2 %0, %0, %1;");
INT_PTX(shfl_bfly, "shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;");
INT_PTX(shfl_idx, "shfl.sync.idx.b32 %0, %0, %0, 0x1f, 0xffffffff;");
INT_PTX(isetp_vote, "{ .reg .pred p; setp.ne.s32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff; }");
INT_PTX(match_any, "match.any.sync.b32 %0, %0, 0xffffffff;");

struct redux {
    using Value = int;
    static constexpr const char* name = "redux";
    static constexpr int steps_a_round = 256;
    static constexpr int since = 80;
    static __device__ __forceinline__ void step(int& x, int, int, int) {
#if __CUDA_ARCH__ >= 800
        asm volatile("redux.sync.add.s32 %0, %0, 0xffffffff;" : "+r"(x));
#endif
    }
};

// What C++ writes and the compiler expands; the values stay on each expansion's short path.
INSTRUCTION(divide_s32, int, 16, x = a / x);
INSTRUCTION(modulo_s32, int, 16, x = a - b % x);
INSTRUCTION(divide_u32, unsigned, 16, x = a / x);
INSTRUCTION(divide_s64, long long, 8, x = a / x);
INSTRUCTION(divide_f32, float, 16, x = a / x);
INSTRUCTION(divide_f64, double, 8, x = a / x);
INSTRUCTION(sqrt_f32, float, 16, x = sqrtf(x));
INSTRUCTION(sqrt_f64, double, 8, x = sqrt(x));
INSTRUCTION(sin_f32, float, 8, x = sinf(x));
INSTRUCTION(exp_f32, float, 16, x = expf(x) - a);
INSTRUCTION(log_f32, float, 16, x = logf(x) + a);
INSTRUCTION(pow_f32, float, 8, x = powf(x, b - 2.5f));  // a square root, but only at run time

}  // namespace instruction

template <class Op, int ilp>
__global__ void chains(const typename Op::Value* operands, typename Op::Value u, int rounds, int blocks_an_sm,
                       unsigned* arrived, Span* spans, typename Op::Value* sink) {
    const typename Op::Value a = operands[threadIdx.x % 32], b = operands[32 + threadIdx.x % 32];
    typename Op::Value x[ilp];
    for (int j = 0; j < ilp; ++j) x[j] = b + typename Op::Value(threadIdx.x % 32 + j);
    long long begin = 0, end = 0;
    // The first turn fetches the instructions.
#pragma unroll 1
    for (int turn = 1; turn <= 2; ++turn) {
        meet(arrived, blocks_an_sm, turn);
        begin = clock64();
#pragma unroll 1
        for (int round = turn == 1 ? rounds - 1 : 0; round < rounds; ++round)
#pragma unroll
            for (int step = 0; step < Op::steps_a_round / ilp; ++step)
#pragma unroll
                for (int j = 0; j < ilp; ++j) Op::step(x[j], a, b, u);
        end = clock64();
    }
    note_span(spans, begin, end);
    typename Op::Value sum = x[0];
    for (int j = 1; j < ilp; ++j) sum += x[j];
    if (sum == typename Op::Value(12345)) *sink = sum;
}

template <class Op, int ilp>
void measure(Csv& csv, SpanMeter& meter) {
    using Value = typename Op::Value;
    if (capability() < Op::since) return;
    static Value* sink = allocate<Value>(1);
    static Value* operands = allocate<Value>(64);
    const Value a = std::is_floating_point_v<Value> ? Value(1.5) : Value(1000003);
    std::vector<Value> values(64, a);
    std::fill_n(values.begin() + 32, 32, Value(3));
    CHECK(cudaMemcpy(operands, values.data(), 64 * sizeof(Value), cudaMemcpyHostToDevice));
    const int rounds = 32, sms = sm_count();
    for (int warps : {1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64}) {
        const auto [blocks, threads] = residency(warps);
        if (!fits(chains<Op, ilp>, {blocks, threads})) continue;
        Samples cycles;
        for (int repeat = 0; repeat < 5; ++repeat)
            for (double c : meter.cycles(sms * warps, [&] {
                     chains<Op, ilp><<<sms * blocks, threads>>>(operands, Value(3), rounds, blocks,
                                                                meter.arrived(), meter.spans(), sink);
                 }))
                cycles.push_back(c);
        const double steps = double(rounds) * Op::steps_a_round;
        const auto where = settings("%s,%d,%d", Op::name, ilp, warps);
        if (warps == 1)
            csv.row(where, "cycles a step of a warp", scaled(cycles, [&](double c) { return c / steps; }));
        csv.row(where, "warp steps a cycle of an SM",
                scaled(cycles, [&](double c) { return warps * steps / c; }));
    }
}

template <class... Ops>
void measure_all(Csv& csv, SpanMeter& meter) {
    (measure<Ops, 1>(csv, meter), ...);
    (measure<Ops, 2>(csv, meter), ...);
    (measure<Ops, 4>(csv, meter), ...);
}

namespace instruction {

void measure_table(Csv& csv, SpanMeter& meter) {
    measure_all<fadd, fadd_uniform, fmul, ffma, ffma_uniform, ffma_immediate, fmnmx, fsetp_fsel, iadd3,
                iadd3_uniform, imad, imad_uniform, imul_hi, imad_wide_lop3, mul64, lop3, shf, shl, prmt,
                imnmx, isetp_sel, popc, flo, brev, i2f, f2i, f2f_f64_f32, f2i_i2f_f64, mufu_rcp_fadd,
                mufu_rsq, mufu_sqrt, mufu_sin, mufu_ex2, mufu_lg2, mufu_tanh, dadd, dmul, dfma, hfma2, hadd2,
                shfl_bfly, shfl_idx, isetp_vote, match_any, redux, divide_s32, modulo_s32, divide_u32,
                divide_s64, divide_f32, divide_f64, sqrt_f32, sqrt_f64, sin_f32, exp_f32, log_f32, pow_f32>(
        csv, meter);
}

}  // namespace instruction

int main(int argc, char** argv) {
    Csv csv(output_folder(argc, argv), "arithmetic", "instruction,ilp,warps");
    SpanMeter meter;
    instruction::measure_table(csv, meter);
}
