// From AMD's machine code to LLVM IR, for a whole wavefront: a vector register is a vector of its lanes, a
// scalar register a scalar, and the exec mask says which lanes an instruction writes. Control flow is the
// code's own: its branches are scalar.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/jit/library-calls.h"
#include "exec/jit/target.h"
#include "exec/wave/memory-form.h"
#include "exec/wave/symbols.h"
#include "gcn/module.h"
#include "kernel/site.h"

namespace lockstep::exec::wave {

constexpr std::uint64_t no_address = ~std::uint64_t{0};        // where a wavefront goes on that has ended
constexpr std::uint64_t bad_address = std::uint64_t{1} << 62;  // added to one that no instruction has

// What an operand's bits mean; decides how constants are read and what modifiers do.
enum class As : std::uint8_t { b16, f16, b32, f32, b64, f64 };

class Emitter {
  public:
    using Value = llvm::Value;
    using Inst = gcn::Instruction;
    using Op = gcn::Operand;

    Emitter(llvm::Module& module, const gcn::Module& code, const gcn::Kernel& kernel, const Symbols& symbols,
            jit::TargetInfo target, bool counts, bool records);

    // Makes the function that the scheduler calls, under this name.
    Result<void> run(const char* name);

    std::vector<kernel::Site> take_sites() { return std::move(sites_); }
    const jit::SymbolAddresses& externals() const { return externals_; }

    // ---- for the files of instruction families ----

    llvm::IRBuilder<>& builder() { return builder_; }
    int lanes() const { return lanes_; }

    // Scalars. A register pair is one number of 64 bits.
    Value* scalar32(const Op& op, bool floating = false);
    Value* scalar64(const Op& op);
    void set_scalar32(const Op& op, Value* value);
    void set_scalar64(const Op& op, Value* value);
    Value* register32(std::uint32_t number);  // of the scalar ones
    void set_register32(std::uint32_t number, Value* value);
    Value* scc();
    void set_scc(Value* bit);
    Value* exec();  // 64 bits, the lanes that run
    void set_exec(Value* bits);
    Value* vcc();
    void set_vcc(Value* bits);

    // Vectors: an operand of every lane, with its modifiers done. b16 and f16 are the low halves of
    // registers, or what op_sel names; the instruction's number of the operand decides which modifier is its
    // own.
    Value* source(const Inst& inst, std::size_t operand, As as);
    Value* vector32(const Op& op);  // registers and constants, no modifiers
    Value* vector64(const Op& op);
    // Results, in the lanes that run.
    void set(const Inst& inst, Value* value, As as);  // to operand 0, with clamp, omod, op_sel and dst_sel
    void set_vector32(const Op& op, Value* value);
    void set_vector64(const Op& op, Value* value);
    void set_whole_vector_part(const Op& op, int part,
                               Value* value);                    // in all lanes, whether they run or not
    void set_vector_part(const Op& op, int part, Value* value);  // the part-th register of a range
    Value* vector_part(const Op& op, int part);
    // A bit for each lane that runs, to scalar registers or vcc.
    void set_lanes(const Op& op, Value* lanes_value);
    Value* lanes_of(const Op& op);  // scalar registers or vcc as a bit for each lane

