#include "exec/jit/strips.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

namespace lockstep::exec::jit {
namespace {

using llvm::BasicBlock;
using llvm::FixedVectorType;
using llvm::Instruction;
using llvm::Type;
using llvm::Value;

// Shorter stretches do not pay for the loop, nor for what passes through memory at its ends.
constexpr std::size_t least_operations = 24;
constexpr std::size_t operations_a_crossing = 4;
// From here on they become loops even if they cost some time when they run: compiling them counts.
constexpr std::size_t long_stretch = 512;
constexpr std::size_t operations_a_crossing_if_long = 2;
// The longest body of a loop, in vector instructions. The scheduler's time a body is about quadratic.
constexpr std::size_t longest_body = 1024;
// Copies of a body that run side by side, so that a chain of dependent operations does not wait for each.
constexpr unsigned most_copies = 4;

bool is_warp_vector(const Type* type, unsigned warp) {
    const auto* vector = llvm::dyn_cast<FixedVectorType>(type);
    return vector && vector->getNumElements() == warp &&
           (vector->getElementType()->isIntegerTy() || vector->getElementType()->isFloatingPointTy());
}

// Each lane of the result depends on the same lane of the operands, and on nothing else.
bool is_lane_wise(const Instruction& inst, unsigned warp) {
    if (!is_warp_vector(inst.getType(), warp)) return false;
    for (const Value* operand : inst.operands())
        if (operand->getType()->isVectorTy() && !is_warp_vector(operand->getType(), warp)) return false;
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst))
        return llvm::isTriviallyVectorizable(call->getIntrinsicID());
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&inst)) return cast->getSrcTy()->isVectorTy();
    return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::SelectInst,
                     llvm::FreezeInst>(inst);
}

// A stretch of one block that becomes one loop.
struct Run {
    std::vector<Instruction*> operations;
    unsigned copies = 1;
};

