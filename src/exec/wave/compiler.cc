#include "exec/wave/compiler.h"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include <algorithm>
#include <cstdlib>

#include "exec/jit/block-cuts.h"
#include "exec/jit/linked-code.h"
#include "exec/jit/object-cache.h"
#include "exec/jit/stack-frames.h"
#include "exec/jit/strips.h"
#include "exec/jit/target.h"
#include "exec/wave/emitter.h"
#include "exec/wave/service.h"
#include "kernel/limits.h"

namespace lockstep::exec::wave {
namespace {

namespace orc = llvm::orc;

// What the code generator does grows faster than what it is given: a sort of 8,700 instructions in few blocks
// took 150 s, and takes 24 s with the blocks cut and registers allocated block by block. That code is slower.
constexpr std::size_t many_instructions = 4'000;

void optimise(llvm::Module& module, llvm::TargetMachine& machine, int lanes, bool large) {
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
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::ADCEPass());
    passes.addPass(jit::StripsPass(lanes));
    passes.addPass(llvm::ADCEPass());
    if (large) passes.addPass(jit::BlockCutsPass());
    llvm::ModulePassManager all;
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
    all.run(module, modules);
}

// What it prints and allocates comes in the order of the blocks, and nobody else reads what it frees.
bool asks_the_host(const gcn::Kernel& kernel) {
    return std::ranges::any_of(kernel.code.instructions, [](const gcn::Instruction& inst) {
        return inst.name == "s_trap" && !inst.operands.empty() && inst.operands[0].integer >= service_print &&
               inst.operands[0].integer <= service_free;
    });
}

Result<jit::Object> compile_object(const Request& request, orc::JITTargetMachineBuilder target) {
    auto machine = target.createTargetMachine();
    if (!machine)
        return Error{fmt::format("cannot compile for this machine: {}", llvm::toString(machine.takeError())),
                     {}};
    llvm::LLVMContext context;
    llvm::Module module("wave", context);
    module.setDataLayout((*machine)->createDataLayout());
    module.setTargetTriple((*machine)->getTargetTriple().str());
    Emitter emitter(module, *request.module, *request.kernel, *request.symbols, jit::describe(**machine),
                    request.counts, request.records);
    if (auto made = emitter.run(jit::start_name); !made) return made.error();
    if (std::getenv("LOCKSTEP_DUMP_LLVM")) module.print(llvm::errs(), nullptr);
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(module, &stream))
        return Error{fmt::format("internal error: bad code for {}: {}", request.kernel->code.name, problem),
                     {}};
    const bool large = request.kernel->code.instructions.size() >= many_instructions;
    optimise(module, **machine, request.module->wave_lanes, large);
    if (large) {
        (*machine)->setOptLevel(llvm::CodeGenOptLevel::None);
        (*machine)->setO0WantsFastISel(false);  // it knows no vectors of this size
    }
    if (std::getenv("LOCKSTEP_DUMP_OPTIMISED")) module.print(llvm::errs(), nullptr);
    jit::StackFrames frames;
    frames.watch(module);
    auto file = orc::SimpleCompiler(**machine)(module);
    if (!file)
        return Error{fmt::format("cannot compile the kernel: {}", llvm::toString(file.takeError())), {}};
    auto symbols = jit::symbols_for(**file, emitter.externals());
    if (!symbols) return symbols.error();
    jit::Object compiled{std::make_unique<jit::LinkedCode>(), (*file)->getBuffer().str(),
                         std::move(*symbols)};
    jit::Code& code = *compiled.code;
    code.frame_bytes = frames.largest();
    if (code.frame_bytes > kernel::max_frame_bytes)
        return Error{fmt::format("a wavefront needs {} bytes of stack; the limit is {}", code.frame_bytes,
                                 kernel::max_frame_bytes),
                     {}};
    code.sites = emitter.take_sites();
    code.stacks = true;
    code.order_matters = asks_the_host(*request.kernel);
    code.lanes = request.module->wave_lanes;
    code.local_bytes = request.kernel->scratch_bytes;
    return compiled;
}

}  // namespace

Result<std::unique_ptr<jit::Code>> compile(const Request& request) {
    auto target = jit::find_target("", request.cpu);
    if (!target) return target.error();
    jit::ObjectKey key;
    key.cache = request.cache;
    key.content = request.content;
    key.variant = fmt::format("{} {} {}", request.kernel->code.name, request.counts, request.records);
    key.tables = {{symbol_table, const_cast<std::uint64_t*>(request.symbols->table.data())}};
    key.warnings = request.warnings;
    auto object = jit::kept_object(key, *target, [&] { return compile_object(request, *target); });
    if (!object) return object.error();
    auto& code = static_cast<jit::LinkedCode&>(*object->code);
    if (auto linked = code.link(std::move(*target), object->file, object->symbols); !linked)
        return linked.error();
    return std::move(object->code);
}

Result<void> compile_for(const std::string& triple, const Request& request) {
    auto target = jit::find_target(triple, request.cpu);
    if (!target) return target.error();
    if (auto compiled = compile_object(request, *target); !compiled) return compiled.error();
    return {};
}

}  // namespace lockstep::exec::wave
