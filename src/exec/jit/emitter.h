// Translates one function of kernel IR into LLVM IR that runs a whole warp. A register is a scalar where its
// value is known to be the same in (or linear over) all lanes, otherwise a vector of 32. Instruction families
// have a file each: each defines some of the emit_* members below.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/jit/program.h"
#include "exec/jit/stops.h"
#include "exec/scalar/memory-barrier.h"
#include "exec/scalar/scalar-function.h"
#include "kernel/accesses.h"
#include "kernel/block-steps.h"
#include "kernel/graph.h"
#include "kernel/index-arithmetic.h"
#include "kernel/ir.h"
#include "kernel/operands.h"
#include "kernel/shapes.h"
#include "kernel/shared-variables.h"
#include "kernel/slow-ways.h"

namespace lockstep::exec {
struct RuntimeFunction;
}

namespace lockstep::exec::jit {

// What an instruction does to a barrier in memory: exec/scalar/memory-barrier.h.
struct MemoryBarrierOperation {
    const char* name;
    std::uint64_t (*function)(std::uint64_t* object, std::uint64_t, std::uint64_t);
};

constexpr int most_rows = 4;  // in a warp

class Emitter {
  public:
    Emitter(Program& program, std::uint32_t number);  // of program.kernel's functions

    // The whole function. On failure the error names the instruction.
    Result<void> run();

  private:
    using Value = llvm::Value;
    using Inst = ptx::Instruction;
    using Op = ptx::Operand;
    using Type = ptx::Type;

    // ---- values (values.cc) ----
    llvm::Type* int_type(int bits);
    llvm::Type* like(Value* shape, llvm::Type* scalar);  // scalar, or a vector of it where `shape` is one
    llvm::Type* float_type(Type type);                   // f32 or f64; smaller ones are integers here
    static bool is_vector(const Value* value) { return value->getType()->isVectorTy(); }
    Value* splat(Value* scalar);
    Value* constant(Value* shape, std::uint64_t value);  // an integer constant of shape's type
    Value* constant_float(Value* shape, double value);
    Value* lane_index(int bits);    // <0, 1, … 31>
    Value* column_index(int bits);  // each lane's place in its row

    const kernel::Shape& shape(const Op& reg) const { return shapes_.registers[reg.id]; }
    bool is_scalar_operand(const Op& op) const;  // uniform at compile time
    // Reads an operand as an integer of `type`'s width: a vector, or with `scalar` the warp's one value (of
    // an affine register: its base; of one with a base for each row: that of row_).
    Value* read(const Op& op, Type type, bool scalar);
    Value* read_bits(const Op& op, int bits, bool scalar);
    Value* read_register(std::uint32_t reg, bool scalar);
    Value* read_special(const Op& op, bool scalar);
    Value* address_of(const Op& variable);                         // of a symbol, i64
    std::uint64_t parameter_offset(std::uint32_t variable) const;  // of an entry's own
    Value* parameters();                                           // where they are
    Value* as_float(Value* bits, Type type);
    Value* as_bits(Value* value);
    // Writes to a destination operand, with extension to the register's width, the guard and blending.
    void write(const Inst& inst, const Op& dst, Value* value, bool sign_extend = false);
    // A register as it is held: its value or base, and of a wide one the offset; of row_.
    Value* load_held(std::size_t reg);
    Value* load_held_offset(std::size_t reg);
    void store_held(std::size_t reg, Value* value);
    void store_held_offset(std::size_t reg, Value* offset);
    void store_register(std::uint32_t reg, Value* value);
    bool scalar_result(const Inst& inst) const;  // the first destination is held as a scalar

    // Wide registers: the 32-bit base and the 64-bit offset.
    struct Wide {
        Value* base;
        Value* offset;
    };
    Wide read_wide(const Op& op);
    bool emit_wide(const Inst& inst);  // false if the destination is not wide

