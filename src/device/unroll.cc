#include "device/unroll.h"

#include <llvm/ADT/PriorityWorklist.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CodeMetrics.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "device/count-down.h"
#include "device/hidden-values.h"
#include "device/kernels.h"
#include "device/loop-chains.h"

namespace lockstep::device {

bool awaits_inlining(llvm::Function& function) {
    if (function.doesNotAccessMemory() || function.hasFnAttribute(llvm::Attribute::NoInline)) return false;
    return !llvm::is_contained(kernels_of(*function.getParent()), &function) && !function.hasAddressTaken();
}

namespace {

constexpr unsigned full_limit = 405;              // size of a loop unrolled fully must be below
constexpr unsigned array_limit = 8 * full_limit;  // the same, if that may bring an array into registers
constexpr unsigned bounded_array_limit = 2480;    // the same, of as many trips as there may be
constexpr unsigned partial_limit = 202;           // size of one unrolled partly may be
constexpr unsigned pragma_limit = 32 * 1024;      // both, where the source asks for it
constexpr unsigned runtime_body_limit = 95;       // size of a loop whose trip count only runs tell
constexpr unsigned runtime_factor = 4;            // and its factor
constexpr unsigned runtime_trips = 20;            // and the trips up to which it is left alone
constexpr unsigned pragma_bounded_trips = 64;     // trips at most that the source may ask to unroll
constexpr const char* must_progress = "llvm.loop.mustprogress";
constexpr unsigned back_edge = 2;  // instructions of a loop that its copies do not have

// The size of a function of the math library, or none.
std::optional<unsigned> library_size(llvm::StringRef name) {
    static const llvm::StringMap<unsigned> sizes = {
#define LIBRARY_SIZE(name, size) {"__nv_" #name, size},
#include "device/library-sizes.def"
#undef LIBRARY_SIZE
    };
    const auto known = sizes.find(name);
    return known == sizes.end() ? std::nullopt : std::optional(known->second);
}

// A rotation is two shifts and an or, which LLVM has made one operation of; assembly is one, however many
// operands it has. Our headers have much as assembly that is an operation of its own to nvcc.
std::optional<unsigned> shift_or_assembly_size(const llvm::User& user) {
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&user))
        if (call->getIntrinsicID() == llvm::Intrinsic::fshl ||
            call->getIntrinsicID() == llvm::Intrinsic::fshr)
            return 3;
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&user);
    return call && call->isInlineAsm() ? std::optional(1u) : std::nullopt;
}

// The size that nvcc gives an instruction: one, but four for a division, none for what becomes part of
// others.
class Sizes : public llvm::TargetTransformInfoImplCRTPBase<Sizes> {
  public:
    explicit Sizes(const llvm::DataLayout& layout) : TargetTransformInfoImplCRTPBase(layout) {}
    bool isLegalAddressingMode(llvm::Type*, llvm::GlobalValue* variable, int64_t offset, bool base,
                               int64_t scale, unsigned, llvm::Instruction* = nullptr, int64_t = 0) const {
        if (variable) return offset == 0 && !base && scale == 0;
        return scale == 0 || (scale == 1 && !base);
    }
    llvm::InstructionCost getInstructionCost(const llvm::User* user,
                                             llvm::ArrayRef<const llvm::Value*> operands,
                                             llvm::TargetTransformInfo::TargetCostKind kind) {
        if (is_hidden(*user)) return 0;
        if (const auto size = shift_or_assembly_size(*user)) return *size;
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user); call && call->getCalledFunction())
            if (const auto size = library_size(call->getCalledFunction()->getName())) return *size;
        // a[i + 1] is one address behind a[i] here, but nvcc computes the index anew: add, extend, scale.
        const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
        const auto* base =
            element ? llvm::dyn_cast<llvm::GetElementPtrInst>(element->getPointerOperand()) : nullptr;
        if (base && element->hasAllConstantIndices() && !base->hasAllConstantIndices())
            return llvm::isa<llvm::CastInst>(base->getOperand(base->getNumOperands() - 1)) ? 3 : 2;
        return TargetTransformInfoImplCRTPBase::getInstructionCost(user, operands, kind);
    }
};

// What the source says of a loop.
struct Pragma {
    bool forbids, asks;  // #pragma unroll 1; #pragma unroll
    unsigned factor;     // #pragma unroll N; or 0
};

