#include "exec/jit/compiler.h"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/Sink.h>

#include <algorithm>
#include <cstdlib>

#include "exec/jit/block-cuts.h"
#include "exec/jit/emitter.h"
#include "exec/jit/first-writes.h"
#include "exec/jit/linked-code.h"
#include "exec/jit/object-cache.h"
#include "exec/jit/program.h"
#include "exec/jit/stack-frames.h"
#include "exec/jit/strips.h"
#include "exec/jit/target.h"
#include "kernel/limits.h"
#include "kernel/waits.h"
#include "ptx/parser.h"

namespace lockstep::exec::jit {
namespace {

namespace orc = llvm::orc;

Error from_llvm(llvm::Error error, const std::string& what) {
    return Error{fmt::format("{}: {}", what, llvm::toString(std::move(error))), {}};
}

std::size_t block_count(const llvm::Module& module) {
    std::size_t blocks = 0;
    for (const llvm::Function& function : module) blocks += function.size();
    return blocks;
}

// Passes that follow values through memory look at all blocks before each: with so many, they would be most
// of the time, and it would grow with the square of the length.
constexpr std::size_t too_many_for_memory_passes = 4'000;

void optimise(llvm::Module& module, llvm::TargetMachine& machine, bool draft) {
    const bool short_enough = block_count(module) < too_many_for_memory_passes;
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager graphs;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder(&machine);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graphs, modules);

    // Registers become SSA values, then the usual cleaning. No vectoriser, unroller or inliner: the code is
    // vectors already, and compile time counts.
    llvm::FunctionPassManager passes;
    passes.addPass(FirstWritesPass());
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::SimplifyCFGPass());
    if (!draft) {
        passes.addPass(llvm::InstCombinePass());
        llvm::LoopPassManager loop_passes;
        loop_passes.addPass(llvm::LICMPass(llvm::LICMOptions()));
        passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loop_passes), true));
        if (short_enough) {
            passes.addPass(llvm::GVNPass());
            passes.addPass(llvm::DSEPass());
        }
        passes.addPass(llvm::InstCombinePass());
        passes.addPass(llvm::ADCEPass());
        passes.addPass(llvm::SinkingPass());
        passes.addPass(llvm::SimplifyCFGPass());
    }
    passes.addPass(StripsPass());
    passes.addPass(llvm::ADCEPass());
    llvm::ModulePassManager all;
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
    all.addPass(llvm::AlwaysInlinerPass(false));  // the kernel, into the loop over warps
    all.addPass(llvm::GlobalDCEPass());  // which leaves the kernel itself, to be compiled a second time
    if (!draft && short_enough) {
        // What is the same for all warps is found out once for all of them.
        llvm::FunctionPassManager around;
        around.addPass(llvm::EarlyCSEPass(true));
        llvm::LoopPassManager loop_passes;
        loop_passes.addPass(llvm::LICMPass(llvm::LICMOptions()));
        around.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loop_passes), true));
        around.addPass(llvm::SimplifyCFGPass());
        all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(around)));
    }
    // Last: in a copy of a function its blocks would not be kept apart.
    all.addPass(llvm::createModuleToFunctionPassAdaptor(BlockCutsPass()));
    all.run(module, modules);
}

// Where registers are at home in memory, little but masks lives from block to block. With many blocks,
// allocating machine registers for all of them together is most of the time that compiling takes. The code is
// two to three times slower, so that this is for what would take a second or more.
constexpr std::size_t many_blocks = 800;
// Its frames are large, which recursion feels: then for what would take minutes.
constexpr std::size_t many_blocks_of_calls = 3'000;

// Of a draft, whose values lie in memory: warps that wait have a frame each.
constexpr std::size_t most_draft_frame_bytes = 256 << 10;

void choose_level(const Program& program, llvm::TargetMachine& machine, bool draft) {
    const std::size_t many = program.stacks ? many_blocks_of_calls : many_blocks;
    if (!draft && (!program.at_home || block_count(*program.module) < many)) return;
    machine.setOptLevel(llvm::CodeGenOptLevel::None);
    machine.setO0WantsFastISel(false);  // it knows no vectors of this size
}

