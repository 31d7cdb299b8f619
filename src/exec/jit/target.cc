#include "exec/jit/target.h"

#include <fmt/format.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <mutex>
#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace lockstep::exec::jit {
namespace {

namespace orc = llvm::orc;

Result<orc::JITTargetMachineBuilder> this_machine(const std::string& cpu) {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });
    auto host = orc::JITTargetMachineBuilder::detectHost();
    if (!host)
        return Error{fmt::format("cannot compile for this machine: {}", llvm::toString(host.takeError())),
                     {}};
    if (!cpu.empty()) {
        host->setCPU(cpu);
        host->getFeatures() = llvm::SubtargetFeatures();
    } else if (const auto& found = host->getFeatures().getFeatures();
               host->getTargetTriple().isAArch64() && std::ranges::find(found, "+sve") == found.end()) {
        // A virtual machine may hide what the CPU's name implies.
        host->addFeatures({"-sve", "-sve2"});
    }
#if defined(__aarch64__)
    // A CPU's name implies what the kernel may have switched off (virtual machines often hide SVE).
    if (!(getauxval(AT_HWCAP) & HWCAP_SVE))
        for (const char* feature : {"sve", "sve2"}) host->getFeatures().AddFeature(feature, false);
#endif
    return std::move(*host);
}

Result<orc::JITTargetMachineBuilder> other_machine(const std::string& triple, const std::string& cpu) {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeAllTargetInfos();
        llvm::InitializeAllTargets();
        llvm::InitializeAllTargetMCs();
        llvm::InitializeAllAsmPrinters();
    });
    std::string problem;
    if (!llvm::TargetRegistry::lookupTarget(triple, problem))
        return Error{fmt::format("cannot compile for {}: {}", triple, problem), {}};
    orc::JITTargetMachineBuilder other{llvm::Triple(triple)};
    other.setCPU(cpu);
    return other;
}

}  // namespace

Result<orc::JITTargetMachineBuilder> find_target(const std::string& triple, const std::string& cpu) {
    auto target = triple.empty() ? this_machine(cpu) : other_machine(triple, cpu);
    if (!target) return target.error();
    target->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
    // Small code, and functions of the process wherever they are: what LLVM's linker for JITs takes.
    target->setCodeModel(llvm::CodeModel::Small);
    target->setRelocationModel(llvm::Reloc::PIC_);
    return target;
}

TargetInfo describe(const llvm::TargetMachine& machine) {
    TargetInfo info;
    const llvm::Triple& triple = machine.getTargetTriple();
    info.aarch64 = triple.isAArch64();
    if (triple.isX86()) {
        info.streamed_stores = true;
        std::unique_ptr<llvm::MCSubtargetInfo> features(machine.getTarget().createMCSubtargetInfo(
            triple.str(), machine.getTargetCPU(), machine.getTargetFeatureString()));
        info.mask_registers = features->checkFeatures("+avx512f,+avx512bw,+avx512vl");
        info.masked_stores = info.mask_registers || features->checkFeatures("+avx2");
    }
    return info;
}

}  // namespace lockstep::exec::jit
