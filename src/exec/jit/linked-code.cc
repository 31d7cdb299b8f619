#include "exec/jit/linked-code.h"

#include <fmt/format.h>

namespace lockstep::exec::jit {
namespace {

namespace orc = llvm::orc;

Error from_llvm(llvm::Error error, const char* what) {
    return Error{fmt::format("{}: {}", what, llvm::toString(std::move(error))), {}};
}

}  // namespace

Result<void> LinkedCode::link(orc::JITTargetMachineBuilder target, const std::string& object,
                              const SymbolAddresses& symbols) {
    // Nothing is looked up in the process: `symbols` is complete.
    auto made = orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(target))
                    .setLinkProcessSymbolsByDefault(false)
                    .setPlatformSetUp(orc::setUpInactivePlatform)
                    .create();
    if (!made) return from_llvm(made.takeError(), "cannot start the compiler");
    jit = std::move(*made);
    orc::SymbolMap addresses;
    for (const auto& [name, address] : symbols)
        addresses[jit->mangleAndIntern(name)] = {
            orc::ExecutorAddr::fromPtr(address),
            llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    if (auto error = jit->getMainJITDylib().define(orc::absoluteSymbols(std::move(addresses))))
        return from_llvm(std::move(error), "internal error: symbols");
    if (auto error = jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, "kernel")))
        return from_llvm(std::move(error), "internal error: object");
    auto start = jit->lookup(start_name);
    if (!start) return from_llvm(start.takeError(), "cannot link the kernel");
    function = start->toPtr<WarpFunction>();
    return {};
}

}  // namespace lockstep::exec::jit
