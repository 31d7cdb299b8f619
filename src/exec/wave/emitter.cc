#include "exec/wave/emitter.h"

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>

#include "exec/warp-context.h"
#include "exec/wave/calls.h"
#include "exec/wave/service.h"
#include "gcn/segments.h"

namespace lockstep::exec::wave {
namespace {

using Kind = gcn::Operand::Kind;

// Jumps back before a wavefront lets others run: a loop may wait for them.
constexpr std::uint32_t fuel = 4096;

}  // namespace

Emitter::Emitter(llvm::Module& module, const gcn::Module& code, const gcn::Kernel& kernel,
                 const Symbols& symbols, jit::TargetInfo target, bool counts, bool records)
    : module_(module),
      llvm_(module.getContext()),
      builder_(module.getContext()),
      code_(code),
      kernel_(kernel),
      symbols_(symbols),
      target_(target),
      counts_(counts),
      records_(records),
      lanes_(code.wave_lanes) {}

llvm::AllocaInst* Emitter::alloca_of(llvm::Type* type, const char* name) {
    llvm::IRBuilder<> at(entry_, entry_->begin());
    return at.CreateAlloca(type, nullptr, name);
}

llvm::BasicBlock* Emitter::new_block(const char* name) {
    return llvm::BasicBlock::Create(llvm_, name, function_);
}

void Emitter::fail(const Inst& inst, const std::string& why) {
    if (error_) return;
    std::string place;
    if (inst.source >= 0) {
        const gcn::SourceLine& line = code_.lines[static_cast<std::size_t>(inst.source)];
        if (line.file >= 0 && static_cast<std::size_t>(line.file) < code_.files.size())
            place = fmt::format(", {}:{}", code_.files[static_cast<std::size_t>(line.file)], line.line);
    }
    error_ = Error{fmt::format("{} (line {} of the assembly{})", why, inst.text_line, place), {}};
}

void Emitter::count_registers() {
    const auto vgprs = static_cast<std::size_t>(kernel_.described("next_free_vgpr", 256));
    vector_count_ = std::min<std::size_t>(std::max<std::size_t>(vgprs, service_registers), 512);
    for (const Inst& inst : kernel_.code.instructions)
        for (const Op& op : inst.operands) {
            const std::size_t end = std::size_t{op.first} + op.count;
            if (op.kind == Kind::vector) vector_count_ = std::max(vector_count_, end);
            if (op.kind == Kind::accumulator) accumulator_count_ = std::max(accumulator_count_, end);
        }
}

void Emitter::make_registers() {
    auto* i32 = builder_.getInt32Ty();
    vectors_.clear(), accumulators_.clear();
    const auto make = [&](std::vector<llvm::AllocaInst*>& all, std::size_t count, const char* name) {
        for (std::size_t i = 0; i < count; ++i) {
            all.push_back(alloca_of(vector_of(i32), name));
            builder_.CreateStore(llvm::Constant::getNullValue(vector_of(i32)), all.back());
        }
    };
    make(vectors_, vector_count_, "v");
    make(accumulators_, accumulator_count_, "a");
    for (auto& scalar : scalars_) {
        scalar = alloca_of(i32, "s");
        builder_.CreateStore(builder_.getInt32(0), scalar);
    }
    exec_ = alloca_of(builder_.getInt64Ty(), "exec");
    vcc_ = alloca_of(builder_.getInt64Ty(), "vcc");
    scc_ = alloca_of(builder_.getInt1Ty(), "scc");
    m0_ = alloca_of(i32, "m0");
    fuel_ = alloca_of(i32, "fuel");
    builder_.CreateStore(builder_.getInt64(0), vcc_);
    builder_.CreateStore(builder_.getFalse(), scc_);
    builder_.CreateStore(builder_.getInt32(~0u), m0_);
    builder_.CreateStore(builder_.getInt32(fuel), fuel_);
}

// What the hardware puts into registers before a wavefront begins, as the kernel's descriptor asks for it.
void Emitter::set_up_registers() {
    auto* i32 = builder_.getInt32Ty();
    auto* i64 = builder_.getInt64Ty();
    builder_.CreateStore(context_field(offsetof(WarpContext, lanes), i64), exec_);
    Value* params = context_field(offsetof(WarpContext, params), i64);
    std::uint32_t next = 0;
    const auto asks = [&](const char* key) { return kernel_.described(key) != 0; };
    const auto put64 = [&](Value* value) {
        set_register32(next, half_of(value, 0));
        set_register32(next + 1, half_of(value, 1));
        next += 2;
    };
    if (asks("user_sgpr_private_segment_buffer")) next += 4;  // zeros: offsets in it are a lane's own
    if (asks("user_sgpr_dispatch_ptr"))
        put64(builder_.CreateAdd(params, builder_.getInt64(dispatch_packet_offset(kernel_))));
    if (asks("user_sgpr_queue_ptr")) next += 2;
    if (asks("user_sgpr_kernarg_segment_ptr")) put64(params);
    if (asks("user_sgpr_dispatch_id")) next += 2;
    if (asks("user_sgpr_flat_scratch_init")) next += 2;
    if (asks("user_sgpr_private_segment_size")) {
        set_register32(next, context_field(offsetof(WarpContext, local_bytes), i32));
        next += 1;
    }
    next = std::max(next, static_cast<std::uint32_t>(kernel_.described("user_sgpr_count", next)));
    const char* const ids[] = {"system_sgpr_workgroup_id_x", "system_sgpr_workgroup_id_y",
                               "system_sgpr_workgroup_id_z"};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (kernel_.described(ids[axis], axis == 0) != 0)
            set_register32(next++,
                           context_field(offsetof(WarpContext, block) + axis * sizeof(std::uint32_t), i32));
    // The offset of a wavefront's scratch memory follows, and is 0 as the buffer's address is.

    Value* threads[3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Value* table =
            context_field(offsetof(WarpContext, thread) + axis * sizeof(void*), builder_.getPtrTy());
        threads[axis] = builder_.CreateAlignedLoad(vector_of(i32), table, llvm::Align(4));
    }
    if (packs_thread_numbers(code_.target)) {
        Value* packed = builder_.CreateOr(threads[0], builder_.CreateShl(threads[1], number32(10)));
        packed = builder_.CreateOr(packed, builder_.CreateShl(threads[2], number32(20)));
        builder_.CreateStore(packed, vectors_[0]);
    } else {
        const auto most = static_cast<std::size_t>(kernel_.described("system_vgpr_workitem_id"));
        for (std::size_t axis = 0; axis <= std::min<std::size_t>(most, 2); ++axis)
            builder_.CreateStore(threads[axis], vectors_[axis]);
    }
}

Result<void> Emitter::run(const char* name) {
    const std::vector<Inst>& code = kernel_.code.instructions;
    segments_ = gcn::segments_of(kernel_.code);
    if (segments_.empty()) return Error{fmt::format("kernel {} has no instructions", kernel_.code.name), {}};
    segment_at_.resize(code.size());
    blocks_.resize(segments_.size());
    for (std::uint32_t s = 0; s < segments_.size(); ++s)
        for (std::uint32_t i = 0; i < segments_[s].count; ++i) segment_at_[segments_[s].first + i] = s;
    count_registers();
    kernel_.code.jumps_by_register ? emit_parts(name) : emit_whole(name);
    if (error_) return *error_;
    return {};
}

void Emitter::begin_function(llvm::FunctionType* type, llvm::GlobalValue::LinkageTypes linkage,
                             const char* name) {
    function_ = llvm::Function::Create(type, linkage, name, module_);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    context_ = function_->getArg(0);
    arrays_.clear();
    entry_ = new_block("entry");
    builder_.SetInsertPoint(entry_);
    make_registers();
}

llvm::FunctionType* Emitter::start_type() {
    auto* i32 = builder_.getInt32Ty();
    return llvm::FunctionType::get(i32, {builder_.getPtrTy(), i32, builder_.getInt1Ty()}, false);
}

void Emitter::emit_whole(const char* name) {
    part_begin_ = 0, part_end_ = static_cast<std::uint32_t>(kernel_.code.instructions.size());
    begin_function(start_type(), llvm::Function::ExternalLinkage, name);
    function_->addParamAttr(2, llvm::Attribute::ZExt);
    set_up_registers();
    for (auto& block : blocks_) block = new_block("segment");
    builder_.CreateBr(blocks_[0]);
    emit_segments(0, static_cast<std::uint32_t>(segments_.size()));
}

void Emitter::emit_counts(std::uint32_t segment) {
    Value* counts = context_field(offsetof(WarpContext, wave_counts), builder_.getPtrTy());
    Value* at = builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), counts, 2 * segment);
    const auto add = [&](Value* to, Value* what) {
        builder_.CreateStore(builder_.CreateAdd(builder_.CreateLoad(builder_.getInt64Ty(), to), what), to);
    };
    add(at, builder_.getInt64(1));
    Value* lanes_at = builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), at, 1);
    add(lanes_at, builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, exec()));
}

