#include "exec/jit/compiler.h"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
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

#include "exec/externals.h"
#include "exec/jit/emitter.h"
#include "exec/jit/program.h"
#include "exec/jit/target.h"
#include "ptx/parser.h"

namespace lockstep::exec::jit {
namespace {

namespace orc = llvm::orc;

struct JitCode : Code {
    std::unique_ptr<orc::LLJIT> jit;
};

Error from_llvm(llvm::Error error, const std::string& what) {
    return Error{fmt::format("{}: {}", what, llvm::toString(std::move(error))), {}};
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
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
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::InstCombinePass());
    llvm::LoopPassManager loop_passes;
    loop_passes.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loop_passes), true));
    passes.addPass(llvm::GVNPass());
    passes.addPass(llvm::DSEPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::ADCEPass());
    passes.addPass(llvm::SinkingPass());
    passes.addPass(llvm::SimplifyCFGPass());
    llvm::ModulePassManager all;
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
    all.run(module, modules);
}

// void kernel(WarpContext*): runs the entry with the warp's lanes.
void emit_start(Program& program, llvm::Function* entry) {
    llvm::IRBuilder<> builder(program.context);
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
    auto* start =
        llvm::Function::Create(type, llvm::Function::ExternalLinkage, "lockstep_start", *program.module);
    builder.SetInsertPoint(llvm::BasicBlock::Create(program.context, "entry", start));
    llvm::Value* ctx = start->getArg(0);
    llvm::Value* mask = builder.CreateLoad(
        builder.getInt32Ty(),
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), ctx, offsetof(WarpContext, active)));
    llvm::CallInst* call = builder.CreateCall(
        program.function_type(), entry,
        {ctx, mask, builder.getInt32(0), llvm::ConstantPointerNull::get(builder.getPtrTy())});
    call->setTailCall();
    builder.CreateRetVoid();
}

// A kernel as an object file, not yet linked.
struct Object {
    orc::JITTargetMachineBuilder target;
    std::unique_ptr<JitCode> code;
    std::unique_ptr<llvm::MemoryBuffer> file;
    SymbolAddresses symbols;  // that it asks for
};

// Sizes of stack frames, as the code generator tells them: known only once it has run.
class Frames {
  public:
    // All functions of the module that exist now report to this object.
    void watch(llvm::Module& module) {
        for (llvm::Function& function : module)
            if (!function.isDeclaration()) function.addFnAttr("warn-stack-size", "0");
        module.getContext().setDiagnosticHandlerCallBack(
            [](const llvm::DiagnosticInfo* info, void* frames) {
                if (const auto* size = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(info))
                    static_cast<Frames*>(frames)->add(*size);
            },
            this);
    }

    // What a device function takes of the stack, with the helpers that it calls; not the C functions.
    std::size_t largest() const {
        constexpr std::size_t alignment_and_returns = 1 << 10;
        return device_ + other_ + alignment_and_returns;
    }

  private:
    void add(const llvm::DiagnosticInfoStackSize& info) {
        std::size_t& most = info.getFunction().getName().starts_with("device.") ? device_ : other_;
        most = std::max<std::size_t>(most, info.getStackSize());
    }

    std::size_t device_ = 0, other_ = 0;
};

constexpr std::size_t max_frame_bytes = 64 << 20;

