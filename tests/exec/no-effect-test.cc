// Instructions that a program may hold and that change nothing it sees.
#include "kernel-run.h"

namespace lockstep::exec {
namespace {

using NoEffect = KernelRun;

TEST_F(NoEffect, HintsToTheHardware) {
    for (const char* hint : {"setmaxnreg.inc.sync.aligned.u32 240;", "setmaxnreg.dec.sync.aligned.u32 40;",
                             "griddepcontrol.wait;", "griddepcontrol.launch_dependents;", "pmevent 3;"}) {
        EXPECT_EQ(run(std::string(hint) + " st.global.u32 [%rd1], 5; ret;").text(), "") << hint;
        EXPECT_EQ(word(0), 5u) << hint;
    }
}

}  // namespace
}  // namespace lockstep::exec
