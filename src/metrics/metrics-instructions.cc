#include <algorithm>

#include "metrics/metric-table.h"
#include "timing/units.h"

namespace lockstep::metrics {
namespace {

using Counts = const Launch&;

std::uint64_t executed(Counts c, Memory memory, AccessType type) {
    return c.totals.of(memory, type).instructions;
}

// Threads that executed a PTX floating-point instruction of this type.
std::uint64_t operations(Counts c, bool (*is_kind)(ptx::Opcode), ptx::Type type) {
    std::uint64_t sum = 0;
    std::size_t number = 0;
    for (const kernel::Function& function : c.kernel->functions)
        for (const kernel::Block& block : function.blocks) {
            const std::uint64_t lanes = c.raw.blocks[number++].lanes;
            for (const ptx::Instruction& instruction : block.instructions)
                if (is_kind(instruction.opcode) && instruction.type() == type) sum += lanes;
        }
    return sum;
}

bool is_add(ptx::Opcode opcode) { return opcode == ptx::Opcode::add || opcode == ptx::Opcode::sub; }
bool is_mul(ptx::Opcode opcode) { return opcode == ptx::Opcode::mul; }
bool is_fma(ptx::Opcode opcode) { return opcode == ptx::Opcode::fma || opcode == ptx::Opcode::mad; }

template <ptx::Type type>
std::optional<double> flops(Counts c) {
    return number(operations(c, is_add, type) + operations(c, is_mul, type) +
                  2 * operations(c, is_fma, type));
}
template <ptx::Type type, bool (*is_kind)(ptx::Opcode)>
std::optional<double> threads(Counts c) {
    return number(operations(c, is_kind, type));
}
// Nothing where there are any.
template <bool (*is_kind)(ptx::Opcode)>
std::optional<double> half_threads(Counts c) {
    const std::uint64_t there =
        operations(c, is_kind, ptx::Type::f16) + operations(c, is_kind, ptx::Type::f16x2);
    return there ? std::nullopt : number(there);
}
template <Memory memory, AccessType type>
std::optional<double> instructions(Counts c) {
    return number(executed(c, memory, type));
}

// Machine instructions of the tensor pipe; of some of its kinds.
std::optional<double> tensor(Counts c, std::initializer_list<machine::Pipe> kinds) {
    std::uint64_t sum = 0;
    for (machine::Pipe pipe : kinds) sum += c.totals.by_pipe[static_cast<std::size_t>(pipe)];
    return number(sum);
}

// Products of the tensor pipe of these kinds, summed: `each` tells what one counts for.
template <class Each>
double over_products(Counts c, std::initializer_list<machine::Pipe> kinds, Each each) {
    double sum = 0;
    for (const auto& counts : c.instructions) {
        const auto& code = c.kernel->functions[counts.function].blocks[counts.block].instructions;
        if (counts.instruction < 0 || static_cast<std::size_t>(counts.instruction) >= code.size()) continue;
        const ptx::Instruction& ptx = code[static_cast<std::size_t>(counts.instruction)];
        for (const machine::Instruction& instruction : c.views[counts.function].blocks[counts.block].code)
            if (instruction.ptx == counts.instruction &&
                std::find(kinds.begin(), kinds.end(), instruction.row().pipe) != kinds.end())
                sum += static_cast<double>(counts.executed) * each(instruction, ptx);
    }
    return sum;
}

std::optional<double> tensor_cycles(Counts c, std::initializer_list<machine::Pipe> kinds) {
    return over_products(c, kinds, [&](const machine::Instruction& product, const ptx::Instruction&) {
        return timing::issue_interval(product.row().unit, *c.gpu) * product.times;
    });
}

std::optional<double> group_wavefronts(Counts c) {
    constexpr double warps = 4;
    return over_products(c, {machine::Pipe::tensor_group, machine::Pipe::tensor_group_integer},
                         [](const machine::Instruction&, const ptx::Instruction& product) {
                             return machine::group_wavefronts(product) / warps;
                         });
}

std::optional<double> matrix_loads(Counts c) {
    std::uint64_t sum = 0;
    for (const auto& counts : c.instructions)
        for (const machine::Instruction& instruction : c.views[counts.function].blocks[counts.block].code)
            if (instruction.ptx == counts.instruction && instruction.opcode == machine::Opcode::ldsm)
                sum += counts.executed;
    return number(sum);
}

Metric simple(std::vector<std::string> names, std::string title, std::string definition,
              std::optional<double> (*value)(Counts), Kind kind = Kind::modelled) {
    return {.names = std::move(names),
            .unit = Unit::count,
            .kind = kind,
            .groups = {"instructions"},
            .title = std::move(title),
            .definition = std::move(definition),
            .value = value};
}

}  // namespace

std::vector<Metric> instruction_metrics() {
    using enum Memory;
    using enum AccessType;
    using machine::Pipe;
    const std::string machine = " Instructions are those of the machine view, one a warp.";
    const std::string with_off = " Also those whose lanes were all predicated off.";
    const std::string no_half = " Known where a kernel has none: how a GPU counts pairs was not looked at.";
    const std::string of_ptx = " Threads, over the instructions of the PTX.";
    return {
        simple({"smsp__inst_executed.sum", "inst_executed"}, "Instructions Executed",
               "Warp instructions executed." + machine, [](Counts c) { return number(c.totals.executed); }),
        simple({"smsp__inst_issued.sum"}, "Instructions Issued",
               "Warp instructions issued: those that are executed. What a GPU issues twice is not modelled.",
               [](Counts c) { return number(c.totals.executed); }),
        {.names = {"smsp__inst_executed.avg", "smsp__inst_issued.avg"},
         .unit = Unit::ratio,
         .kind = Kind::modelled,
         .groups = {"instructions"},
         .title = "Instructions per Scheduler",
         .definition = "Warp instructions executed / schedulers of the GPU." + machine,
         .value =
             [](Counts c) {
                 return ratio(c.totals.executed, static_cast<std::uint64_t>(c.gpu->sms) *
                                                     static_cast<std::uint64_t>(c.gpu->timing.schedulers));
             }},
        simple(
            {"lockstep__failed_swaps.sum"}, "Rounds that Failed",
            "Rounds of loops that compare and swap which warps repeat because another one was faster. Their "
            "instructions, branches and accesses are in all counts.",
            [](Counts c) -> std::optional<double> {
                if (!c.prediction) return std::nullopt;
                double sum = 0;
                for (const auto& [site, rounds] : c.prediction->failed) sum += rounds.warps;
                return sum;
            },
            Kind::predicted),
        {.names = {"smsp__average_inst_executed_per_warp.ratio", "inst_per_warp"},
         .unit = Unit::ratio,
         .kind = Kind::modelled,
         .groups = {"instructions", "default"},
         .title = "Instructions per warp",
         .definition = "Warp instructions executed / warps launched." + machine,
         .value = [](Counts c) { return ratio(c.totals.executed, c.totals.warps); }},
        simple({"smsp__thread_inst_executed.sum", "thread_inst_executed"}, "Thread Instructions Executed",
               "Active threads, summed over warp instructions; lanes whose predicate is off are active.",
               [](Counts c) { return number(c.totals.active); }),
        simple({"smsp__thread_inst_executed_pred_on.sum", "not_predicated_off_thread_inst_executed"},
               "Thread Instructions Executed, Predicate On",
               "Active threads whose predicate held, summed over warp instructions.",
               [](Counts c) { return number(c.totals.predicated_on); }),
        simple({"smsp__inst_executed_pipe_tensor.sum", "sm__inst_executed_pipe_tensor.sum",
                "tensor_precision_fu_inst"},
               "Tensor Instructions", "Warp instructions of the tensor pipe: matrix products." + machine,
               [](Counts c) {
                   return tensor(c, {Pipe::tensor, Pipe::tensor_integer, Pipe::tensor_fp64,
                                     Pipe::tensor_group, Pipe::tensor_group_integer});
               }),
        simple({"smsp__inst_executed_pipe_tensor_op_hmma.sum", "sm__inst_executed_pipe_tensor_op_hmma.sum"},
               "Tensor Instructions, Floats",
               "Matrix products of floats up to tf32 (HMMA), with those of warpgroups." + machine,
               [](Counts c) { return tensor(c, {Pipe::tensor, Pipe::tensor_group}); }),
        simple({"smsp__inst_executed_pipe_tensor_op_imma.sum", "sm__inst_executed_pipe_tensor_op_imma.sum"},
               "Tensor Instructions, Integers", "Matrix products of integers (IMMA)." + machine,
               [](Counts c) { return tensor(c, {Pipe::tensor_integer, Pipe::tensor_group_integer}); }),
        simple({"smsp__inst_executed_pipe_tensor_op_dmma.sum", "sm__inst_executed_pipe_tensor_op_dmma.sum"},
               "Tensor Instructions, FP64", "Matrix products of f64 (DMMA)." + machine,
               [](Counts c) { return tensor(c, {Pipe::tensor_fp64}); }),
        simple({"smsp__inst_executed_pipe_tensor_op_gmma.sum", "sm__inst_executed_pipe_tensor_op_gmma.sum"},
               "Tensor Instructions, Warpgroups",
               "Matrix products of warpgroups (GMMA), one for each of their warps." + machine,
               [](Counts c) { return tensor(c, {Pipe::tensor_group, Pipe::tensor_group_integer}); }),
        simple({"sm__pipe_tensor_cycles_active.sum"}, "Tensor Cycles",
               "Cycles in which a scheduler's tensor pipe works, summed over all: products × the cycles of "
               "each." +
                   machine,
               [](Counts c) {
                   return tensor_cycles(c, {Pipe::tensor, Pipe::tensor_integer, Pipe::tensor_fp64,
                                            Pipe::tensor_group, Pipe::tensor_group_integer});
               }),
        simple({"sm__pipe_tensor_op_hmma_cycles_active.sum"}, "Tensor Cycles, Floats",
               "The same of floats up to tf32, with those of warpgroups.",
               [](Counts c) { return tensor_cycles(c, {Pipe::tensor, Pipe::tensor_group}); }),
        simple({"sm__pipe_tensor_op_imma_cycles_active.sum"}, "Tensor Cycles, Integers",
               "The same of integers.",
               [](Counts c) { return tensor_cycles(c, {Pipe::tensor_integer, Pipe::tensor_group_integer}); }),
        simple({"sm__pipe_tensor_op_dmma_cycles_active.sum"}, "Tensor Cycles, FP64", "The same of f64.",
               [](Counts c) { return tensor_cycles(c, {Pipe::tensor_fp64}); }),
        simple({"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum"}, "Shared Wavefronts of Warpgroups",
               "Passes over shared memory in which matrix products of warpgroups read their operands.",
               group_wavefronts),
        simple({"smsp__inst_executed_op_ldsm.sum"}, "Matrix Loads from Shared Memory",
               "Warp instructions that load matrices from shared memory (LDSM): ldmatrix, and wmma.load of 8 "
               "and 16 bits.",
               matrix_loads),
        {.names = {"warp_execution_efficiency"},
         .unit = Unit::percent,
         .kind = Kind::modelled,
         .groups = {"instructions", "branch", "default"},
         .title = "Warp Execution Efficiency",
         .definition =
             "Active threads an instruction / threads of a warp; lanes whose predicate is off count as "
             "active.",
         .value =
             [](Counts c) {
                 return ratio(c.totals.active, c.totals.executed * static_cast<unsigned>(c.gpu->warp_size),
                              100);
             }},
        {.names = {"smsp__thread_inst_executed_per_inst_executed.ratio"},
         .unit = Unit::ratio,
         .kind = Kind::modelled,
         .groups = {"instructions"},
         .title = "Active Threads per Instruction",
         .definition = "Active threads / warp instructions executed.",
         .value = [](Counts c) { return ratio(c.totals.active, c.totals.executed); }},
        {.names = {"warp_nonpred_execution_efficiency"},
         .unit = Unit::percent,
         .kind = Kind::modelled,
         .groups = {"instructions", "branch"},
         .title = "Warp Non-Predicated Execution Efficiency",
         .definition = "Threads an instruction whose predicate held / threads of a warp.",
         .value =
             [](Counts c) {
                 return ratio(c.totals.predicated_on,
                              c.totals.executed * static_cast<unsigned>(c.gpu->warp_size), 100);
             }},
        {.names = {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"},
         .unit = Unit::ratio,
         .kind = Kind::modelled,
         .groups = {"instructions"},
         .title = "Not Predicated-Off Threads per Instruction",
         .definition = "Active threads whose predicate held / warp instructions executed.",
         .value = [](Counts c) { return ratio(c.totals.predicated_on, c.totals.executed); }},
        {.names = {"VALU Active Threads"},
         .unit = Unit::ratio,
         .kind = Kind::modelled,
         .groups = {"instructions", "amd"},
         .title = "Active Threads per Arithmetic Instruction",
         .definition = "omniperf's: active threads / warp instructions, over arithmetic instructions.",
         .value = [](Counts c) { return ratio(c.totals.vector_active, c.totals.vector_executed); },
         .vendor = Vendor::both},
        simple({"smsp__inst_executed_op_global_ld.sum", "inst_executed_global_loads"},
               "Warp level instructions for global loads", "Global load instructions executed." + with_off,
               instructions<global, load>),
        simple({"smsp__inst_executed_op_global_st.sum", "inst_executed_global_stores"},
               "Warp level instructions for global stores", "Global store instructions executed." + with_off,
               instructions<global, store>),
        simple({"smsp__inst_executed_op_global_atom.sum", "inst_executed_global_atomics"},
               "Warp level instructions for global atom and atom cas",
               "Global atomic instructions with a result executed." + with_off, instructions<global, atomic>),
        simple({"smsp__inst_executed_op_global_red.sum", "inst_executed_global_reductions"},
               "Warp level instructions for global reductions",
               "Global atomic instructions without a result executed." + with_off,
               instructions<global, reduction>),
        simple({"smsp__inst_executed_op_shared_ld.sum", "inst_executed_shared_loads"},
               "Warp level instructions for shared loads", "Shared load instructions executed." + with_off,
               instructions<shared, load>),
        simple({"smsp__inst_executed_op_shared_st.sum", "inst_executed_shared_stores"},
               "Warp level instructions for shared stores", "Shared store instructions executed." + with_off,
               instructions<shared, store>),
        simple({"smsp__inst_executed_op_shared_atom.sum", "inst_executed_shared_atomics"},
               "Warp level shared instructions for atom and atom CAS",
               "Shared atomic instructions executed, with a result or without." + with_off,
               [](Counts c) { return number(executed(c, shared, atomic) + executed(c, shared, reduction)); }),
        simple({"smsp__inst_executed_op_local_ld.sum", "inst_executed_local_loads"},
               "Warp level instructions for local loads", "Local load instructions executed." + with_off,
               instructions<local, load>),
        simple({"smsp__inst_executed_op_local_st.sum", "inst_executed_local_stores"},
               "Warp level instructions for local stores", "Local store instructions executed." + with_off,
               instructions<local, store>),
        simple({"flop_count_sp"}, "Floating Point Operations(Single Precision)",
               "Additions + multiplications + 2 × fused multiply-adds in f32." + of_ptx,
               flops<ptx::Type::f32>, Kind::counted),
        simple({"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                "sm__sass_thread_inst_executed_op_fadd_pred_on.sum", "flop_count_sp_add"},
               "Floating Point Operations(Single Precision Add)", "Additions in f32." + of_ptx,
               threads<ptx::Type::f32, is_add>, Kind::counted),
        simple({"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                "sm__sass_thread_inst_executed_op_fmul_pred_on.sum", "flop_count_sp_mul"},
               "Floating Point Operations(Single Precision Mul)", "Multiplications in f32." + of_ptx,
               threads<ptx::Type::f32, is_mul>, Kind::counted),
        simple({"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                "sm__sass_thread_inst_executed_op_ffma_pred_on.sum", "flop_count_sp_fma"},
               "Floating Point Operations(Single Precision FMA)", "Fused multiply-adds in f32." + of_ptx,
               threads<ptx::Type::f32, is_fma>, Kind::counted),
        simple({"flop_count_dp"}, "Floating Point Operations(Double Precision)",
               "Additions + multiplications + 2 × fused multiply-adds in f64." + of_ptx,
               flops<ptx::Type::f64>, Kind::counted),
        simple({"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
                "sm__sass_thread_inst_executed_op_dadd_pred_on.sum", "flop_count_dp_add"},
               "Floating Point Operations(Double Precision Add)", "Additions in f64." + of_ptx,
               threads<ptx::Type::f64, is_add>, Kind::counted),
        simple({"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
                "sm__sass_thread_inst_executed_op_dmul_pred_on.sum", "flop_count_dp_mul"},
               "Floating Point Operations(Double Precision Mul)", "Multiplications in f64." + of_ptx,
               threads<ptx::Type::f64, is_mul>, Kind::counted),
        simple({"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
                "sm__sass_thread_inst_executed_op_dfma_pred_on.sum", "flop_count_dp_fma"},
               "Floating Point Operations(Double Precision FMA)", "Fused multiply-adds in f64." + of_ptx,
               threads<ptx::Type::f64, is_fma>, Kind::counted),
        simple({"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum",
                "sm__sass_thread_inst_executed_op_hadd_pred_on.sum"},
               "Floating Point Operations(Half Precision Add)", "Additions in f16." + no_half,
               half_threads<is_add>, Kind::counted),
        simple({"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
                "sm__sass_thread_inst_executed_op_hmul_pred_on.sum"},
               "Floating Point Operations(Half Precision Mul)", "Multiplications in f16." + no_half,
               half_threads<is_mul>, Kind::counted),
        simple({"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
                "sm__sass_thread_inst_executed_op_hfma_pred_on.sum"},
               "Floating Point Operations(Half Precision FMA)", "Fused multiply-adds in f16." + no_half,
               half_threads<is_fma>, Kind::counted),
    };
}

}  // namespace lockstep::metrics