Pragma pragma_of(const llvm::Loop& loop) {
    const auto factor = llvm::getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count");
    return {llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.disable") || factor == 1,
            llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.enable") ||
                llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.full"),
            factor ? static_cast<unsigned>(*factor) : 0};
}

class Unroller {
  public:
    Unroller(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, Unroll::Extent extent)
        : extent(extent),
          awaits_inlining(extent != Unroll::uninlined && device::awaits_inlining(function)),
          loops(analyses.getResult<llvm::LoopAnalysis>(function)),
          scev(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
          dominators(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
          assumptions(analyses.getResult<llvm::AssumptionAnalysis>(function)),
          remarks(analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function)),
          sizes(Sizes(function.getDataLayout())) {}

    bool run() {
        bool changed = false;
        for (llvm::Loop* loop : loops) {
            changed |= llvm::simplifyLoop(loop, &dominators, &loops, &scev, &assumptions, nullptr, false);
            changed |= llvm::formLCSSARecursively(*loop, dominators, &loops, &scev);
        }
        llvm::SmallPriorityWorklist<llvm::Loop*, 4> list;  // the inner ones first
        llvm::appendLoopsToWorklist(loops, list);
        while (!list.empty()) changed |= unroll(*list.pop_back_val());
        return changed;
    }

  private:
    struct Plan {
        unsigned factor = 1;
        bool remainder = false;  // a loop for the trips that are left over
        bool asked = false;
    };

    bool unroll(llvm::Loop& loop) {
        if (!loop.isLoopSimplifyForm()) return false;
        const Plan plan = decide(loop);
        if (plan.factor < 2) return false;
        const auto simpler = plan.remainder ? simpler_count(loop) : std::nullopt;
        llvm::BasicBlock* const before = loop.getLoopPreheader();
        llvm::UnrollLoopOptions options{};
        options.Count = plan.factor;
        options.Force = plan.asked;
        options.Runtime = plan.remainder;
        options.AllowExpensiveTripCount = true;  // whether it is, has been decided
        options.UnrollRemainder = plan.remainder && loop.getLoopDepth() > 1;
        llvm::Loop* remainder = nullptr;
        const auto result = llvm::UnrollLoop(&loop, options, &loops, &scev, &dominators, &assumptions, &sizes,
                                             &remarks, true, &remainder);
        if (remainder) llvm::addStringMetadataToLoop(remainder, is_remainder, 1);
        if (simpler) simplify(*before, *simpler);
        if (result != llvm::LoopUnrollResult::Unmodified)
            for (llvm::PHINode* cut : cut_loop_chains(*before->getParent(), loops)) scev.forgetValue(cut);
        if (result == llvm::LoopUnrollResult::PartiallyUnrolled) {
            if (plan.asked) loop.setLoopAlreadyUnrolled();
            if (plan.remainder) llvm::addStringMetadataToLoop(&loop, has_remainder, 1);
        }
        return result != llvm::LoopUnrollResult::Unmodified;
    }

    Plan decide(llvm::Loop& loop) {
        const Pragma pragma = pragma_of(loop);
        if (pragma.forbids) return {};
        if (extent == Unroll::asked && (!loop.isInnermost() || !(pragma.asks || pragma.factor))) return {};
        llvm::SmallPtrSet<const llvm::Value*, 32> ephemeral;
        llvm::CodeMetrics::collectEphemeralValues(&loop, &assumptions, ephemeral);
        const llvm::UnrollCostEstimator size(&loop, sizes, ephemeral, back_edge);
        if (!size.canUnroll() || size.NumInlineCandidates != 0) return {};
        const unsigned body = size.getRolledLoopSize();
        const auto unrolled = [&](unsigned factor) {
            return uint64_t{body - back_edge} * factor + back_edge;
        };
        const auto fits = [&](unsigned factor, unsigned limit) { return unrolled(factor) <= limit; };
        const auto halved = [&](unsigned factor, unsigned limit) {
            while (factor > 1 && !fits(factor, limit)) factor /= 2;
            return factor;
        };

        llvm::BasicBlock* const latch = loop.getLoopLatch();
        llvm::BasicBlock* exiting = loop.isLoopExiting(latch) ? latch : nullptr;
        // A loop that an unrolling has left an exit in the middle of is not unrolled again.
        if (!exiting && extent != Unroll::full) exiting = loop.getExitingBlock();
        const unsigned trips = exiting ? scev.getSmallConstantTripCount(&loop, exiting) : 0;
        const unsigned multiple = exiting ? scev.getSmallConstantTripMultiple(&loop, exiting) : 1;
        const unsigned most = trips ? trips : scev.getSmallConstantMaxTripCount(&loop);

        if (pragma.factor && extent != Unroll::full && unrolled(pragma.factor) < pragma_limit) {
            if (trips && pragma.factor >= trips) return {trips, false, true};
            return {pragma.factor, trips == 0 && multiple % pragma.factor != 0, true};
        }
        if (trips && fully(loop, trips, most, multiple, size, ephemeral, pragma.asks)) return {trips};
        if (!trips && most &&
            (pragma.asks ? most <= pragma_bounded_trips && unrolled(most) < pragma_limit
                         : unrolled(most) < bounded_array_limit && indexes_local_array(loop)))
            return {most};
        if (extent == Unroll::full || !loop.isInnermost() || awaits_inlining) return {};

        if (trips) {
            // By a power of two that divides the trips, else by any.
            const unsigned limit = pragma.asks ? pragma_limit : partial_limit;
            const unsigned power = halved(trips & -trips, limit);
            return {power > 1 ? power : halved(runtime_factor, limit), false, pragma.asks};
        }
        if (loop.getExitingBlock() != latch || body > runtime_body_limit) return {};
        // It does not get another where its function was inlined.
        if (llvm::getBooleanLoopAttribute(&loop, has_remainder)) return {};
        const bool strides = has_stride(loop);
        if (strides) {  // it ends, or does nothing that counts
            llvm::addStringMetadataToLoop(&loop, must_progress, 1);
            scev.forgetLoop(&loop);
        }
        const llvm::SCEV* const count = scev.getBackedgeTakenCount(&loop);
        const bool asked = pragma.asks || pragma.factor;
        if (most && most <= runtime_trips && !asked && loop.getLoopDepth() == 1) return {};
        if (expensive(loop, count, strides)) return {};
        const unsigned factor = halved(runtime_factor, partial_limit);
        return {factor, multiple % factor != 0, asked};
    }

    // A number of trips as LLVM has it, and as nvcc does.
    struct Count {
        const llvm::SCEV *taken, *simple;
    };

    // Of `for (int i = a; i < n; i += s)`, which is not entered but with a < n, (n - 1 - a) / s trips follow
    // the first. LLVM has the greater of n and a + s for n, lest their difference overflows.
    std::optional<Count> simpler_count(llvm::Loop& loop) {
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
        const auto* comparison = branch && branch->isConditional()
                                     ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                                     : nullptr;
        const llvm::SCEV* const taken = scev.getBackedgeTakenCount(&loop);
        const auto is_greater = [](const llvm::SCEV* part) { return llvm::isa<llvm::SCEVSMaxExpr>(part); };
        if (!comparison || llvm::isa<llvm::SCEVCouldNotCompute>(taken) ||
            !llvm::SCEVExprContains(taken, is_greater))
            return {};
        const auto predicate = branch->getSuccessor(0) == loop.getHeader()
                                   ? comparison->getPredicate()
                                   : comparison->getInversePredicate();
        const auto* next = llvm::dyn_cast<llvm::SCEVAddRecExpr>(scev.getSCEV(comparison->getOperand(0)));
        const llvm::SCEV* const end = scev.getSCEV(comparison->getOperand(1));
        if (predicate != llvm::CmpInst::ICMP_SLT || !next || next->getLoop() != &loop || !next->isAffine() ||
            !next->hasNoSignedWrap() || !scev.isLoopInvariant(end, &loop))
            return {};
        const llvm::SCEV* const step = next->getStepRecurrence(scev);
        const llvm::SCEV* const first = scev.getMinusSCEV(next->getStart(), step);
        if (!scev.isLoopEntryGuardedByCond(&loop, predicate, first, end)) return {};
        const llvm::SCEV* const one = scev.getOne(step->getType());
        return Count{taken, scev.getUDivExpr(scev.getMinusSCEV(scev.getMinusSCEV(end, one), first), step)};
    }

    void simplify(llvm::BasicBlock& before, const Count& count) {
        for (llvm::Instruction& instruction : before)
            if (scev.isSCEVable(instruction.getType()) && scev.getSCEV(&instruction) == count.taken) {
                llvm::SCEVExpander expander(scev, before.getDataLayout(), "trips");
                instruction.replaceAllUsesWith(
                    expander.expandCodeFor(count.simple, instruction.getType(), &instruction));
                return;
            }
    }

    // LLVM's estimate, with nvcc's limits: a loop is small enough, or much of it folds into constants.
    bool fully(llvm::Loop& loop, unsigned trips, unsigned most, unsigned multiple,
               const llvm::UnrollCostEstimator& size,
               const llvm::SmallPtrSetImpl<const llvm::Value*>& ephemeral, bool asked) {
        llvm::TargetTransformInfo::UnrollingPreferences limits{};
        limits.Threshold = asked ? pragma_limit : indexes_local_array(loop) ? array_limit : full_limit;
        limits.MaxPercentThresholdBoost = 400;
        limits.MaxIterationsCountToAnalyze = 10;
        limits.FullUnrollMaxCount = std::numeric_limits<unsigned>::max();
        limits.MaxCount = std::numeric_limits<unsigned>::max();
        limits.BEInsns = back_edge;
        llvm::TargetTransformInfo::PeelingPreferences peeling{};
        bool bounded = false;
        llvm::computeUnrollCount(&loop, sizes, dominators, &loops, &assumptions, scev, ephemeral, &remarks,
                                 trips, most, false, multiple, size, limits, peeling, bounded);
        return limits.Count == trips;
    }

    bool indexes_local_array(llvm::Loop& loop) {
        for (llvm::BasicBlock* block : loop.blocks())
            for (llvm::Instruction& instruction : *block) {
                const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
                if (element && !element->hasAllConstantIndices() && !loop.isLoopInvariant(element) &&
                    llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(element)))
                    return true;
            }
        return false;
    }