    // Predicates and masks.
    Value* predicate(const Op& op, bool scalar);  // i1 or <32 x i1>, negation applied
    Value* guard_bits(const ptx::Guard& guard);   // as a bit a lane
    // A predicate as a bit a lane where that is known already, or costs nothing; else null. And what an
    // instruction has written, as bits: they are not made from the lanes when somebody asks.
    Value* known_bits(const Op& op);
    bool may_know_bits(const Inst& inst) const;  // it writes all lanes of a predicate
    void know_bits(const Inst& inst, Value* bits);
    Value* to_bits(Value* lanes);                // <32 x i1> -> i32
    Value* to_lanes(Value* bits);                // i32 -> <32 x i1>
    Value* active_mask();                        // the lanes running now
    Value* instruction_mask(const Inst& inst);   // … less those whose guard is off
    Value* instruction_lanes(const Inst& inst);  // the same as <32 x i1>

    // Fields that stay the same while a warp runs may be loaded once; `constant` false for the others.
    Value* context_field(std::size_t offset, llvm::Type* type, const char* name, bool constant);
    Value* context_field(std::size_t offset, llvm::Type* type, const char* name) {
        return context_field(offset, type, name, offset != offsetof(WarpContext, active));
    }
    void set_context_field(std::size_t offset, Value* value);

    // Calls `function` for each active lane (or once for scalars).
    Value* call_lanes(const std::string& name, void* function, llvm::Type* result,
                      const std::vector<Value*>& args, bool scalar, Value* mask);
    Value* call_lanes(const ScalarFunction& function, const std::vector<Value*>& args, bool scalar,
                      Value* mask);
    Value* call_warp(llvm::FunctionCallee callee, llvm::Type* result, const std::vector<Value*>& args,
                     Value* mask);
    llvm::Type* type_of(ScalarType type);

    // ---- instruction families ----
    void emit(const Inst& inst);
    void emit_families(const Inst& inst);
    bool emit_integer(const Inst& inst);   // integer.cc
    bool emit_logic(const Inst& inst);     // logic.cc
    bool emit_bits(const Inst& inst);      // bits.cc
    bool emit_floating(const Inst& inst);  // floating.cc
    bool emit_half(const Inst& inst);      // half.cc
    bool emit_compare(const Inst& inst);   // compare.cc
    bool emit_convert(const Inst& inst);   // convert.cc
    bool emit_move(const Inst& inst);      // move.cc
    bool emit_memory(const Inst& inst);    // memory.cc
    bool emit_atomic(const Inst& inst);    // atomic.cc
    bool is_read(const Op& result);
    std::optional<std::string> commuting_kind(const Inst& inst, bool returns);
    kernel::RegisterSet read_registers_;  // by anybody; empty: not asked for yet
    bool emit_barrier(const Inst& inst);  // barrier.cc
    void fault_beyond(const Inst& inst, Value* before, bool arrives, Value* arrivals, Value* bytes);
    bool emit_memory_barrier(const Inst& inst);  // memory-barrier.cc
    Value* call_memory_barrier(const Inst& inst, const MemoryBarrierOperation& operation, std::uint32_t at,
                               Value* first, Value* second);
    void complete_bytes(const Inst& inst);
    void record_phase(MemoryBarrierEvent event, Value* mask);
    Value* barrier_addresses_ = nullptr;  // by lane, of the barrier instruction that is being translated
    bool emit_warp(const Inst& inst);     // warp.cc
    bool emit_shuffle(const Inst& inst);
    static const Op* member_operand(const Inst& inst);  // the mask of a *.sync instruction; null: it has none
    std::optional<std::uint32_t> constant_of(const Op& op);
    void check_members(const Inst& inst);
    Value* group_masks(const Inst& inst);
    Value* present_lanes(const Inst& inst, Value* values);
    bool emit_call(const Inst& inst);     // call.cc
    bool emit_video(const Inst& inst);    // video.cc
    bool emit_texture(const Inst& inst);  // texture.cc
    bool emit_misc(const Inst& inst);     // misc.cc
    bool emit_matrix(const Inst& inst);   // matrix.cc
    void check_whole_warp(const Inst& inst);
    std::optional<kernel::BlockId> whole_in_;  // the block in which that was asked already
    Value* fragment(const Op& registers, int first, int count, int bits);
    void write_fragment(const Inst& inst, const Op& registers, Value* memory, int bits);
    void emit_product(const Inst& inst);
    void emit_wmma_product(const Inst& inst);
    void emit_wmma_move(const Inst& inst);
    void emit_ldmatrix(const Inst& inst);
    void emit_stmatrix(const Inst& inst);
    void emit_wgmma(const Inst& inst);
    Value* turned(Value* words);
    Value* constant_words(const std::array<int, 32>& values);

