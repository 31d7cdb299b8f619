// The LLVM module being made for one kernel: the kernel, the functions that it calls, and what they share.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "events/observer.h"
#include "exec/jit/library-calls.h"
#include "exec/jit/program-types.h"
#include "exec/jit/target.h"
#include "exec/warp-context.h"
#include "kernel/kernel.h"
#include "ptx/ast.h"

namespace lockstep::exec::jit {

// What compiled code calls the table of its variables' addresses.
constexpr const char* variable_table = "lockstep_variables";

class Program {
  public:
    Program(llvm::LLVMContext& context, const kernel::Kernel& kernel, const Symbols& symbols,
            TargetInfo target);

    llvm::LLVMContext& context;
    std::unique_ptr<llvm::Module> module;
    const kernel::Kernel& kernel;
    const ptx::Module& ptx;
    const Symbols& symbols;
    TargetInfo target;
    bool poll_stop = false;  // a timeout is set: check at every back edge
    bool exact_variables = false;
    bool preempts = false;
    events::Wants wants;  // what is recorded
    int sms = 1;
    Callbacks callbacks;
    std::map<std::string, std::uint64_t> shared_offsets;  // of the kernel's .shared variables, by name

    std::vector<kernel::Site> sites;     // the kernel's, then further places that can fault
    SymbolAddresses externals;           // symbols that compiled code calls
    std::vector<bool> address_taken;     // by function: a pointer to it exists
    bool stacks = false;                 // a warp that waits does so on a stack of its own
    std::size_t state_bytes = 0;         // else: what it keeps meanwhile …
    std::size_t state_header_bytes = 0;  // … the first of them are 0 at its beginning
    bool at_home = false;                // registers are held there for good, in some function
    bool order_matters = false;          // results depend on the order of blocks
    // Atomic operations on memory of all blocks, each of which commutes with itself: with more than one, the
    // order matters, too, since they may be of one word.
    std::set<std::string> commuting;
    bool may_wait = false;  // a loop may wait for what another block does

    // Declares a C function that compiled code may call: one whose type C++ knows, one of the callbacks, or
    // any.
    template <class Result, class... Parameters>
    llvm::FunctionCallee external(const std::string& name, Result (*function)(Parameters...)) {
        return external(name, reinterpret_cast<void*>(function),
                        llvm::FunctionType::get(llvm_type<Result>(), {llvm_type<Parameters>()...}, false));
    }
    llvm::FunctionCallee callback(Callback which);
    llvm::FunctionCallee external(const std::string& name, void* address, llvm::FunctionType* type);
    // The address of a module's variable. It is read from a table, so that the code is the same wherever the
    // variables of a process lie.
    llvm::Value* variable_address(llvm::IRBuilder<>& builder, std::uint32_t variable);
    llvm::Function* device_function(std::uint32_t index);
    llvm::FunctionType* function_type();  // void (ctx, mask, frame, args, ctx of the block's first warp)

    // Per-lane loops shared by many instructions, made on first use (lane-loops.cc).
    llvm::Function* gather(int bytes);
    llvm::Function* scatter(int bytes);
    // Of local memory, by offsets: (ctx, site, offsets, mask, data). Each lane keeps to its own.
    llvm::Function* gather_local(int bytes);
    llvm::Function* scatter_local(int bytes);
    // Contiguous accesses out of line, all lanes' addresses from a few numbers: (ctx, site, mask,
    // data, base, offset, what the instruction adds). A load's result is where the lanes' values
    // are: in the simulated memory, or in `data`.
    struct Contiguous {
        int bytes = 0;
        bool load = false;
        bool shared = false;
        bool narrow = false;  // `base` has 32 bits, and what a lane adds to it wraps there
        bool wide = false;    // a lane's address is `offset` + (base + stride * lane, extended) * scale
        int stride = 0;       // wide: of the 32 bits
        bool sign_extend = false;
        bool same = false;  // all lanes have lane 0's address
        bool part = false;  // the mask is of some lanes; the data of the others stays
    };
    llvm::Function* contiguous(const Contiguous& form);
    llvm::Function* contiguous_slow(const Contiguous& form);  // where the known range does not hold
    llvm::Function* store_masked(int bytes);  // (to, data, mask): active lanes of what does fit
    // Of one address for all lanes: (ctx, begin, limit, site, address, mask), and (ctx, site, address, mask)
    // where the known range does not hold.
    llvm::Function* uniform_check(int bytes);
    llvm::Function* uniform_lookup();
    // How these are called: vectors stay in registers over them. Not on x86-64, where LLVM 19 clears the
    // upper halves of the registers (vzeroupper) behind having restored them.
    llvm::CallingConv::ID cold_call() const {
        return target.aarch64 ? llvm::CallingConv::PreserveAll : llvm::CallingConv::C;
    }
    // An atomic operation, as a function of the old value: (builder, old, operand b, operand c) -> the new
    // one.
    using AtomicStep =
        llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&, llvm::Value*, llvm::Value*, llvm::Value*)>;
    struct Atomic {
        std::string name;
        int bytes = 0;
        bool returns = false;  // somebody reads the old values
        bool own = false;      // of memory that no other thread of the host touches meanwhile
        bool swaps = false;    // compare and swap
        std::optional<llvm::AtomicRMWInst::BinOp> host;  // the host's operation that does the same
    };
    // (ctx, range, site, addresses, mask, operand b, operand c, old values)
    llvm::Function* atomic_lanes(const Atomic& form, AtomicStep step);
    // The same of objects: each active lane's call of (object's address, b, c), all of 64 bits.
    llvm::Function* object_lanes(const std::string& name, llvm::FunctionCallee callee);

    // Alias facts: the simulator's own state, its event records and the simulated memory never overlap.
    void mark_state(llvm::Instruction* access);
    void mark_device(llvm::Instruction* access);
    void mark_record(llvm::Instruction* access);  // of the event buffer
    llvm::MDNode* likely();
    llvm::MDNode* unlikely();
    llvm::Function* lanes_of(const std::string& name, void* address, llvm::Type* result,
                             const std::vector<llvm::Type*>& args);

  private:
    template <class T>
    llvm::Type* llvm_type() {
        if constexpr (std::is_void_v<T>)
            return llvm::Type::getVoidTy(context);
        else if constexpr (std::is_pointer_v<T>)
            return llvm::PointerType::getUnqual(context);
        else {
            static_assert(std::is_integral_v<T>, "floating-point types are the tables' of exec/scalar");
            return llvm::IntegerType::get(context, 8 * sizeof(T));
        }
    }
};

}  // namespace lockstep::exec::jit
