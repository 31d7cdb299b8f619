// Kernels with calls that were not inlined. Each part of the code, the kernel and the functions that it may
// come to, is a function of LLVM's, and keeps registers in memory while another runs. A call is a return to
// the dispatcher with the address where the wavefront goes on: the stack of return addresses is the
// program's own, in its scratch memory, as on the hardware, however deep it is.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "exec/warp-context.h"
#include "exec/wave/calls.h"
#include "exec/wave/emitter.h"
#include "exec/wave/service.h"
#include "gcn/called-functions.h"

namespace lockstep::exec::wave {
namespace {

using Kind = gcn::Operand::Kind;

// Calls before a wavefront lets others run.
constexpr std::uint32_t fuel = 4096;

}  // namespace

std::uint32_t Emitter::part_end(std::size_t part) const {
    const auto& parts = kernel_.code.parts;
    return part + 1 < parts.size() ? parts[part + 1].first
                                   : static_cast<std::uint32_t>(kernel_.code.instructions.size());
}

std::size_t Emitter::part_of(std::uint32_t instruction) const {
    std::size_t part = 0;
    while (part + 1 < kernel_.code.parts.size() && kernel_.code.parts[part + 1].first <= instruction) ++part;
    return part;
}

Emitter::Value* Emitter::code_address_of(std::uint32_t instruction) {
    const auto& part = kernel_.code.parts[part_of(instruction)];
    return builder_.getInt64(gcn::code_address(part.number, instruction - part.first));
}

Emitter::Value* Emitter::address_behind(const Inst&) { return code_address_of(position_ + 1); }

// Where each register lies while another part runs.
std::vector<Emitter::FileEntry> Emitter::register_file() {
    std::set<std::pair<Kind, std::uint32_t>> named;
    for (std::uint32_t i = part_begin_; i < part_end_; ++i) {
        const Inst& inst = kernel_.code.instructions[i];
        for (const Op& op : inst.operands)
            if (op.is_register())
                for (std::uint32_t k = 0; k < op.count; ++k) named.insert({op.kind, op.first + k});
        // What lockstep's own calls read and write.
        if (inst.name == "s_trap")
            for (std::uint32_t k = 0; k < service_registers; ++k) named.insert({Kind::vector, k});
    }
    std::vector<FileEntry> file;
    std::uint64_t offset = 0;
    const auto put = [&](llvm::AllocaInst* memory, std::uint64_t bytes, bool used) {
        file.push_back({memory, offset, used});
        offset += bytes;
    };
    const auto lane_bytes = 4 * static_cast<std::uint64_t>(lanes_);
    for (std::uint32_t i = 0; i < vectors_.size(); ++i)
        put(vectors_[i], lane_bytes, named.contains({Kind::vector, i}));
    for (std::uint32_t i = 0; i < accumulators_.size(); ++i)
        put(accumulators_[i], lane_bytes, named.contains({Kind::accumulator, i}));
    for (std::uint32_t i = 0; i < scalars_.size(); ++i)
        put(scalars_[i], 4, named.contains({Kind::scalar, i}));
    for (auto* each : {exec_, vcc_}) put(each, 8, true);
    for (auto* each : {m0_, scc_}) put(each, 4, true);
    site_offset_ = offset;
    file_bytes_ = offset + 4;
    return file;
}

void Emitter::load_registers() {
    for (const FileEntry& entry : register_file())
        if (entry.used) {
            Value* from = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), file_, entry.offset);
            builder_.CreateStore(builder_.CreateLoad(entry.memory->getAllocatedType(), from), entry.memory);
        }
}

void Emitter::save_registers(bool all) {
    for (const FileEntry& entry : register_file())
        if (entry.used || all) {
            Value* to = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), file_, entry.offset);
            builder_.CreateStore(builder_.CreateLoad(entry.memory->getAllocatedType(), entry.memory), to);
        }
}

void Emitter::jump_to_address(const Inst& inst, Value* address) {
    save_registers(false);
    Value* to = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), file_, site_offset_);
    builder_.CreateStore(builder_.getInt32(site(inst, kernel::SiteKind::none, ptx::Space::none, 0)), to);
    builder_.CreateRet(address);
    ended_ = true;
}