    // call.cc
    void call_device(const Inst& inst, const kernel::CallOperands& call, Value* mask);
    void call_runtime(const Inst& inst, const RuntimeFunction& function, const kernel::CallOperands& call,
                      Value* mask);
    void call_external(const Inst& inst, const ptx::Function& callee, const kernel::CallOperands& call,
                       Value* mask);
    void check_pointee(const Inst& inst, const Pointee& pointee, Value* address,
                       const std::vector<Value*>& before, Value* mask);
    void call_lanes_void(const std::string& name, void* function, const std::vector<Value*>& args,
                         Value* mask);
    void copy_lanes(Value* to, Value* to_stride, Value* from, Value* from_stride, std::uint64_t bytes,
                    Value* mask);
    static std::vector<std::uint64_t> argument_offsets(const std::vector<const ptx::Variable*>& variables,
                                                       std::uint64_t& total);
    void transfer_variable(std::uint32_t variable, Value* buffer, std::uint64_t offset, bool to_buffer,
                           Value* mask);

    // floating.cc, shared with half.cc and compare.cc
    Value* flush(Value* value);  // denormals to zero, sign kept
    Value* flush_bits(Value* bits, std::uint64_t exponent);
    Value* saturate(Value* value);  // to [0, 1], NaN to 0
    Value* canonical_nan(Value* bits, Type type);
    Value* directed(std::string_view mode, Value* nearest, Value* error);
    Value* directed_sum(std::string_view mode, Value* a, Value* b);
    Value* read_any_nan(const Op& op, Type type, bool scalar);  // a float's bits; NaNs as the CPU left them
    // Calls the scalar function of that PTX name with the instruction's operands from the second on.
    bool emit_scalar_call(const Inst& inst, const std::string& name, bool flush_to_zero = false);
    void find_lazy_nans();
    void find_exact_nans();
    Value* exact_nan(Value* result, std::initializer_list<Value*> operands);
    // half.cc: f16 and bf16, as their bits
    static bool is_small_float(Type type);
    Value* is_small_nan(Value* bits, Type type);
    Value* flush_small(Value* bits, Type type);
    Value* saturate_small(Value* bits, Type type);
    Value* relu_small(Value* bits, Type type);
    Value* widen_small(Value* bits, Type type);    // to f32, whose NaN is the CPU's
    Value* narrow_small(Value* value, Type type);  // of an f32, to the nearest, NaN to the canonical one
    Value* to_odd(Value* nearest, Value* error);
    Value* narrow_to_odd(Value* value);
    Value* sum_to_odd(Value* a, Value* b);
    Value* small_arithmetic(ptx::Opcode opcode, Type type, const std::vector<Value*>& in);
    Value* small_extremum(bool maximum, bool nan, Type type, Value* a, Value* b);
    Value* pair_of(Value* high, Value* low);                                // two i16 in an i32
    Value* float_compare(const Inst& inst, Value* a, Value* b, Type type);  // of their bits
    Value* integer_compare(const Inst& inst, Value* a, Value* b, bool is_signed);
    Value* linear_compare(const Inst& inst);
    bool compare_pair(const Inst& inst);
    Value* convert_integer(const Inst& inst, Value* value, Type from, Type to);
    void emit_to_whole(const Inst& inst, Type from, Type to, llvm::Intrinsic::ID whole);
    Value* divide(Value* a, Value* b, bool is_signed, bool remainder, const Op& divisor);
    Value* multiply_high(Value* a, Value* b, bool is_signed);
    Value* carry() { return builder_.CreateLoad(carry_->getAllocatedType(), carry_); }

