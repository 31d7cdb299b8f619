#include "shared-suites.h"

#include <gtest/gtest.h>

namespace lockstep::validation {
namespace {

// Empty where the run failed, and so did the test.
Suite run(const std::string& recording, DeviceCode code, Size size) {
    auto suite = run_suite(recording, code, size);
    if (!suite) ADD_FAILURE() << suite.error().to_string();
    return suite ? std::move(*suite) : Suite{};
}

}  // namespace

const Suite& measured() {
    static const Suite suite = run("h200.csv", DeviceCode::nvcc, Size::timed);
    return suite;
}
const Suite& probes() {
    static const Suite suite = run("h200-probes.csv", DeviceCode::nvcc, Size::measured);
    return suite;
}
const Suite& our_measured() {
    static const Suite suite = run("h200.csv", DeviceCode::lockstep, Size::quick);
    return suite;
}
const Suite& our_probes() {
    static const Suite suite = run("h200-probes.csv", DeviceCode::lockstep, Size::measured);
    return suite;
}

}  // namespace lockstep::validation
