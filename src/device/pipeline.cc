#include "device/pipeline.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include "device/inline-limit.h"
#include "device/kernels.h"
#include "device/passes.h"

namespace lockstep::device {
namespace {

// LLVM's passes in the order that nvcc's have been found to work in.
constexpr const char* unoptimised =
    "nested-launches,grid-constants,warp-size,always-inline,function(cast-alignments,whole-"
    "conditions,mem2reg,as-written),warp-size-"
    "variable,shared-casts";
constexpr const char* optimised = R"(
nested-launches,grid-constants,global-pointers,warp-size,library-calls,progress,forceattrs,inferattrs,
function(loop-simplify,mark-joined-conditions,cast-alignments,initialisers,member-copies,untyped-memory,lower-expect,sroa,early-choices,simplifycfg,whole-bools,join-conditions,condition-values,simplifycfg,select-values,keep-trips,gvn<no-pre;no-memdep>,early-cse,sink-loads,hide-divisors,hide-dividends,keep-last-stores),
ipsccp,called-value-propagation,globalopt,
function(mem2reg,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg),
always-inline,
cgscc(devirt<4>(function(limit-inlining),inline,function-attrs,argpromotion,
function(keep-last-stores,show-constant-divisors,constant-calls,sroa,infer-address-spaces,gvn<no-pre;no-memdep>,early-cse<memssa>,sink-loads,correlated-propagation,join-branches,instcombine<no-verify-fixpoint>,
tailcallelim,join-branches,thread-branches,simplifycfg,instcombine<no-verify-fixpoint>,reassociation,hide-joint-bounds,
loop-mssa(loop-rotate,licm<no-allowspeculation>,hoist-values,promotion-alone),free-trips,divide-unsigned,hide-shifted,hide-conditions,loop-mssa(simple-loop-unswitch<nontrivial>),show-conditions,
sink-loads-past-guards,join-branches,hide-dividends,instcombine<no-verify-fixpoint>,
show-shifted,show-dividends,cut-loop-chains,loop(counted-loops,loop-idiom,loop-deletion),unroll-asked,simplifycfg,unroll,hide-shifted,hide-dividends,show-constant-divisors,
sroa,signed-indices,hide-copies,gvn,recompute,show-copies,carried-loads,memcpyopt,sccp,bdce,instcombine<no-verify-fixpoint>,correlated-propagation,hide-dividends,divide-unsigned,hide-shifted,dse,
loop-mssa(licm<no-allowspeculation>,hoist-values,promotion),adce,join-branches,instcombine<no-verify-fixpoint>))),
globalopt,globaldce,
function(mldst-motion,free-last-stores,float2int,instcombine<no-verify-fixpoint>,join-branches),
function(show-shifted,show-dividends,cut-loop-chains,unroll-uninlined,unroll-fully,hide-shifted,hide-dividends,show-constant-divisors,sroa,instcombine<no-verify-fixpoint>,loop-mssa(licm<no-allowspeculation>,hoist-values,promotion),show-joint-bounds,
div-rem-pairs,simplifycfg,sink-values,
product-pointers,infer-address-spaces,plain-elements,signed-indices,thread-indices,loop-simplify,wide-index,common-bases-of-products,early-cse,
slsr,early-cse,nary-reassociate,early-cse,
hide-steps,loop(strength-reduction),plain-starts,show-steps,count-down,common-bases,early-cse,separate-const-offset-from-gep,early-cse<memssa>,common-addresses,early-cse,
byte-addresses,early-cse,instcombine<no-verify-fixpoint>,merged-pointers,early-cse,
chosen-extremes,next-values,end-by-sum,last-case-is-default,show-dividends,show-shifted,show-condition-values,show-divisors,freeze-loop-chains),
globaldce,constmerge,warp-size-variable,
function(memory-blocks,infer-alignment,local-pointers,infer-address-spaces,vectors,load-store-vectorizer,byte-vectors),shared-casts,
function(plain-extensions,whole-bools,forget-bools,variable-addresses,block-order,sink-conditions)
)";

// Addresses of shared memory have 32 bits, as with nvcc. (LLVM's -nvptx-short-ptr makes those of constant and
// local memory so, too, which nvcc does not and the code generator cannot do.)
constexpr const char* data_layout = "e-p3:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64";

// Without separate compilation a device function is its file's own: once it has been inlined it is gone.
void keep_functions_inside(llvm::Module& module) {
    const auto kernels = kernels_of(module);
    llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) {
        return !llvm::isa<llvm::Function>(value) || llvm::is_contained(kernels, &value);
    });
}