    // memory.cc
    struct Access {
        Value* first = nullptr;   // lane 0's address, where all lanes have one or are linear
        Value* linear = nullptr;  // i1: the linear form holds (no wrap); null: always
        std::int64_t stride = 0;  // bytes a lane
        Value* begin = nullptr;   // the range that is known good: address - begin <= limit
        Value* limit = nullptr;
        Value* window_base = nullptr;  // shared and local memory
        Value* base = nullptr;    // of a linear access: what lane 0's operand says, or a wide one's 32 bits,
        Value* offset = nullptr;  // … and the 64 bits to add to them
        Value* lanes = nullptr;   // the lanes' addresses, where they are not what the operand says
        // Of a warp with several rows, each linear: as above, for each row, or once where they have the same.
        struct Row {
            Value* first;
            Value* base;
            Value* offset;
        };
        llvm::SmallVector<Row, most_rows> rows;
        std::uint32_t site = 0;
        bool uniform = false;
        bool is_linear = false;
        bool of_cluster = false;  // the operand is an address of .shared::cluster
        bool exact = false;       // the range is a variable's
        int bytes = 0;            // a lane touches
        int align = 1;
        ptx::Space space{};
        const Op* operand = nullptr;
        const Inst* inst = nullptr;
    };
    Access access(const Inst& inst, std::uint32_t ordinal = 0);
    Access access(const Inst& inst, const kernel::Access& said, std::uint32_t site);
    std::pair<Access, Value*> access_rows(const Inst& inst, std::size_t matrices);  // of ldmatrix, stmatrix
    const kernel::SharedVariable* exact_variable(const Op& address, int bytes);
    Value* window_offset(Value* address);
    Value* local_bytes();  // a lane's local memory
    Value* lane_offsets(const Access& access);
    Value* lane_addresses(const Access& access);
    Value* site_range(const Access& access);
    Value* range_pointer(const Access& access);
    void move_lanes(Access& access, Value* mask, Value* data, bool load);
    bool checks_out_of_line();
    Value* call_contiguous(const Access& access, Value* mask, Value* data, bool load, bool slow);
    Program::Contiguous contiguous_form(const Access& access, bool load);
    // row-access.cc
    Value* rows_fit(Access& access);
    void move_rows_slowly(Access& access, Value* mask, Value* data, bool load);
    Value* load_rows(Access& access, Value* mask, int elements, int element_bytes);
    void store_rows(Access& access, Value* mask, Value* data, int element_bytes);
    void load_range(Access& access);
    Value* in_range(const Access& access, Value* address);
    Value* line_fits(const Access& access, Value* first, std::int64_t span);
    Value* aligned(const Access& access, Value* address);
    Value* linear_fits(Access& access);
    bool emit_copy(const Inst& inst);
    void emit_bulk_copy(const Inst& inst);  // bulk.cc
    void emit_tensor_map(const Inst& inst);
    void emit_cache_policy(const Inst& inst);  // cache-policy.cc
    Value* load_parts(Access& access, Value* mask, const Op& size);
    Value* load_lanes(Access& access, Value* mask, int elements, int element_bytes);
    void store_lanes(Access& access, Value* mask, Value* data, int elements, int element_bytes);
    bool is_streamed(const Access& access);
    void store_whole(const Access& access, Value* data, int element_bytes);
    void check_uniform(Access& access, Value* mask);
    void when_any(const Inst& inst, Value* mask, llvm::function_ref<void()> body);
    void when(Value* condition, llvm::function_ref<void()> body);
    Value* interleave(const std::vector<Value*>& parts);
    Value* cluster_base(Value* tag);
    Value* cluster_address(Value* address);
    Value* cluster_rank(const Inst& inst, Value* address);
    bool maps_blocks();
    std::optional<bool> maps_blocks_;  // once it was asked
    Value* or_of_cluster(const Inst& inst, Value* generic, Value* offset);
    Value* scratch(llvm::Type* type);  // memory on the stack until the instruction's end
    Value* spill(Value* vector);       // … that holds a value
    // The kernel's own site of the instruction that is being translated; and one for a place that can fault.
    std::uint32_t own_site(std::uint32_t ordinal = 0) const;
    std::uint32_t add_site(const Inst& inst, int bytes = 0, kernel::SiteKind kind = kernel::SiteKind::none);

