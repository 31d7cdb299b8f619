// What the units of an SM cost (machine/units.def) on one GPU.
#pragma once
#include "gpu/model.h"
#include "machine/opcode.h"

namespace lockstep::timing {

// Cycles until a result can be used; 0 where the unit's own model decides.
int latency_of(machine::Unit unit, const gpu::TimingFigures& figures);

// Cycles between two warps that one scheduler sends there; 0 where the unit has no pipe in a scheduler.
double issue_interval(machine::Unit unit, const gpu::GpuModel& gpu);

}  // namespace lockstep::timing
