// From what the programs of bench/hardware recorded on a GPU to the figures of its model.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "gpu/model-rewriting.h"
#include "measure/recordings.h"

namespace lockstep::measure {

struct Calibration {
    std::vector<gpu::NewFigure> figures;  // with the file and what in it
    std::vector<std::string> missing;     // "pipes.xu.latency (arithmetic.csv)": figures it has no rows for
};

Calibration calibrate(const Recordings& recordings);

// Figures of another GPU's model that those measured contradict, made to agree: a chip has no fewer SMs than
// its product.
void agree(std::vector<gpu::NewFigure>& figures, const gpu::GpuModel& base);

// What a model says of itself, of relative errors of launches' times: "mean error of time 5 % over 53
// launches, worst -12 %".
std::string validation_text(std::span<const double> errors);

}  // namespace lockstep::measure