    // ---- control flow (control.cc) ----
    void set_up();
    void emit_prologue();
    void emit_terminator(kernel::BlockId block);
    void edge(kernel::BlockId from, kernel::BlockId to);
    void split(kernel::BlockId from, Value* taken, kernel::BlockId to, kernel::BlockId other);
    void leave(Value* mask);    // the lanes of mask exit
    bool may_dispatch() const;  // lanes may wait elsewhere while this block runs
    void finish_or_dispatch();
    void back_edge(kernel::BlockId from, kernel::BlockId to);
    void poll_stop(kernel::BlockId from, kernel::BlockId to);
    const Inst& loop_instruction(kernel::BlockId from, kernel::BlockId to) const;
    void bad_index(const kernel::Terminator& end, Value* index, Value* mask);
    void emit_return();

    // ---- waiting (waiting.cc) ----
    void set_up_slots();
    void set_up_state();
    void plan_state();
    void clear_homes();
    std::size_t home_value(std::size_t reg) const;
    std::size_t home_offset(std::size_t reg) const;
    Value* load_home(std::size_t reg);
    void store_home(std::size_t reg, Value* value);
    // Fields of the warp's state, by offset; 32 bits unless a type is given.
    Value* state_place(std::size_t offset);
    Value* load_state(std::size_t offset, llvm::Type* type = nullptr);
    void store_state(std::size_t offset, Value* value);
    llvm::Type* home_type(llvm::Type* held);
    void save_register(std::size_t reg);
    void restore_register(std::size_t reg);
    void save(const kernel::RegisterSet& registers);
    void restore(const kernel::RegisterSet& registers);
    // Lanes.
    std::size_t pending_field(kernel::BlockId stop) const;
    void mark_stop(kernel::BlockId stop, bool waiting);
    void find_lowest();
    std::uint32_t no_stop() const;  // as the lowest stop with lanes
    void park_saved(kernel::BlockId at, Value* mask);
    void park(kernel::BlockId at, Value* mask);
    void join(kernel::BlockId at);
    void dispatch();  // goes on with the first lanes that wait, or ends
    void emit_dispatch();
    bool meets(kernel::BlockId id) const;
    void wait_for_others(Value* lanes);
    void wait_no_more(Value* lanes);
    void unless_others_wait();
    void emit_meeting(kernel::BlockId block);
    bool is_warp_barrier(kernel::BlockId block) const;
    void wake(kernel::BlockId block, std::size_t place);
    void emit_idle();
    // Warps.
    bool may_pause(kernel::BlockId id) const;
    kernel::Waits wait_of(kernel::BlockId header) const;
    void pause(Pause why, const kernel::RegisterSet& registers);
    void give_turn(Pause why, Callback callback, const kernel::RegisterSet& registers);
    void yield(const kernel::RegisterSet& registers);
    void slice(const kernel::RegisterSet& registers);
    // For launches in another order than the usual one: others may run before such an access.
    bool meets_others(const Inst& inst) const;
    void offer_turn();