    Value* running();                    // <lanes x i1>
    Value* to_bits(Value* lanes_value);  // <lanes x i1> to 64 bits
    Value* to_lanes(Value* bits);
    Value* splat(Value* scalar) { return builder_.CreateVectorSplat(static_cast<unsigned>(lanes_), scalar); }
    Value* number32(std::uint32_t value) { return splat(builder_.getInt32(value)); }
    Value* number64(std::uint64_t value) { return splat(builder_.getInt64(value)); }
    Value* float32(double value);
    llvm::FixedVectorType* vector_of(llvm::Type* element) {
        return llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes_));
    }
    llvm::Type* type_of(As as);                                   // of an element: float, i16 …
    Value* lane_numbers();                                        // 0, 1, 2 …
    Value* shuffled(Value* value, const std::vector<int>& from);  // -1: zero

    // Calls of lockstep's own functions: by name.
    Value* call(const char* name, void* address, llvm::Type* result, std::vector<Value*> arguments);
    Value* context() { return context_; }
    Value* context_field(std::size_t offset, llvm::Type* type);
    // Memory for arrays by lane that a called function reads or writes.
    Value* array(int words);
    Value* stored(Value* vector);  // the vector, in memory
    std::uint32_t site(const Inst& inst, kernel::SiteKind kind, ptx::Space space, int bytes);
    Value* address_of_symbol(const Op& op);
    bool counts() const { return counts_; }
    bool records() const { return records_; }

    void fail(const Inst& inst, const std::string& why);
    bool failed() const { return error_.has_value(); }
    // A branch to a label of the code.
    llvm::BasicBlock* target(const Inst& inst, const Op& label);
    void jump(const Inst& inst, llvm::BasicBlock* to);
    void branch(const Inst& inst, Value* condition, llvm::BasicBlock* to);
    void end_program();
    // Goes on at a code address (gcn/called-functions.h).
    void jump_to_address(const Inst& inst, Value* address);
    Value* address_behind(const Inst& inst);  // of the instruction that follows
    llvm::BasicBlock* new_block(const char* name);
    bool dispatches() const { return kernel_.described("user_sgpr_dispatch_ptr") != 0; }
    const gcn::Module& code() const { return code_; }

  private:
    // A function of LLVM for each part of the code; they hand registers on in memory.
    void emit_parts(const char* name);
    void emit_whole(const char* name);
    void begin_function(llvm::FunctionType* type, llvm::GlobalValue::LinkageTypes linkage, const char* name);
    llvm::FunctionType* start_type();  // of the function that the scheduler calls
    Value* code_address_of(std::uint32_t instruction);
    void emit_segments(std::uint32_t begin, std::uint32_t end);
    void emit_counts(std::uint32_t segment);
    void emit_part(std::size_t part, llvm::Function* function);
    void emit_dispatch(const std::vector<llvm::Function*>& parts);
    std::uint32_t part_end(std::size_t part) const;  // its last instruction's successor
    std::size_t part_of(std::uint32_t instruction) const;
    struct FileEntry {
        llvm::AllocaInst* memory;
        std::uint64_t offset;
        bool used;  // by the part that is being made
    };
    std::vector<FileEntry> register_file();
    void load_registers();
    void save_registers(bool all);
    void count_registers();
    void make_registers();
    void set_up_registers();
    void emit_segment(std::uint32_t segment, bool full);
    void emit(const Inst& inst);
    bool emitted(const Inst& inst);
    Value* constant(const Op& op, As as);
    Value* half_of(Value* bits64, int part);
    // SDWA's part of a register; `first`: of the first source.
    Value* selected(const Inst& inst, std::size_t operand, bool first, Value* value);
    Value* moved(const Inst& inst, Value* value);  // DPP's other lane
    llvm::AllocaInst* alloca_of(llvm::Type* type, const char* name);

    llvm::Module& module_;
    llvm::LLVMContext& llvm_;
    llvm::IRBuilder<> builder_;
    const gcn::Module& code_;
    const gcn::Kernel& kernel_;
    const Symbols& symbols_;
    const jit::TargetInfo target_;
    const bool counts_, records_;
    const int lanes_;
    llvm::Function* function_ = nullptr;
    llvm::BasicBlock* entry_ = nullptr;
    Value* context_ = nullptr;
    std::size_t vector_count_ = 0, accumulator_count_ = 0;
    Value* file_ = nullptr;  // the registers in memory, where the code has parts
    std::uint64_t file_bytes_ = 0, site_offset_ = 0;
    std::uint32_t part_begin_ = 0, part_end_ = 0;  // instructions of the part that is being made
    std::vector<llvm::AllocaInst*> vectors_, accumulators_;
    std::array<llvm::AllocaInst*, 128> scalars_{};
    llvm::AllocaInst *exec_ = nullptr, *vcc_ = nullptr, *scc_ = nullptr, *m0_ = nullptr, *fuel_ = nullptr;
    std::map<int, llvm::AllocaInst*> arrays_;
    int next_array_ = 0;
    bool full_ = false;           // all lanes run in the segment that is being made
    bool ended_ = false;          // the block that is being made has its end
    std::uint32_t position_ = 0;  // of the instruction that is being made
    std::vector<gcn::Segment> segments_;
    std::vector<llvm::BasicBlock*> blocks_;  // by segment
    std::vector<std::uint32_t> segment_at_;  // by instruction
    std::vector<kernel::Site> sites_;
    jit::SymbolAddresses externals_;
    std::optional<Error> error_;
    // Lanes that the instruction being made may not write, where DPP found none to read from.
    Value* kept_ = nullptr;
};

// The families of instructions: whether it is one of them, and then it has been made.
bool emit_scalar(Emitter& emitter, const gcn::Instruction& inst);
bool emit_control(Emitter& emitter, const gcn::Instruction& inst);
bool emit_integer(Emitter& emitter, const gcn::Instruction& inst);
bool emit_floating(Emitter& emitter, const gcn::Instruction& inst);
bool emit_mixed(Emitter& emitter, const gcn::Instruction& inst);
bool emit_compare(Emitter& emitter, const gcn::Instruction& inst);
bool emit_convert(Emitter& emitter, const gcn::Instruction& inst);
bool emit_lanes(Emitter& emitter, const gcn::Instruction& inst);
bool emit_memory(Emitter& emitter, const gcn::Instruction& inst);
bool emit_lds(Emitter& emitter, const gcn::Instruction& inst);
bool emit_matrix(Emitter& emitter, const gcn::Instruction& inst);

}  // namespace lockstep::exec::wave