Result<Object> compile_object(const Request& request, const std::string& triple) {
    auto target = find_target(triple, request.cpu);
    if (!target) return target.error();
    auto machine = target->createTargetMachine();
    if (!machine) return from_llvm(machine.takeError(), "cannot compile for this machine");

    llvm::LLVMContext context;
    Program program(context, *request.module, *request.symbols, describe(**machine));
    program.module->setDataLayout((*machine)->createDataLayout());
    program.module->setTargetTriple((*machine)->getTargetTriple().str());
    program.callbacks = *request.callbacks;
    program.shared_offsets = request.shared_offsets;
    program.address_taken = request.address_taken;
    program.rows = request.rows;
    program.poll_stop = request.poll_stop;
    program.observe = request.observe;
    program.sms = request.sms;

    auto code = std::make_unique<JitCode>();
    llvm::Function* entry = program.device_function(request.function);
    for (std::size_t i = 0; i < program.wanted.size(); ++i) {
        std::uint32_t index = program.wanted[i];
        auto function = kernel::build(*request.module, index, &is_external_function);
        if (!function) return function.error();
        if (auto missing = ptx::unsupported(*request.module, request.module->functions[index]);
            !missing.empty())
            return missing.front();
        kernel::Shapes shapes = kernel::find_shapes(*function, request.rows);
        auto* emitted = program.module->getFunction(fmt::format("device.{}", index));
        emitted->addFnAttr(llvm::Attribute::NoUnwind);
        if (auto result = Emitter(program, *function, shapes, emitted, static_cast<std::uint32_t>(i)).run();
            !result)
            return result.error();
        code->local_bytes = std::max(code->local_bytes, function->local_bytes);
        code->calls |= i > 0;
        if (request.observe != events::Detail::nothing)
            code->observed.functions.push_back(std::move(*function));
    }
    emit_start(program, entry);
    if (std::getenv("LOCKSTEP_DUMP_LLVM")) program.module->print(llvm::errs(), nullptr);
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(*program.module, &stream))
        return Error{fmt::format("internal error: bad code for {}: {}",
                                 request.module->functions[request.function].name, problem),
                     {}};
    optimise(*program.module, **machine);
    if (std::getenv("LOCKSTEP_DUMP_OPTIMISED")) program.module->print(llvm::errs(), nullptr);

    Frames frames;
    frames.watch(*program.module);
    auto file = orc::SimpleCompiler(**machine)(*program.module);
    if (!file) return from_llvm(file.takeError(), "cannot compile the kernel");
    auto symbols = symbols_for(**file, program.externals);
    if (!symbols) return symbols.error();
    code->frame_bytes = frames.largest();
    if (code->frame_bytes > max_frame_bytes)
        return Error{fmt::format("a warp needs {} bytes of stack for one call; the limit is {}",
                                 code->frame_bytes, max_frame_bytes),
                     {}};
    code->observed.sites = std::move(program.sites);
    code->observed.blocks = std::move(program.observed_blocks);
    code->suspends = program.suspends;
    code->order_matters = program.order_matters;
    return Object{std::move(*target), std::move(code), std::move(*file), std::move(*symbols)};
}

}  // namespace

Result<std::unique_ptr<Code>> compile(const Request& request) {
    auto object = compile_object(request, "");
    if (!object) return object.error();
    // Nothing is looked up in the process: `symbols` is complete.
    auto jit = orc::LLJITBuilder()
                   .setJITTargetMachineBuilder(std::move(object->target))
                   .setLinkProcessSymbolsByDefault(false)
                   .setPlatformSetUp(orc::setUpInactivePlatform)
                   .create();
    if (!jit) return from_llvm(jit.takeError(), "cannot start the compiler");
    orc::SymbolMap symbols;
    for (auto& [name, address] : object->symbols)
        symbols[(*jit)->mangleAndIntern(name)] = {
            orc::ExecutorAddr::fromPtr(address),
            llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    if (auto error = (*jit)->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))))
        return from_llvm(std::move(error), "internal error: symbols");
    if (auto error = (*jit)->addObjectFile(std::move(object->file)))
        return from_llvm(std::move(error), "internal error: object");
    auto start = (*jit)->lookup("lockstep_start");
    if (!start) return from_llvm(start.takeError(), "cannot link the kernel");
    object->code->function = start->toPtr<WarpFunction>();
    object->code->jit = std::move(*jit);
    return std::unique_ptr<Code>(std::move(object->code));
}

Result<void> compile_for(const std::string& triple, const Request& request) {
    if (auto object = compile_object(request, triple); !object) return object.error();
    return {};
}

}  // namespace lockstep::exec::jit