    // Whether the loop is `for (…; i < n; i += step)`, all signed, with a step that only runs tell.
    bool has_stride(llvm::Loop& loop) {
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
        const auto* comparison = branch && branch->isConditional()
                                     ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                                     : nullptr;
        if (!comparison) return false;
        const auto predicate = branch->getSuccessor(0) == loop.getHeader()
                                   ? comparison->getPredicate()
                                   : comparison->getInversePredicate();
        const auto* index = llvm::dyn_cast<llvm::SCEVAddRecExpr>(scev.getSCEV(comparison->getOperand(0)));
        return predicate == llvm::CmpInst::ICMP_SLT && index && index->getLoop() == &loop &&
               index->isAffine() && index->hasNoSignedWrap() &&
               !llvm::isa<llvm::SCEVConstant>(index->getStepRecurrence(scev));
    }

    // Whether to compute the trip count before the loop would compare addresses, or take a division that is
    // not by such a step.
    bool expensive(llvm::Loop& loop, const llvm::SCEV* count, bool strides) {
        if (llvm::isa<llvm::SCEVCouldNotCompute>(count)) return true;
        llvm::SCEVExpander expander(scev, loop.getHeader()->getDataLayout(), "trips");
        const llvm::Instruction* const at = loop.getLoopPreheader()->getTerminator();
        return llvm::SCEVExprContains(count, [&](const llvm::SCEV* part) {
            if (const auto* division = llvm::dyn_cast<llvm::SCEVUDivExpr>(part))
                return !strides && !llvm::isa<llvm::SCEVConstant>(division->getRHS()) &&
                       !expander.hasRelatedExistingExpansion(part, at, &loop);
            const auto is_address = [](const llvm::SCEV* of) {
                return llvm::isa<llvm::SCEVPtrToIntExpr>(of);
            };
            return llvm::isa<llvm::SCEVMinMaxExpr>(part) && llvm::SCEVExprContains(part, is_address);
        });
    }

    Unroll::Extent extent;
    bool awaits_inlining;
    llvm::LoopInfo& loops;
    llvm::ScalarEvolution& scev;
    llvm::DominatorTree& dominators;
    llvm::AssumptionCache& assumptions;
    llvm::OptimizationRemarkEmitter& remarks;
    llvm::TargetTransformInfo sizes;
};

}  // namespace

llvm::PreservedAnalyses Unroll::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (extent == uninlined && !awaits_inlining(function)) return llvm::PreservedAnalyses::all();
    return Unroller(function, analyses, extent).run() ? llvm::PreservedAnalyses::none()
                                                      : llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::device