// The part's function: from the instruction that the address names, to where another part goes on.
void Emitter::emit_part(std::size_t part, llvm::Function* function) {
    const std::vector<Inst>& code = kernel_.code.instructions;
    const std::uint32_t number = kernel_.code.parts[part].number;
    part_begin_ = kernel_.code.parts[part].first, part_end_ = part_end(part);
    file_ = function->getArg(1);
    load_registers();
    std::set<std::uint32_t> entries = {part_begin_};
    for (std::uint32_t i = part_begin_; i < part_end_; ++i) {
        if (code[i].name == "s_swappc_b64" && i + 1 < part_end_) entries.insert(i + 1);
        for (const Op& op : code[i].operands)
            if (const auto label = kernel_.code.labels.find(op.name);
                op.kind == Kind::symbol && label != kernel_.code.labels.end() &&
                label->second >= part_begin_ && label->second < part_end_)
                entries.insert(label->second);
    }
    const std::uint32_t first = segment_at_[part_begin_], last = segment_at_[part_end_ - 1];
    for (std::uint32_t s = first; s <= last; ++s) blocks_[s] = new_block("segment");
    auto* nowhere = new_block("nowhere");
    auto* choice = builder_.CreateSwitch(function->getArg(2), nowhere);
    for (const std::uint32_t entry : entries)
        choice->addCase(builder_.getInt64(gcn::code_address(number, entry - part_begin_)),
                        blocks_[segment_at_[entry]]);
    builder_.SetInsertPoint(nowhere);
    builder_.CreateRet(builder_.CreateOr(function->getArg(2), builder_.getInt64(bad_address)));
    emit_segments(first, last + 1);
}

void Emitter::emit_dispatch(const std::vector<llvm::Function*>& parts) {
    auto* i32 = builder_.getInt32Ty();
    auto* i64 = builder_.getInt64Ty();
    Value* file = file_;
    auto *before = builder_.GetInsertBlock(), *next = new_block("next"), *bad = new_block("no_function"),
         *slice = new_block("out_of_fuel"), *finished = new_block("finished");
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
    auto* address = builder_.CreatePHI(i64, 2);
    auto* left = builder_.CreatePHI(i32, 2);
    address->addIncoming(builder_.getInt64(gcn::code_address(0)), before);
    left->addIncoming(builder_.getInt32(fuel), before);
    auto* choice = builder_.CreateSwitch(builder_.CreateLShr(address, gcn::code_address_shift), bad);
    auto* back = new_block("back");
    builder_.SetInsertPoint(back);
    auto* result = builder_.CreatePHI(i64, 2);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        auto* call = new_block("call");
        choice->addCase(
            builder_.getInt64(gcn::code_address(kernel_.code.parts[p].number) >> gcn::code_address_shift),
            call);
        builder_.SetInsertPoint(call);
        result->addIncoming(builder_.CreateCall(parts[p], {context_, file, address}), call);
        builder_.CreateBr(back);
    }
    choice->addCase(builder_.getInt64(no_address >> gcn::code_address_shift), finished);
    Value* site_at = nullptr;
    const auto last_site = [&] {
        site_at = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), file, site_offset_);
        return builder_.CreateLoad(i32, site_at);
    };
    builder_.SetInsertPoint(back);
    Value* fewer = builder_.CreateSub(left, builder_.getInt32(1));
    address->addIncoming(result, back);
    left->addIncoming(fewer, back);
    builder_.CreateCondBr(builder_.CreateICmpEQ(fewer, builder_.getInt32(0)), slice, next);
    builder_.SetInsertPoint(slice);
    call("lockstep_wave_slice", reinterpret_cast<void*>(&wave_slice), builder_.getVoidTy(),
         {context_, last_site()});
    address->addIncoming(result, slice);
    left->addIncoming(builder_.getInt32(fuel), slice);
    builder_.CreateBr(next);
    builder_.SetInsertPoint(bad);
    call("lockstep_wave_bad_call", reinterpret_cast<void*>(&wave_bad_call), builder_.getVoidTy(),
         {context_, last_site(), builder_.CreateAnd(address, builder_.getInt64(~bad_address))});
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(finished);
    builder_.CreateRet(builder_.getInt32(0));
}

void Emitter::emit_parts(const char* name) {
    auto* i64 = builder_.getInt64Ty();
    auto* type = llvm::FunctionType::get(i64, {builder_.getPtrTy(), builder_.getPtrTy(), i64}, false);
    std::vector<llvm::Function*> parts;
    for (std::size_t p = 0; p < kernel_.code.parts.size() && !failed(); ++p) {
        begin_function(type, llvm::Function::InternalLinkage, fmt::format("part.{}", p).c_str());
        parts.push_back(function_);
        emit_part(p, function_);
    }
    if (failed()) return;
    begin_function(start_type(), llvm::Function::ExternalLinkage, name);
    function_->addParamAttr(2, llvm::Attribute::ZExt);
    auto* memory = alloca_of(llvm::ArrayType::get(builder_.getInt8Ty(), file_bytes_), "registers");
    memory->setAlignment(llvm::Align(64));
    file_ = memory;
    set_up_registers();
    save_registers(true);
    emit_dispatch(parts);
}

}  // namespace lockstep::exec::wave
