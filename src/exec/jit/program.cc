#include "exec/jit/program.h"

#include <fmt/format.h>
#include <llvm/IR/MDBuilder.h>

#include <algorithm>

namespace lockstep::exec::jit {

Program::Program(llvm::LLVMContext& context, const kernel::Kernel& kernel, const Symbols& symbols,
                 TargetInfo target)
    : context(context),
      module(std::make_unique<llvm::Module>("kernel", context)),
      kernel(kernel),
      ptx(*kernel.functions.front().module),
      symbols(symbols),
      target(target),
      sites(kernel.sites) {}

llvm::FunctionCallee Program::external(const std::string& name, void* address, llvm::FunctionType* type) {
    externals[name] = address;
    return module->getOrInsertFunction(name, type);
}

llvm::Value* Program::variable_address(llvm::IRBuilder<>& builder, std::uint32_t variable) {
    llvm::Type* i64 = builder.getInt64Ty();
    llvm::GlobalVariable* table = module->getNamedGlobal(variable_table);
    if (!table) {
        table = new llvm::GlobalVariable(*module, llvm::ArrayType::get(i64, symbols.addresses.size()), true,
                                         llvm::GlobalValue::ExternalLinkage, nullptr, variable_table);
        externals[variable_table] = const_cast<std::uint64_t*>(symbols.addresses.data());
    }
    llvm::LoadInst* address = builder.CreateLoad(
        builder.getPtrTy(), builder.CreateConstInBoundsGEP2_64(table->getValueType(), table, 0, variable),
        "variable");
    address->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
    // No access needs more, and not every alignment that can be asked for is given.
    constexpr std::uint64_t most = 32;
    const auto alignment = std::clamp<std::uint64_t>(ptx.variables[variable].align(), 1, most);
    address->setMetadata(
        llvm::LLVMContext::MD_align,
        llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(builder.getInt64(alignment))));
    mark_state(address);
    return builder.CreatePtrToInt(address, i64);
}

llvm::FunctionType* Program::function_type() {
    llvm::Type* ptr = llvm::PointerType::getUnqual(context);
    llvm::Type* i32 = llvm::Type::getInt32Ty(context);
    return llvm::FunctionType::get(llvm::Type::getVoidTy(context), {ptr, i32, i32, ptr, ptr}, false);
}

llvm::Function* Program::device_function(std::uint32_t index) {
    std::string name = fmt::format("device.{}", index);
    if (llvm::Function* known = module->getFunction(name)) return known;
    auto* function = llvm::Function::Create(function_type(), llvm::Function::InternalLinkage, name, *module);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    return function;
}

llvm::FunctionCallee Program::callback(Callback which) {
    switch (which) {
#define LOCKSTEP_CALLBACK(name, result, ...) \
    case Callback::name: return external("lockstep_" #name, callbacks.name);
#include "exec/callbacks.def"
    }
    return {};
}

static llvm::MDNode* alias_tag(llvm::LLVMContext& context, const char* name) {
    llvm::MDBuilder builder(context);
    llvm::MDNode* root = builder.createTBAARoot("lockstep");
    llvm::MDNode* type = builder.createTBAAScalarTypeNode(name, root);
    return builder.createTBAAStructTagNode(type, type, 0);
}

void Program::mark_state(llvm::Instruction* access) {
    access->setMetadata(llvm::LLVMContext::MD_tbaa, alias_tag(context, "state"));
}

void Program::mark_device(llvm::Instruction* access) {
    access->setMetadata(llvm::LLVMContext::MD_tbaa, alias_tag(context, "device"));
}

void Program::mark_record(llvm::Instruction* access) {
    access->setMetadata(llvm::LLVMContext::MD_tbaa, alias_tag(context, "record"));
}

llvm::MDNode* Program::likely() { return llvm::MDBuilder(context).createBranchWeights(2000, 1); }
llvm::MDNode* Program::unlikely() { return llvm::MDBuilder(context).createBranchWeights(1, 2000); }

}  // namespace lockstep::exec::jit
