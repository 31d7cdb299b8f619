#pragma once

// Structs that are aligned for it are loaded and stored by vectors, as with nvcc: all of a float4, if two of
// its members or more are needed, and all of it back, if one has changed. A copy's members are marked as
// parts of a vector when it is taken apart (member-copies), and put together again when all else is done.

#include <llvm/IR/PassManager.h>

#include <optional>

namespace llvm {
class Instruction;
class Value;
}  // namespace llvm

namespace lockstep::device {

// Where a load's or store's vector lies in memory, and which of its members the access is for.
struct VectorPart {
    const llvm::Value* base;
    std::int64_t start;      // bytes behind the base
    unsigned index, length;  // in members
    bool operator==(const VectorPart& other) const = default;
    bool same_vector(const VectorPart& other) const {
        return base == other.base && start == other.start && length == other.length;
    }
};

void mark_vector_part(llvm::Instruction& access, unsigned index, unsigned length);
std::optional<VectorPart> marked_vector_part(llvm::Instruction& access);

struct Vectors : llvm::PassInfoMixin<Vectors> {
    llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace lockstep::device