// The function that the scheduler calls, as WarpFunction says: a loop over warps, with the kernel in it.
void emit_start(Program& program, llvm::Function* entry) {
    llvm::IRBuilder<> builder(program.context);
    llvm::Type* i32 = builder.getInt32Ty();
    auto* type = llvm::FunctionType::get(i32, {builder.getPtrTy(), i32, builder.getInt1Ty()}, false);
    auto* start = llvm::Function::Create(type, llvm::Function::ExternalLinkage, start_name, *program.module);
    start->addParamAttr(2, llvm::Attribute::ZExt);
    start->addParamAttr(0,
                        llvm::Attribute::getWithDereferenceableBytes(program.context, sizeof(WarpContext)));
    start->addParamAttr(
        0, llvm::Attribute::getWithAlignment(program.context, llvm::Align(alignof(WarpContext))));
    start->addFnAttr(llvm::Attribute::NoUnwind);
    auto block = [&](const char* name) { return llvm::BasicBlock::Create(program.context, name, start); };
    auto *begin = block("entry"), *phase = block("phase"), *warp = block("warp"), *others = block("others"),
         *next = block("next"), *all = block("all"), *again = block("again"), *leave = block("leave");
    llvm::Value* count = start->getArg(1);
    builder.SetInsertPoint(begin);
    builder.CreateBr(phase);
    builder.SetInsertPoint(phase);
    builder.CreateBr(warp);

    builder.SetInsertPoint(warp);
    llvm::PHINode* number = builder.CreatePHI(i32, 2, "number");
    llvm::PHINode* common = builder.CreatePHI(i32, 2, "common");  // what the warps before have paused for
    llvm::Value* offset = builder.CreateMul(builder.CreateZExt(number, builder.getInt64Ty()),
                                            builder.getInt64(sizeof(WarpContext)));
    llvm::Value* ctx = builder.CreateInBoundsGEP(builder.getInt8Ty(), start->getArg(0), offset, "ctx");
    auto field = [&](std::size_t at) {
        llvm::LoadInst* value =
            builder.CreateLoad(i32, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), ctx, at));
        program.mark_state(value);
        return value;
    };
    llvm::CallInst* call =
        builder.CreateCall(program.function_type(), entry,
                           {ctx, field(offsetof(WarpContext, active)), builder.getInt32(0),
                            llvm::ConstantPointerNull::get(builder.getPtrTy()), start->getArg(0)});
    call->addFnAttr(llvm::Attribute::AlwaysInline);
    llvm::Value* pause = field(offsetof(WarpContext, pause));
    builder.CreateCondBr(start->getArg(2), others, leave);

    builder.SetInsertPoint(others);
    llvm::Value* first = builder.CreateICmpEQ(number, builder.getInt32(0));
    llvm::Value* expected = builder.CreateSelect(first, pause, common);
    llvm::Value* simple =
        builder.CreateICmpULE(pause, builder.getInt32(static_cast<std::uint32_t>(Pause::block_barrier)));
    builder.CreateCondBr(builder.CreateAnd(simple, builder.CreateICmpEQ(pause, expected)), next, leave);
    builder.SetInsertPoint(next);
    llvm::Value* following = builder.CreateAdd(number, builder.getInt32(1));
    builder.CreateCondBr(builder.CreateICmpULT(following, count), warp, all);
    builder.SetInsertPoint(all);
    llvm::Value* finished =
        builder.CreateICmpEQ(expected, builder.getInt32(static_cast<std::uint32_t>(Pause::finished)));
    builder.CreateCondBr(finished, leave, again);
    builder.SetInsertPoint(again);
    // What they did before the barrier is told before what they do behind it.
    if (program.wants.ordered())
        builder.CreateCall(program.callback(Callback::end_round), {start->getArg(0)});
    builder.CreateBr(phase);
    builder.SetInsertPoint(leave);
    llvm::PHINode* answer = builder.CreatePHI(i32, 3);
    answer->addIncoming(number, warp);
    answer->addIncoming(number, others);
    answer->addIncoming(count, all);
    builder.CreateRet(answer);
    number->addIncoming(builder.getInt32(0), phase);
    number->addIncoming(following, next);
    common->addIncoming(builder.getInt32(0), phase);
    common->addIncoming(expected, next);
}