void Emitter::emit_segments(std::uint32_t begin, std::uint32_t end) {
    const std::vector<Inst>& code = kernel_.code.instructions;
    for (std::uint32_t s = begin; s < end && !failed(); ++s) {
        builder_.SetInsertPoint(blocks_[s]);
        if (counts_) emit_counts(s);
        // Most of the time all lanes run: a copy for that has no masks.
        int writes = 0;
        for (std::uint32_t i = 0; i < segments_[s].count; ++i)
            writes += gcn::unit_of(code[segments_[s].first + i]) == gcn::Unit::valu;
        if (writes >= 2) {
            auto *all = new_block("all"), *some = new_block("some");
            Value* every = builder_.getInt64(lanes_ == 64 ? ~0ull : (1ull << lanes_) - 1);
            builder_.CreateCondBr(builder_.CreateICmpEQ(exec(), every), all, some);
            builder_.SetInsertPoint(all);
            emit_segment(s, true);
            builder_.SetInsertPoint(some);
        }
        emit_segment(s, false);
    }
}

void Emitter::emit_segment(std::uint32_t segment, bool full) {
    full_ = full, ended_ = false;
    const gcn::Segment& range = segments_[segment];
    for (std::uint32_t i = 0; i < range.count && !failed() && !ended_; ++i) {
        position_ = range.first + i;
        next_array_ = 0;
        emit(kernel_.code.instructions[position_]);
    }
    if (ended_ || failed()) return;
    if (range.first + range.count < part_end_)
        builder_.CreateBr(blocks_[segment + 1]);
    else
        end_program();  // code that does not end is not reached
}

