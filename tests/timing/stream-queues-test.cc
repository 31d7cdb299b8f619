// Hardware queues: what was measured on an H200 with 1, 8 and 32 of them (bench/hardware/h200,
// concurrency-N.csv), and Fermi's one.
#include <gtest/gtest.h>

#include "timing/stream-machine.h"

namespace lockstep::timing {
namespace {

enum class Issue { depth_first, breadth_first };

// Kernels of one block and 200 us, `deep` in each of `count` streams, as bench/hardware/launch.cu has them.
double issue(Program& program, Issue order, int count, int deep = 4) {
    std::vector<StreamId> streams;
    for (int i = 0; i < count; ++i) streams.push_back(program.stream());
    for (int k = 0; k < count * deep; ++k)
        program.kernel(streams[static_cast<std::size_t>(order == Issue::depth_first ? k / deep : k % count)],
                       200);
    program.finish();
    return program.total();
}

struct Measured {
    int connections;
    Issue order;
    int streams;
    double us;
};

void PrintTo(const Measured& m, std::ostream* out) {
    *out << m.connections << " connections, " << m.streams << " streams, "
         << (m.order == Issue::depth_first ? "depth first" : "breadth first");
}

class Connections : public testing::TestWithParam<Measured> {};

TEST_P(Connections, AsMeasured) {
    const Measured& m = GetParam();
    Program program(h200(), m.connections);
    EXPECT_NEAR(issue(program, m.order, m.streams), m.us, 0.07 * m.us);
}

INSTANTIATE_TEST_SUITE_P(
    H200, Connections,
    testing::Values(Measured{1, Issue::depth_first, 2, 1411}, Measured{1, Issue::depth_first, 4, 2622},
                    Measured{1, Issue::depth_first, 8, 5045}, Measured{1, Issue::depth_first, 16, 9890},
                    Measured{1, Issue::breadth_first, 16, 862}, Measured{8, Issue::depth_first, 8, 944},
                    Measured{8, Issue::depth_first, 16, 1559}, Measured{8, Issue::breadth_first, 16, 865},
                    Measured{32, Issue::depth_first, 8, 936}, Measured{32, Issue::depth_first, 16, 1090},
                    Measured{32, Issue::breadth_first, 8, 847}, Measured{32, Issue::breadth_first, 16, 895}));

TEST(HardwareQueues, MostKernelsAtOnceIs128) {
    // 128 kernels of 2 ms: 2.55 ms; 160: 4.12 ms.
    for (const auto& [kernels, us] : {std::pair{128, 2547.0}, std::pair{160, 4124.0}}) {
        Program program(h200());
        for (int i = 0; i < kernels; ++i) program.kernel(program.stream(), 2000);
        program.finish();
        EXPECT_NEAR(program.total(), us, 0.05 * us) << kernels;
    }
}

TEST(HardwareQueues, FermiHasOneWhateverIsAskedFor) {
    Program deep(fermi(), 32), broad(fermi(), 32);
    EXPECT_EQ(deep.timeline.hardware_queues(), 1);
    EXPECT_NEAR(issue(deep, Issue::depth_first, 4), 13 * (200 + fermi().timing.kernel_overhead_us), 20);
    EXPECT_NEAR(issue(broad, Issue::breadth_first, 4), 4 * (200 + fermi().timing.kernel_overhead_us), 25);
}

TEST(HardwareQueues, FalseSerialisationIsNamed) {
    Program program(fermi());
    const StreamId a = program.stream(), b = program.stream();
    program.kernel(a, 200);
    const OperationId second = program.kernel(a, 200);
    const OperationId other = program.kernel(b, 200);
    program.finish();
    // It could have run at once, and waited for the second kernel of the other stream to begin.
    EXPECT_EQ(program.placed[other].behind, second);
    EXPECT_NEAR(program.placed[other].queue_blocked / 1000,
                program.begin(other) - program.placed[other].ready / 1000, 0.01);
    EXPECT_GT(program.placed[other].queue_blocked, 150e3);
    EXPECT_EQ(program.begin(other), program.begin(second));
    EXPECT_EQ(program.placed[second].queue_blocked, 0) << "it waits for its own stream";

    Program kepler(h200());
    const StreamId c = kepler.stream(), d = kepler.stream();
    kepler.kernel(c, 200);
    kepler.kernel(c, 200);
    const OperationId free = kepler.kernel(d, 200);
    kepler.finish();
    EXPECT_EQ(kepler.placed[free].queue_blocked, 0);
    EXPECT_EQ(kepler.placed[free].behind, 0u);
}

TEST(HardwareQueues, EachEngineHasItsOwn) {
    // On Fermi, copies do not stand in the kernels' queue.
    Program program(fermi());
    const StreamId a = program.stream(), b = program.stream();
    const OperationId kernel = program.kernel(a, 2000);
    program.kernel(a, 2000);
    const OperationId copy = program.copy(OperationKind::copy_to_device, b, 1 << 20);
    program.finish();
    EXPECT_TRUE(program.overlap(kernel, copy));
}

TEST(HardwareQueues, StreamsAreDealtOutInTurn) {
    Program program(h200(), 4);
    std::vector<OperationId> kernels;
    for (int i = 0; i < 9; ++i) kernels.push_back(program.kernel(program.stream(), 10));
    program.finish();
    for (std::size_t i = 0; i + 4 < kernels.size(); ++i)
        EXPECT_EQ(program.placed[kernels[i]].queue, program.placed[kernels[i + 4]].queue);
    EXPECT_NE(program.placed[kernels[0]].queue, program.placed[kernels[1]].queue);
}

TEST(HardwareQueues, SamePlacementEveryTime) {
    Program first(h200()), second(h200());
    issue(first, Issue::depth_first, 12);
    issue(second, Issue::depth_first, 12);
    for (const auto& [id, placement] : first.placed) {
        EXPECT_EQ(placement.begin, second.placed[id].begin);
        EXPECT_EQ(placement.end, second.placed[id].end);
    }
}

TEST(HardwareQueues, MemoryStaysBounded) {
    // The host waits when too much is on its way.
    Program program(h200());
    const StreamId stream = program.stream();
    for (int i = 0; i < 3000; ++i) program.kernel(stream, 100);
    EXPECT_GE(program.placed.size(), 3000u - 1024);
    EXPECT_GT(program.host(), 1900 * 101.6);
}

}  // namespace
}  // namespace lockstep::timing