Result<Object> compile_object(const Request& request, orc::JITTargetMachineBuilder target) {
    auto machine = target.createTargetMachine();
    if (!machine) return from_llvm(machine.takeError(), "cannot compile for this machine");

    auto kernel = request.kernel();
    if (!kernel) return kernel.error();
    const std::vector<kernel::Function>& functions = (*kernel)->functions;
    for (const kernel::Function& function : functions)
        if (auto missing = ptx::unsupported(*function.module, function.module->functions[function.index]);
            !missing.empty())
            return missing.front();

    llvm::LLVMContext context;
    Program program(context, **kernel, *request.symbols, describe(**machine));
    program.module->setDataLayout((*machine)->createDataLayout());
    program.module->setTargetTriple((*machine)->getTargetTriple().str());
    program.callbacks = *request.callbacks;
    program.shared_offsets = request.shared_offsets;
    program.address_taken = request.address_taken;
    program.poll_stop = request.poll_stop;
    program.exact_variables = request.exact_variables;
    program.preempts = request.preempts;
    program.wants = request.wants;
    program.sms = request.sms;
    program.stacks = request.preempts || needs_stack(functions.front());

    auto code = std::make_unique<LinkedCode>();
    code->calls = functions.size() > 1;
    // A draft's frames are large, which functions that call themselves feel.
    const bool draft = request.draft && !code->calls;
    llvm::Function* entry = program.device_function(request.function);
    for (std::uint32_t f = 0; f < functions.size(); ++f) {
        if (auto result = Emitter(program, f).run(); !result) return result.error();
        code->local_bytes = std::max(code->local_bytes, functions[f].local_bytes);
    }
    emit_start(program, entry);
    if (std::getenv("LOCKSTEP_DUMP_LLVM")) program.module->print(llvm::errs(), nullptr);
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(*program.module, &stream))
        return Error{fmt::format("internal error: bad code for {}: {}", functions.front().name, problem), {}};
    optimise(*program.module, **machine, draft);
    if (std::getenv("LOCKSTEP_DUMP_OPTIMISED")) program.module->print(llvm::errs(), nullptr);

    choose_level(program, **machine, draft);
    StackFrames frames;
    frames.watch(*program.module);
    auto file = orc::SimpleCompiler(**machine)(*program.module);
    if (!file) return from_llvm(file.takeError(), "cannot compile the kernel");
    auto symbols = symbols_for(**file, program.externals);
    if (!symbols) return symbols.error();
    code->frame_bytes = frames.largest();
    if (draft && code->frame_bytes > most_draft_frame_bytes) {
        Request better = request;
        better.draft = false;
        return compile_object(better, std::move(target));
    }
    if (code->frame_bytes > kernel::max_frame_bytes)
        return Error{fmt::format("a warp needs {} bytes of stack for one call; the limit is {}",
                                 code->frame_bytes, kernel::max_frame_bytes),
                     {}};
    code->sites = std::move(program.sites);
    if (!request.wants.nothing()) code->kernel = *kernel;
    code->stacks = program.stacks;
    code->state_bytes = program.state_bytes;
    code->state_header_bytes = program.state_header_bytes;
    code->order_matters = program.order_matters || program.commuting.size() > 1;
    code->may_wait = program.may_wait && std::any_of((*kernel)->functions.begin(), (*kernel)->functions.end(),
                                                     kernel::meets_others);
    return Object{std::move(code), (*file)->getBuffer().str(), std::move(*symbols)};
}

Result<Object> make_object(const Request& request, const orc::JITTargetMachineBuilder& target) {
    ObjectKey key;
    key.cache = request.cache;
    key.content = request.content;
    key.variant = fmt::format("{} {} {} {} {} {} {} {}", request.function, request.row_lanes,
                              request.poll_stop, request.exact_variables, request.preempts,
                              request.wants.bits(), request.draft, request.sms);
    key.tables = {{variable_table, const_cast<std::uint64_t*>(request.symbols->addresses.data())}};
    key.warnings = request.warnings;
    auto object = kept_object(key, target, [&] { return compile_object(request, target); });
    // The kernel itself is not kept: it is derived anew.
    if (object && !object->code->kernel && !request.wants.nothing()) {
        auto kernel = request.kernel();
        if (!kernel) return kernel.error();
        object->code->kernel = *kernel;
    }
    return object;
}

}  // namespace

Result<std::unique_ptr<Code>> compile(const Request& request) {
    auto target = find_target("", request.cpu);
    if (!target) return target.error();
    auto object = make_object(request, *target);
    if (!object) return object.error();
    auto& code = static_cast<LinkedCode&>(*object->code);
    if (auto linked = code.link(std::move(*target), object->file, object->symbols); !linked)
        return linked.error();
    return std::move(object->code);
}

Result<void> compile_for(const std::string& triple, const Request& request) {
    auto target = find_target(triple, request.cpu);
    if (!target) return target.error();
    if (auto object = compile_object(request, *target); !object) return object.error();
    return {};
}

}  // namespace lockstep::exec::jit
