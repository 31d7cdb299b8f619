#include "session/checker.h"

namespace lockstep::session {

Result<std::unique_ptr<Checker>> Checker::create(Process& process, const CheckOptions& options) {
    auto findings = check::Findings::open(options.file);
    if (!findings) return findings.error();
    return std::unique_ptr<Checker>(new Checker(process, options, std::move(*findings)));
}

Checker::Checker(Process& process, const CheckOptions& options, std::unique_ptr<check::Findings> findings)
    : process_(process),
      options_(options),
      findings_(std::move(findings)),
      host_(process, options, *findings_) {}

std::optional<exec::Fault> Checker::run(Device&, Function& function, const exec::Launch& launch) {
    return exec::run(*function.kernel, launch);
}

void Checker::finish(int status) {
    host_.finish(status);
    findings_->finish();
}

}  // namespace lockstep::session
