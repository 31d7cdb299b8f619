// Another block shape under an unchanged program: LOCKSTEP_BLOCK, which `lockstep sweep --block` sets.
#pragma once
#include "gpu/block-limits.h"
#include "session/launch-check.h"

namespace lockstep::session {

// The launch with blocks of this shape over the same extents (grid times block in each dimension). Where a
// block's extent does not divide the launch's, the last blocks reach beyond it, and more threads run than the
// program asked for. No extent of `block` may be 0.
LaunchShape with_block(const LaunchShape& asked, const gpu::Dimensions& block);

}  // namespace lockstep::session