    // ---- barriers (barrier.cc) ----
    void pause_at_barrier(const Inst& inst);
    void call_barrier(const Inst& inst);
    void wait_at_barrier(kernel::BlockId block);
    void release_barriers();
    std::size_t request_field(std::size_t request, std::size_t offset) const;
    // What a barrier instruction asks for, in the lanes that run now.
    struct BarrierOperands {
        Value* id;
        Value* threads;
        Value* votes;        // 0 unless it reduces
        std::uint32_t kind;  // a BarrierRequest's
    };
    BarrierOperands barrier_operands(const Inst& inst);
    void write_barrier_result(const Inst& inst, Value* result);

    // ---- instrumentation (observe.cc); all of it does nothing where nobody observes ----
    void record_block(kernel::BlockId block, Value* mask);
    // `may_be_empty`: no lane need take part, guard or not.
    void record_access(Access& access, Value* mask, bool may_be_empty = false);
    void record_split(kernel::BlockId block, Value* mask, Value* taken);
    void record_leaving(kernel::BlockId from, Value* mask, Value* taken);
    void record_barrier(kernel::BlockId block, Value* mask, Value* barrier, Value* threads);
    void record_meeting(kernel::BlockId block, Value* mask, Value* unanswered = nullptr,
                        bool gone_on = false);
    void record_groups(kernel::BlockId block, Value* mask, Value* unanswered, Value* named, Value* here);
    void record_shuffle(const Inst& inst, Value* unanswered);
    void record_match(const Inst& inst, Value* same, Value* mask);
    void record_fence(Value* mask);
    void record_values(const Inst& inst);
    // arithmetic-checks.cc
    void check_arithmetic(const Inst& inst);
    void record_slow_way(const Inst& inst);
    Value* may_need_slow_way(kernel::SlowWay way, Value* a, Value* b);
    void check_event(const Inst& inst);
    void check_equality(const Inst& inst);
    Value* lanes_without_nan(const Inst& inst);
    void check_nan(const Inst& inst, Value* without);
    Value* is_nan(const Op& operand, Type type);
    Value* overflows(const Inst& inst);
    Value* taking_part(const Inst& inst, Value* condition);
    void record_arithmetic(std::uint32_t kind, Value* lanes);

    void drain_records();
    Value* new_record(std::uint32_t word, std::size_t bytes);
    void reserve_records(std::size_t bytes);
    void publish_records();
    bool records(events::Wants::Kind kind) const { return program_.wants.has(kind); }
    void store_field(Value* record, std::size_t offset, Value* value);

    void fail(const Inst& inst, const std::string& why);

    Program& program_;
    const kernel::Function& function_;
    const kernel::Shapes& shapes_;
    llvm::Function* target_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> builder_;
    Value* ctx_ = nullptr;
    Value* block_ = nullptr;  // a context in which all is right that the warps of a block have in common
    Value* frame_ = nullptr;  // offset of this function's local memory in a lane's
    Value* args_ = nullptr;   // where the caller put the parameters

    // Where a register is held: in an alloca, which becomes a value, or for good at its home in the state.
    struct Slot {
        llvm::Type* type = nullptr;  // scalar, base or vector
        // By row where each has a base of its own, else one.
        llvm::SmallVector<llvm::AllocaInst*, most_rows> value;
        llvm::SmallVector<llvm::AllocaInst*, most_rows> offset;  // wide
        int rows = 1;
        bool wide = false;
        bool at_home = false;
    };
    std::vector<Slot> slots_;
    // A warp's rows (kernel::row_lanes), and the one whose values are read and written as scalars. An
    // instruction whose result has a base for each row is translated once for each, as if it were uniform.
    int warp_rows() const { return kernel::rows_of_warp(program_.kernel.row_lanes); }
    int rows_of_result(const Inst& inst) const;
    void for_each_row(int rows, llvm::function_ref<void()> body);
    std::size_t row_of(const Slot& slot) const;
    Value* held_in_lanes(std::size_t reg, bool offset);
    int row_ = 0;
    llvm::AllocaInst* mask_ = nullptr;
    llvm::AllocaInst* carry_ = nullptr;