bool Emitter::emitted(const Inst& inst) {
    return emit_control(*this, inst) || emit_scalar(*this, inst) || emit_memory(*this, inst) ||
           emit_lds(*this, inst) || emit_matrix(*this, inst) || emit_lanes(*this, inst) ||
           emit_compare(*this, inst) || emit_convert(*this, inst) || emit_integer(*this, inst) ||
           emit_floating(*this, inst) || emit_mixed(*this, inst);
}

void Emitter::emit(const Inst& inst) {
    kept_ = nullptr;
    const bool had_error = failed();
    try {
        if (!emitted(inst)) fail(inst, fmt::format("the instruction {} is not supported", inst.name));
    } catch (const std::out_of_range&) {
        fail(inst, fmt::format("{} has too few operands", inst.name));
    }
    if (!had_error && error_ && error_->message.starts_with("internal error: ")) {
        const std::string what = error_->message;
        error_.reset();
        fail(inst, fmt::format("{}: {}", inst.name, what));
    }
}

// ---- control ----

llvm::BasicBlock* Emitter::target(const Inst& inst, const Op& label) {
    const auto found = kernel_.code.labels.find(label.name);
    if (found == kernel_.code.labels.end() || found->second < part_begin_ || found->second >= part_end_) {
        fail(inst, fmt::format("there is no label '{}'", label.name));
        return nullptr;
    }
    llvm::BasicBlock* to = blocks_[segment_at_[found->second]];
    if (found->second > position_) return to;
    // Backwards: others get their turn, and the watchdog is heard.
    llvm::IRBuilder<>::InsertPointGuard here(builder_);
    auto *back = new_block("back"), *out = new_block("out_of_fuel");
    builder_.SetInsertPoint(back);
    Value* left = builder_.CreateSub(builder_.CreateLoad(builder_.getInt32Ty(), fuel_), builder_.getInt32(1));
    builder_.CreateStore(left, fuel_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(left, builder_.getInt32(0)), out, to);
    builder_.SetInsertPoint(out);
    builder_.CreateStore(builder_.getInt32(fuel), fuel_);
    call("lockstep_wave_slice", reinterpret_cast<void*>(&wave_slice), builder_.getVoidTy(),
         {context_, builder_.getInt32(site(inst, kernel::SiteKind::none, ptx::Space::none, 0))});
    builder_.CreateBr(to);
    return back;
}

