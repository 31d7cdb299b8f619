#include "session/code-origin.h"

#include "compile/version.h"
#include "gcn/parse.h"
#include "ptx/producer.h"

namespace lockstep::session {
namespace {

// What was found for this compiler's code. Of our own, only this version was compared; nvcc's has hardly
// changed.
std::string validated(const ptx::Producer& producer, const gpu::GpuModel& gpu) {
    using Kind = ptx::Producer::Kind;
    if (!producer.optimised) return {};
    if (producer.kind == Kind::nvcc) return gpu.timing.validated.nvcc;
    if (producer.kind == Kind::lockstep && producer.version == compile::version())
        return gpu.timing.validated.lockstep;
    return {};
}

}  // namespace

report::CodeOrigin code_origin(std::string_view ptx, const gpu::GpuModel& gpu) {
    // Predictions of AMD's GPUs were compared with none.
    if (gcn::is_assembly(ptx)) return {gcn::producer_of(ptx), true, {}};
    std::vector<ptx::Producer> producers = ptx::producers_of(ptx);
    if (producers.empty()) producers.emplace_back();
    report::CodeOrigin origin{producers[0].to_string(), producers[0].optimised, validated(producers[0], gpu)};
    for (std::size_t i = 1; i < producers.size(); ++i) {
        origin.compiler += " and " + producers[i].to_string();
        origin.optimised &= producers[i].optimised;
        origin.validated.clear();  // such a mixture was never compared
    }
    return origin;
}

}  // namespace lockstep::session
