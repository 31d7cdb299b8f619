// How a program ends of which lockstep could not do something, where it would have ended with 0.
#pragma once

namespace lockstep::base {

// What "lockstep itself could not do it" is: 125, as for docker, env, nice and timeout; git bisect skips such
// commits.
constexpr int exit_status_lacking = 125;

}  // namespace lockstep::base