void Emitter::jump(const Inst&, llvm::BasicBlock* to) {
    if (to) builder_.CreateBr(to);
    ended_ = true;
}

void Emitter::branch(const Inst& inst, Value* condition, llvm::BasicBlock* to) {
    if (!to) return;
    const std::uint32_t next = position_ + 1;
    if (next >= part_end_) return fail(inst, "the code ends behind a branch");
    builder_.CreateCondBr(condition, to, blocks_[segment_at_[next]]);
    ended_ = true;
}

void Emitter::end_program() {
    builder_.CreateRet(file_ ? builder_.getInt64(no_address) : builder_.getInt32(0));
    ended_ = true;
}

// ---- calls ----

Emitter::Value* Emitter::context_field(std::size_t offset, llvm::Type* type) {
    return builder_.CreateLoad(type,
                               builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), context_, offset));
}

Emitter::Value* Emitter::array(int words) {
    const int key = next_array_++ * 64 + words;
    llvm::AllocaInst*& memory = arrays_[key];
    if (!memory) {
        memory = alloca_of(llvm::ArrayType::get(builder_.getInt32Ty(),
                                                static_cast<unsigned>(words) * static_cast<unsigned>(lanes_)),
                           "lanes");
        memory->setAlignment(llvm::Align(64));
    }
    return memory;
}

Emitter::Value* Emitter::stored(Value* vector) {
    const int words = static_cast<int>(std::max(32u, vector->getType()->getScalarSizeInBits()) / 32);
    Value* memory = array(words);
    builder_.CreateAlignedStore(vector, memory, llvm::Align(64));
    return memory;
}

Emitter::Value* Emitter::call(const char* name, void* address, llvm::Type* result,
                              std::vector<Value*> arguments) {
    externals_[name] = address;
    std::vector<llvm::Type*> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    auto* type = llvm::FunctionType::get(result, types, false);
    auto callee = module_.getOrInsertFunction(name, type);
    return builder_.CreateCall(callee, arguments);
}

std::uint32_t Emitter::site(const Inst& inst, kernel::SiteKind kind, ptx::Space space, int bytes) {
    kernel::Site site;
    site.ptx_line = inst.text_line;
    site.source = inst.source;
    site.block = segment_at_[position_];
    site.instruction = position_ - segments_[site.block].first;
    site.bytes = bytes;
    site.kind = kind;
    site.space = space;
    sites_.push_back(site);
    return static_cast<std::uint32_t>(sites_.size() - 1);
}

}  // namespace lockstep::exec::wave