// Memory that the launch gives the size of has the alignment of the largest access.
void align_dynamic_memory(llvm::Module& module) {
    for (llvm::GlobalVariable& variable : module.globals())
        if (variable.getAddressSpace() == 3 && variable.isDeclaration())
            variable.setAlignment(std::max(llvm::Align(16), variable.getAlign().valueOrOne()));
}

// Functions that give memory are like any other: what it holds is not known to be undefined.
llvm::TargetLibraryInfoImpl without_allocations(const llvm::Module& module) {
    llvm::TargetLibraryInfoImpl library(llvm::Triple(module.getTargetTriple()));
    for (const llvm::LibFunc function :
         {llvm::LibFunc_malloc, llvm::LibFunc_free, llvm::LibFunc_Znwm, llvm::LibFunc_Znam,
          llvm::LibFunc_ZdlPv, llvm::LibFunc_ZdaPv, llvm::LibFunc_ZdlPvm, llvm::LibFunc_ZdaPvm})
        library.setUnavailable(function);
    return library;
}

// Loads that go from a function to its callers would have the call's line, memory that a loop keeps in a
// register is read and written where no line of the source does, and a load that only one side of a branch
// needs is done by all in the source.
std::string for_checks(std::string passes, bool overflow) {
    for (const std::string_view moves : {"argpromotion,", ",promotion-alone", ",promotion", ",carried-loads",
                                         "sink-loads-past-guards,", "sink-loads,", "sink-values,"})
        for (std::size_t at; (at = passes.find(moves)) != passes.npos;) passes.erase(at, moves.size());
    return std::string("keep-undefined-reads,mark-indices,") + (overflow ? "mark-overflows," : "") + passes +
           ",function(choices-as-branches,loop-lines,user-lines),number-inlined-lines,tell-marks";
}

}  // namespace

void set_pass_options(const Options& options) {
    const std::string division = "-nvptx-prec-divf32=" + std::to_string(static_cast<int>(options.division));
    // LLVM's target has eleven times the option's value for a limit.
    const std::string inlined = "-inline-threshold=" + std::to_string(most_inlined_cost / 11);
    const char* arguments[] = {
        "lockstep-device",
        // A 32-bit index stays one.
        "-indvars-widen-indvars=false",
        // What a loop has counted is what it has counted, not computed anew behind it.
        "-replexitval=never",
        // What was computed before a branch stays there, loads excepted (sink-loads).
        "-disable-machine-sink",
        // Nor is what both ways of a branch compute hoisted before it.
        "-disable-machine-cse",
        // Constants are put into registers where they are needed, in loops, too.
        "-disable-machine-licm",
        "-instcombine-code-sinking=false",
        "-spec-exec-max-speculation-cost=0",
        "-disable-block-placement",
        // A store is dead only where the same block overwrites it.
        "-dse-memoryssa-otherbb-cost=1000",
        // Done in the pipeline.
        "-disable-lsr",
        // Conditions that threads of a warp differ in are hidden from it.
        "-enable-nontrivial-unswitch",
        "-unswitch-threshold=68",
        division.c_str(),
        inlined.c_str(),
        // Done by promotion.
        "-disable-licm-promotion",
    };
    llvm::cl::ParseCommandLineOptions(std::size(arguments), arguments);
}

std::string optimise(llvm::Module& module, llvm::TargetMachine& target, const Options& options) {
    module.setDataLayout(data_layout);
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder(&target);
    register_passes(builder);
    if (options.for_checks)
        functions.registerPass([&] { return llvm::TargetLibraryAnalysis(without_allocations(module)); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);

    align_dynamic_memory(module);
    if (options.level != 0 && !options.relocatable) keep_functions_inside(module);
    std::string text = options.passes;
    if (text.empty()) text = options.level == 0 ? unoptimised : optimised;
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    if (options.for_checks) text = for_checks(std::move(text), options.overflow);
    llvm::ModulePassManager passes;
    if (auto error = builder.parsePassPipeline(passes, text)) return llvm::toString(std::move(error));
    passes.run(module, modules);
    std::string broken;
    llvm::raw_string_ostream stream(broken);
    if (llvm::verifyModule(module, &stream)) return "broken LLVM IR: " + broken;
    return {};
}

}  // namespace lockstep::device
