// lockstep-device: LLVM IR of device code in, PTX out. `lockstep` calls it; people who work on it may, too.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/ToolOutputFile.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <cstdlib>
#include <memory>

#include "device/cluster-dims.h"
#include "device/inlined-lines.h"
#include "device/options.h"
#include "device/pipeline.h"
#include "device/sink-conditions.h"
#include "ptx/producer.h"

namespace lockstep::device {
namespace {

constexpr const char* usage =
    "lockstep-device INPUT -o OUTPUT [--arch 90] [-O3] [--no-contract] [--division "
    "rounded|full-range|approximate]\n"
    "                [--relocatable] [--keep-statics] [--for-checks [--overflow]] [--passes TEXT] [--ir]\n"
    "LLVM IR of device code (clang -emit-llvm -Xclang -disable-llvm-passes) in, PTX out.\n"
    "  --relocatable  other files may call its functions\n"
    "  --passes TEXT  these instead of the level's, in opt's notation\n"
    "  --ir           write LLVM IR instead of PTX\n"
    "  --keep-statics static variables may be read and written from outside\n"
    "  --for-checks   reads of what nobody has written stay, and lines are those of the source;\n"
    "                 indices beyond an array are told, and with --overflow signed numbers that overflow\n";

[[noreturn]] void fail(const llvm::Twine& message) {
    llvm::errs() << "lockstep-device: " << message << '\n';
    std::exit(1);
}

Options parse(int count, char** values) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const llvm::StringRef argument = values[i];
        const auto value = [&]() -> llvm::StringRef {
            if (++i == count) fail(argument + " needs a value");
            return values[i];
        };
        if (argument == "-h" || argument == "--help") {
            llvm::outs() << usage;
            std::exit(0);
        }
        if (argument == "-o")
            options.output = value();
        else if (argument == "--arch") {
            if (value().getAsInteger(10, options.architecture)) fail("--arch: no number");
        } else if (argument.size() == 3 && argument.starts_with("-O") && argument[2] >= '0' &&
                   argument[2] <= '3')
            options.level = argument[2] - '0';
        else if (argument == "--no-contract")
            options.contract = false;
        else if (argument == "--relocatable")
            options.relocatable = true;
        else if (argument == "--division") {
            const llvm::StringRef name = value();
            if (name == "rounded")
                options.division = Division::rounded;
            else if (name == "full-range")
                options.division = Division::full_range;
            else if (name == "approximate")
                options.division = Division::approximate;
            else
                fail("--division " + name + ": rounded, full-range or approximate");
        } else if (argument == "--passes")
            options.passes = value();
        else if (argument == "--ir")
            options.ir = true;
        else if (argument == "--keep-statics")
            options.keep_statics = true;
        else if (argument == "--for-checks")
            options.for_checks = true;
        else if (argument == "--overflow")
            options.overflow = true;
        else if (!argument.starts_with("-") && options.input.empty())
            options.input = argument;
        else
            fail("unknown argument " + argument + "\n" + usage);
    }
    if (options.input.empty() || options.output.empty())
        fail(llvm::Twine("an input and -o are needed\n") + usage);
    return options;
}

std::unique_ptr<llvm::TargetMachine> make_target(const Options& options) {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    const std::string triple = "nvptx64-nvidia-cuda";
    std::string error;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target) fail(error);
    llvm::TargetOptions machine;
    machine.AllowFPOpFusion = options.contract ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
    const auto level = options.level == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
    // The PTX version that has every instruction our headers use.
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, "sm_" + std::to_string(options.architecture), "+ptx85", machine, {}, {}, level));
}

// The version of the clang that has parsed the module, which names itself there.
std::string parser_of(const llvm::Module& module) {
    const llvm::NamedMDNode* names = module.getNamedMetadata("llvm.ident");
    if (!names || names->getNumOperands() == 0) return "of an unknown version";
    const auto* name = llvm::dyn_cast<llvm::MDString>(names->getOperand(0)->getOperand(0));
    if (!name) return "of an unknown version";
    constexpr llvm::StringRef mark = "clang version ";
    const llvm::StringRef text = name->getString();
    const std::size_t at = text.find(mark);
    if (at == text.npos) return text.str();
    return text.substr(at + mark.size()).split(' ').first.str();
}

void write(llvm::Module& module, llvm::TargetMachine& target, const Options& options) {
    std::error_code error;
    llvm::ToolOutputFile file(options.output, error, llvm::sys::fs::OF_None);
    if (error) fail(llvm::Twine(options.output) + ": " + error.message());
    if (options.ir) {
        module.print(file.os(), nullptr);
    } else {
        keep_conditions(target, module);
        llvm::legacy::PassManager passes;
        // The printer of PTX seeks in its output.
        llvm::SmallString<0> text;
        llvm::raw_svector_ostream stream(text);
        if (target.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
            fail("no PTX");
        passes.run(module);
        file.os() << ptx::own_header({ptx::Producer::Kind::lockstep, LOCKSTEP_VERSION, parser_of(module),
                                      options.level != 0})
                  << with_inlined_lines(with_cluster_dims(std::string(text.str()), module), module);
    }
    file.os().close();
    if (file.os().has_error()) fail(llvm::Twine(options.output) + ": " + file.os().error().message());
    file.keep();
}

// Those that a file's functions share; what is static in a function has no name that anybody could know.
void keep_statics(llvm::Module& module) {
    for (llvm::GlobalVariable& variable : module.globals())
        if (variable.hasInternalLinkage() && !variable.isConstant() && variable.getName().starts_with("_ZL"))
            variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
}

int run(int count, char** values) {
    const Options options = parse(count, values);
    const auto target = make_target(options);
    set_pass_options(options);
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    const auto module = llvm::parseIRFile(options.input, diagnostic, context);
    if (!module) {
        diagnostic.print("lockstep-device", llvm::errs());
        return 1;
    }
    if (options.keep_statics) keep_statics(*module);
    if (const std::string error = optimise(*module, *target, options); !error.empty()) fail(error);
    write(*module, *target, options);
    return 0;
}

}  // namespace
}  // namespace lockstep::device

int main(int count, char** values) { return lockstep::device::run(count, values); }