class StripMiner {
  public:
    // `warp`: its lanes.
    StripMiner(llvm::Function& function, const llvm::TargetTransformInfo& costs, unsigned warp)
        : function_(function), layout_(function.getDataLayout()), warp_(warp) {
        const auto bits = costs.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector);
        lanes_ = std::clamp<unsigned>(static_cast<unsigned>(bits.getFixedValue()) / 32, 4, warp_);
        strips_ = warp_ / lanes_;
        registers_ = costs.getNumberOfRegisters(costs.getRegisterClassForType(true));
    }

    bool run() {
        for (BasicBlock& block : function_) find_runs(block);
        if (runs_.empty()) return false;
        find_crossings();
        make_frame();
        for (auto& [value, place] : places_)
            if (!run_of_.contains(value)) store_whole(value, place);
        for (Run& run : runs_) make_loop(run);
        for (Instruction* dead : replaced_) dead->replaceAllUsesWith(llvm::PoisonValue::get(dead->getType()));
        for (Instruction* dead : replaced_) dead->eraseFromParent();
        return true;
    }

  private:
    // ---- which operations ----

    // Orders the block by rounds, in which all that can be done without lane-wise operations comes before the
    // lane-wise operations which that allows, and so on; memory accesses keep their order.
    void find_runs(BasicBlock& block) {
        auto candidates = llvm::count_if(block, [&](const Instruction& i) { return is_lane_wise(i, warp_); });
        if (static_cast<std::size_t>(candidates) < least_operations) return;
        llvm::DenseMap<const Value*, unsigned> rounds;
        unsigned last_access = 0, last_write = 0, last_round = 0;
        for (Instruction& inst : block) {
            if (llvm::isa<llvm::PHINode>(inst) || inst.isTerminator()) continue;
            unsigned round = 0;
            for (const Value* operand : inst.operands())
                if (auto found = rounds.find(operand); found != rounds.end())
                    round = std::max(round, found->second);
            const bool odd = is_lane_wise(inst, warp_);
            if (inst.mayWriteToMemory() || inst.mayHaveSideEffects())
                round = std::max(round, last_access);
            else if (inst.mayReadFromMemory())
                round = std::max(round, last_write);
            if (round % 2 != odd) ++round;
            if (inst.mayWriteToMemory() || inst.mayHaveSideEffects()) last_write = round;
            if (inst.mayReadOrWriteMemory() || inst.mayHaveSideEffects())
                last_access = std::max(last_access, round);
            rounds[&inst] = round;
            last_round = std::max(last_round, (round + 1) / 2 * 2);
        }
        // What is cheap to have late is not kept from early on: addresses, above all.
        for (Instruction& inst : llvm::reverse(block)) {
            if (!rounds.contains(&inst) || is_lane_wise(inst, warp_) || inst.mayReadOrWriteMemory() ||
                inst.mayHaveSideEffects() || llvm::isa<llvm::AllocaInst>(inst))
                continue;
            unsigned latest = last_round;
            for (const llvm::User* user : inst.users())
                if (auto found = rounds.find(user); found != rounds.end())
                    latest = std::min(latest, found->second / 2 * 2);
            rounds[&inst] = latest;
        }
        std::vector<std::vector<Instruction*>> order(last_round + 1);
        for (Instruction& inst : block)
            if (auto found = rounds.find(&inst); found != rounds.end()) order[found->second].push_back(&inst);
        bool any = false;
        for (std::size_t round = 1; round < order.size(); round += 2) any |= choose(order[round]);
        if (!any) return;
        for (const auto& round : order)
            for (Instruction* inst : round) inst->moveBefore(block.getTerminator());
    }

    // Makes loops of a round's operations, if that pays.
    bool choose(const std::vector<Instruction*>& operations) {
        const std::size_t count = operations.size();
        if (count < least_operations) return false;
        const bool is_long = count >= long_stretch;
        if (!is_long && most_live(operations) * strips_ <= registers_) return false;
        if (count <
            (is_long ? operations_a_crossing_if_long : operations_a_crossing) * crossings_of(operations))
            return false;
        std::size_t begin = 0;
        while (begin < count) {
            // Pieces of about the same size.
            const std::size_t pieces = (count - begin + longest_body - 1) / longest_body;
            std::size_t end = begin + (count - begin + pieces - 1) / pieces;
            Run run;
            run.operations.assign(operations.begin() + static_cast<std::ptrdiff_t>(begin),
                                  operations.begin() + static_cast<std::ptrdiff_t>(end));
            run.copies = copies_for(most_live(run.operations));
            if (run.operations.size() * run.copies > longest_body) {
                end = begin + longest_body / run.copies;
                run.operations.resize(end - begin);
            }
            for (Instruction* inst : run.operations) run_of_[inst] = static_cast<unsigned>(runs_.size());
            runs_.push_back(std::move(run));
            begin = end;
        }
        return true;
    }

    unsigned copies_for(std::size_t live) const {
        unsigned copies = 1;
        while (copies < most_copies && 2 * copies < strips_ && 2 * copies * live <= registers_) copies *= 2;
        return copies;
    }

    std::size_t registers_of(const Value* value) const {
        return std::max<std::size_t>(1, value->getType()->getScalarSizeInBits() / 32);
    }

    // The most registers that values of the stretch, and what it reads, need at a time for one strip.
    std::size_t most_live(const std::vector<Instruction*>& operations) const {
        llvm::DenseMap<const Value*, std::size_t> last_use;
        for (std::size_t i = 0; i < operations.size(); ++i)
            for (const Value* operand : operations[i]->operands())
                if (is_stored(operand)) last_use[operand] = i;
        std::vector<std::vector<const Value*>> ending(operations.size());
        for (auto& [value, at] : last_use) ending[at].push_back(value);
        llvm::DenseSet<const Value*> seen;
        std::size_t live = 0, most = 0;
        auto begin = [&](const Value* value) {
            if (last_use.contains(value) && seen.insert(value).second) live += registers_of(value);
        };
        for (std::size_t i = 0; i < operations.size(); ++i) {
            for (const Value* operand : operations[i]->operands()) begin(operand);
            begin(operations[i]);
            most = std::max(most, live);
            for (const Value* value : ending[i]) live -= registers_of(value);
        }
        return most;
    }

    // Values that come from elsewhere or are used elsewhere.
    std::size_t crossings_of(const std::vector<Instruction*>& operations) const {
        llvm::DenseSet<const Value*> own(operations.begin(), operations.end()), crossing;
        for (const Instruction* inst : operations) {
            for (const Value* operand : inst->operands())
                if (is_stored(operand) && !own.contains(operand)) crossing.insert(operand);
            if (llvm::any_of(inst->users(), [&](const Value* user) { return !own.contains(user); }))
                crossing.insert(inst);
        }
        return crossing.size();
    }

    // Whether a strip of the value has to be kept; constants and copies of one scalar are made where needed.
    bool is_stored(const Value* value) const {
        return is_warp_vector(value->getType(), warp_) && !llvm::isa<llvm::Constant>(value) &&
               !llvm::getSplatValue(value);
    }

    // ---- where values are between the loops ----

    struct Place {
        std::uint64_t offset = 0;  // in a strip's record
        bool used_whole = false;   // by something that is no strip
    };

    void find_crossings() {
        for (unsigned number = 0; number < runs_.size(); ++number) {
            for (Instruction* inst : runs_[number].operations) {
                for (Value* operand : inst->operands()) {
                    if (!is_stored(operand)) continue;
                    auto found = run_of_.find(operand);
                    if (found == run_of_.end() || found->second != number) places_.insert({operand, {}});
                }
                if (llvm::any_of(inst->users(), [&](Value* user) { return !run_of_.contains(user); }))
                    places_[inst].used_whole = true;
            }
        }
    }

    Type* strip_type(const Value* value) const {
        Type* element = value->getType()->getScalarType();
        return FixedVectorType::get(element, lanes_);
    }

    // Masks are kept as integers of a lane each: what comparisons leave in registers on most CPUs.
    Type* stored_type(const Value* value) const {
        Type* strip = strip_type(value);
        return strip->getScalarSizeInBits() == 1
                   ? FixedVectorType::get(Type::getInt32Ty(function_.getContext()), lanes_)
                   : strip;
    }

    // One record a strip, one after the other: a loop over strips then has one pointer.
    void make_frame() {
        for (auto& [value, place] : places_) {
            Type* type = stored_type(value);
            place.offset = llvm::alignTo(record_, layout_.getABITypeAlign(type));
            record_ = place.offset + layout_.getTypeAllocSize(type);
        }
        constexpr std::uint64_t line = 64;
        record_ = llvm::alignTo(record_, line);
        llvm::IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
        auto* frame =
            entry.CreateAlloca(llvm::ArrayType::get(entry.getInt8Ty(), record_ * strips_), nullptr, "strips");
        frame->setAlignment(llvm::Align(line));
        frame_ = frame;
    }

    void store(llvm::IRBuilder<>& builder, Value* strip, Value* record, const Place& place) {
        Type* type = stored_type(strip);
        if (type != strip->getType()) strip = builder.CreateSExt(strip, type);
        builder.CreateAlignedStore(
            strip, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record, place.offset),
            layout_.getABITypeAlign(type));
    }

    Value* load(llvm::IRBuilder<>& builder, const Value* value, Value* record, const Place& place) {
        Type* type = stored_type(value);
        Value* strip = builder.CreateAlignedLoad(
            type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record, place.offset),
            layout_.getABITypeAlign(type));
        if (type == strip_type(value)) return strip;
        return builder.CreateICmpNE(strip, llvm::Constant::getNullValue(type));
    }

    Value* record(llvm::IRBuilder<>& builder, Value* first, std::uint64_t strip) {
        return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), first, strip * record_);
    }

    // After the definition of a value that is made elsewhere.
    void store_whole(Value* value, const Place& place) {
        auto* definition = llvm::dyn_cast<Instruction>(value);
        BasicBlock& entry = function_.getEntryBlock();
        auto at = definition ? *definition->getInsertionPointAfterDef() : entry.getFirstInsertionPt();
        // Behind what is read of them: the block's phi nodes, and the frame itself.
        while (llvm::isa<llvm::AllocaInst>(*at)) ++at;
        llvm::IRBuilder<> builder(at->getParent(), at);
        for (unsigned strip = 0; strip < strips_; ++strip) {
            std::vector<int> pick;
            for (unsigned lane = 0; lane < lanes_; ++lane)
                pick.push_back(static_cast<int>(strip * lanes_ + lane));
            store(builder, builder.CreateShuffleVector(value, pick), record(builder, frame_, strip), place);
        }
    }

    Value* load_whole(llvm::IRBuilder<>& builder, const Value* value, const Place& place) {
        std::vector<Value*> strips;
        for (unsigned strip = 0; strip < strips_; ++strip)
            strips.push_back(load(builder, value, record(builder, frame_, strip), place));
        return llvm::concatenateVectors(builder, strips);
    }

    // ---- the loops ----

    // What an operand is for one strip.
    Value* operand_for(llvm::IRBuilder<>& builder, Value* operand, Value* record, Value* first_lane,
                       llvm::DenseMap<Value*, Value*>& known) {
        if (!operand->getType()->isVectorTy()) return operand;
        if (auto found = known.find(operand); found != known.end()) return found->second;
        Value*& strip = known[operand];
        if (Value* scalar = llvm::getSplatValue(operand)) {
            if (auto* constant = llvm::dyn_cast<llvm::Constant>(scalar))
                return strip = llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), constant);
            return strip = builder.CreateVectorSplat(lanes_, scalar);
        }
        if (llvm::isa<llvm::PoisonValue>(operand)) return strip = llvm::PoisonValue::get(strip_type(operand));
        if (llvm::isa<llvm::UndefValue>(operand)) return strip = llvm::UndefValue::get(strip_type(operand));
        if (auto* constant = llvm::dyn_cast<llvm::Constant>(operand))
            return strip = slice(builder, constant, first_lane);
        return strip = load(builder, operand, record, places_.find(operand)->second);
    }

    // Some lanes of a constant that differs between lanes.
    Value* slice(llvm::IRBuilder<>& builder, llvm::Constant* constant, Value* first_lane) {
        const bool mask = constant->getType()->getScalarSizeInBits() == 1;
        Type* element = mask ? Type::getInt8Ty(function_.getContext()) : constant->getType()->getScalarType();
        std::vector<llvm::Constant*> lanes;
        for (unsigned lane = 0; lane < warp_; ++lane) {
            llvm::Constant* one = constant->getAggregateElement(lane);
            if (mask)
                one = one->isOneValue() ? llvm::ConstantInt::get(element, 1)
                                        : llvm::Constant::getNullValue(element);
            lanes.push_back(one);
        }
        auto* array = llvm::ConstantArray::get(llvm::ArrayType::get(element, warp_), lanes);
        llvm::GlobalVariable*& table = tables_[array];
        if (!table) {
            table = new llvm::GlobalVariable(*function_.getParent(), array->getType(), true,
                                             llvm::GlobalValue::PrivateLinkage, array);
            table->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
            table->setAlignment(llvm::Align(64));
        }
        Value* strip = builder.CreateAlignedLoad(FixedVectorType::get(element, lanes_),
                                                 builder.CreateInBoundsGEP(element, table, first_lane),
                                                 layout_.getABITypeAlign(element));
        return mask ? builder.CreateICmpNE(strip, llvm::Constant::getNullValue(strip->getType())) : strip;
    }

    void make_loop(Run& run) {
        BasicBlock* before = run.operations.front()->getParent();
        BasicBlock* after = before->splitBasicBlock(run.operations.front(), "strips.end");
        auto* loop = BasicBlock::Create(function_.getContext(), "strips", &function_, after);
        before->getTerminator()->setSuccessor(0, loop);
        llvm::IRBuilder<> builder(loop);
        llvm::PHINode* at = builder.CreatePHI(builder.getPtrTy(), 2, "record");
        llvm::PHINode* lane = builder.CreatePHI(builder.getInt64Ty(), 2, "lane");
        at->addIncoming(frame_, before);
        lane->addIncoming(builder.getInt64(0), before);

        std::vector<llvm::DenseMap<Value*, Value*>> known(run.copies);
        for (Instruction* inst : run.operations) {
            auto place = places_.find(inst);
            for (unsigned copy = 0; copy < run.copies; ++copy) {
                Value* here = copy ? record(builder, at, copy) : at;
                Value* first = copy ? builder.CreateAdd(lane, builder.getInt64(copy * lanes_)) : lane;
                std::vector<Value*> operands;
                for (Value* operand : inst->operands())
                    operands.push_back(operand_for(builder, operand, here, first, known[copy]));
                Value* result = narrow(builder, *inst, operands);
                known[copy][inst] = result;
                if (place != places_.end()) store(builder, result, here, place->second);
            }
        }
        Value* next = record(builder, at, run.copies);
        Value* next_lane = builder.CreateAdd(lane, builder.getInt64(run.copies * lanes_));
        at->addIncoming(next, loop);
        lane->addIncoming(next_lane, loop);
        builder.CreateCondBr(builder.CreateICmpULT(next_lane, builder.getInt64(warp_)), loop, after);

        llvm::IRBuilder<> end(after, after->begin());
        for (Instruction* inst : run.operations) {
            if (auto place = places_.find(inst); place != places_.end() && place->second.used_whole) {
                Value* whole = load_whole(end, inst, place->second);
                inst->replaceUsesWithIf(whole,
                                        [&](llvm::Use& use) { return !run_of_.contains(use.getUser()); });
            }
            replaced_.push_back(inst);
        }
    }

    // The same operation on a strip.
    Value* narrow(llvm::IRBuilder<>& builder, Instruction& inst, const std::vector<Value*>& operands) {
        if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst)) {
            std::vector<Value*> arguments(operands.begin(), operands.begin() + call->arg_size());
            std::vector<Type*> overloads;
            const llvm::Intrinsic::ID id = call->getIntrinsicID();
            if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) overloads.push_back(strip_type(&inst));
            for (unsigned i = 0; i < arguments.size(); ++i)
                if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i)))
                    overloads.push_back(arguments[i]->getType());
            return with_flags(builder.CreateIntrinsic(id, overloads, arguments), inst);
        }
        if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&inst))
            return with_flags(builder.CreateCast(cast->getOpcode(), operands[0], strip_type(&inst)), inst);
        if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&inst))
            return with_flags(builder.CreateCmp(compare->getPredicate(), operands[0], operands[1]), inst);
        if (llvm::isa<llvm::SelectInst>(inst))
            return builder.CreateSelect(operands[0], operands[1], operands[2]);
        if (llvm::isa<llvm::FreezeInst>(inst)) return builder.CreateFreeze(operands[0]);
        return with_flags(builder.CreateNAryOp(inst.getOpcode(), operands), inst);
    }

    static Value* with_flags(Value* result, const Instruction& original) {
        if (auto* inst = llvm::dyn_cast<Instruction>(result)) inst->copyIRFlags(&original);
        return result;
    }

    llvm::Function& function_;
    const llvm::DataLayout& layout_;
    const unsigned warp_;
    unsigned lanes_, strips_, registers_;
    std::vector<Run> runs_;
    llvm::DenseMap<const Value*, unsigned> run_of_;
    llvm::MapVector<Value*, Place> places_;
    std::uint64_t record_ = 0;
    Value* frame_ = nullptr;
    llvm::DenseMap<llvm::Constant*, llvm::GlobalVariable*> tables_;
    std::vector<Instruction*> replaced_;
};

}  // namespace

llvm::PreservedAnalyses StripsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    const auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
    return StripMiner(function, costs, static_cast<unsigned>(lanes)).run() ? llvm::PreservedAnalyses::none()
                                                                           : llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::exec::jit