    std::vector<llvm::BasicBlock*> blocks_;
    kernel::BlockId current_ = 0;
    std::uint32_t number_;                             // among the kernel's functions
    std::uint32_t first_block_ = 0;                    // number of block 0 in records
    std::uint32_t instruction_ = 0;                    // in the current block
    std::vector<std::vector<bool>> index_arithmetic_;  // kernel/index-arithmetic.h, if it was asked for

    // Room for records, checked once for many of them: grown until it is published.
    std::vector<kernel::StepCheck> step_checks_;  // whose values are recorded
    llvm::AllocaInst* next_record_ = nullptr;
    llvm::GetElementPtrInst* reservation_ = nullptr;  // null: none is open
    std::size_t reserved_ = 0;

    // Waiting. The state is a block of memory: offsets of its fields, then where each register is kept.
    Stops stops_;
    std::vector<kernel::RegisterSet> needed_;  // by block: read from its beginning on, in some lane
    Value* state_ = nullptr;
    std::size_t state_mask_ = 0;      // while the warp pauses: the lanes that run
    std::size_t lowest_field_ = 0;    // … lowest_ …
    std::size_t spins_ = 0;           // … and spin_count_
    std::size_t words_ = 0;           // a bit for each stop with lanes that the dispatcher may take up
    std::size_t pending_ = 0;         // by stop: the lanes that wait there
    std::size_t meeting_ = 0;         // all lanes that wait at barriers and *.sync instructions
    std::size_t deferred_lanes_ = 0;  // all that are put aside in spin loops …
    std::map<kernel::BlockId, std::size_t> deferred_, sync_wait_;  // … and by block
    // Blocks that are a barrier, and a BarrierRequest for each in one array: where lanes wait while others of
    // the warp are elsewhere.
    std::vector<kernel::BlockId> barrier_requests_;
    std::size_t requests_ = 0;
    struct Home {
        std::size_t value = 0, offset = 0;
    };
    std::vector<Home> homes_;   // by register
    kernel::RegisterSet kept_;  // those that have one
    bool all_at_home_ = false;  // they are held there for good
    std::size_t state_header_bytes_ = 0, state_bytes_ = 0;
    llvm::AllocaInst* lowest_ = nullptr;  // the first stop with lanes; null: nobody ever waits
    std::map<kernel::BlockId, llvm::BasicBlock*> forced_;
    llvm::AllocaInst* spin_count_ = nullptr;
    llvm::SwitchInst* resume_points_ = nullptr;
    llvm::BasicBlock* dispatch_block_ = nullptr;
    llvm::BasicBlock* idle_block_ = nullptr;
    llvm::BasicBlock* return_block_ = nullptr;

    // Within one block: masks that were computed already.
    std::unordered_map<std::uint32_t, Value*> bits_of_;  // predicate register -> i32
    Value* active_lanes_ = nullptr;                      // mask_ as <32 x i1>

    // Registers that hold only float results: their NaNs are made canonical where they are read as bits.
    std::vector<Type> lazy_nan_;
    std::vector<bool> exact_nan_;  // f64 results whose NaNs must be the GPU's
    std::vector<bool> flushed_;    // f32 registers that never hold a subnormal number

    std::vector<std::optional<std::uint32_t>> constants_;  // by register, once somebody asked

    std::optional<bool> checks_out_of_line_;
    std::optional<kernel::SharedVariables> shared_variables_;
    std::optional<std::vector<std::vector<bool>>> streamed_stores_;  // by block and instruction
    // What scratch() has handed out to the instruction that is being translated.
    struct Scratch {
        std::vector<llvm::AllocaInst*> all;
        std::size_t used = 0;
    };
    std::unordered_map<llvm::Type*, Scratch> scratch_;
    std::pair<kernel::BlockId, std::uint32_t> scratch_user_{};

    std::optional<Error> error_;
};

}  // namespace lockstep::exec::jit
