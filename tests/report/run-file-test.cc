#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>

#include "report/run-schema.h"
#include "sample.h"

namespace lockstep::report {
namespace {

namespace fs = std::filesystem;

std::vector<StoredLaunch> launches(const RunFile& run) {
    std::vector<StoredLaunch> result;
    EXPECT_TRUE(run.each_launch([&](const StoredLaunch& launch) { result.push_back(launch); }));
    return result;
}

TEST(RunFile, KeepsWhatWasWritten) {
    Folder folder;
    const RunFile run = open_run(sample_run(folder));
    EXPECT_EQ(run.info, sample_info());
    EXPECT_TRUE(run.complete());
    EXPECT_FALSE(run.launches_missing);
    EXPECT_TRUE(run.failures.empty());
    ASSERT_EQ(run.metrics.size(), 5u);
    EXPECT_EQ(run.metric("gld_efficiency"), run.metric("ld.pct"));
    EXPECT_EQ(run.metric("nonsense"), std::nullopt);

    ASSERT_EQ(run.kernels.size(), 2u);
    const KernelResult& first = run.kernels[0];
    EXPECT_EQ(first.name, "neighbored(int *, unsigned int)");
    EXPECT_EQ(first.launches, 2u);
    EXPECT_EQ(first.kept, 2u);
    EXPECT_EQ(first.metrics[0], (Aggregate{2, 1000, 3000, 4000}));
    EXPECT_EQ(first.metrics[1], (Aggregate{2, 25, 25.5, 50.5}));
    EXPECT_EQ(first.metrics[2].count, 0u);
    EXPECT_EQ(run.kernels[1].metrics[1].count, 0u);

    const auto rows = launches(run);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1].launch.kernel, "void unrolling<2>(int *)");
    EXPECT_EQ(rows[1].launch.grid, (std::array<std::uint32_t, 3>{32, 2, 1}));
    EXPECT_EQ(rows[1].launch.bound, "dram_bandwidth");
    EXPECT_EQ(rows[1].launch.fault, "");
    EXPECT_EQ(rows[1].launch.values[0], 500);
    EXPECT_EQ(rows[1].launch.values[1], std::nullopt);
    EXPECT_EQ(rows[2].launch.values[1], 25.5);
    EXPECT_EQ(rows[0].process, getpid());

    auto instructions = run.instructions(first.id);
    ASSERT_TRUE(instructions);
    ASSERT_EQ(instructions->size(), 2u);
    EXPECT_EQ((*instructions)[0].sectors, 1600u);
    EXPECT_EQ((*instructions)[0].ideal_sectors, 800u);
    EXPECT_EQ((*instructions)[1].divergent_branches, 50u);
    EXPECT_EQ((*instructions)[1].machine, "BRA");
    EXPECT_EQ(cycles_of((*instructions)[0], timing::WarpState::long_scoreboard), 1200u);
    EXPECT_EQ(total((*instructions)[1].warp_cycles), 600u);
    EXPECT_EQ(total(first.warp_cycles), 2000u);
    EXPECT_EQ(first.bounds, (std::vector<BoundLaunches>{{timing::Bound::dram_bandwidth, 2}}));
}

TEST(RunFile, KeepsWhatWasLeftOut) {
    Folder folder;
    auto writer = RunWriter::open(folder / "run", sample_info(), sample_metrics());
    ASSERT_TRUE(writer);
    EXPECT_TRUE((*writer)->leave_out("copy(int *)", 1));
    EXPECT_TRUE((*writer)->leave_out("add(int *)", 1));
    EXPECT_TRUE((*writer)->leave_out("add(int *)", 4));
    const RunFile run = open_run(folder / "run");
    EXPECT_TRUE(run.kernels.empty());
    EXPECT_EQ(run.left_out, (std::vector<LeftOut>{{"add(int *)", 5}, {"copy(int *)", 1}}));
    EXPECT_EQ(left_out_note(run),
              "not profiled, as was asked for: 5 launches of add(int *), 1 launch of copy(int *)");
}

TEST(RunFile, KeepsTimes) {
    Folder folder;
    const RunFile run = open_run(traced_run(folder));
    const auto activities = run.activities();
    ASSERT_TRUE(activities);
    ASSERT_EQ(activities->size(), 3u);
    EXPECT_EQ((*activities)[0].name, "[CUDA memcpy HtoD]");
    EXPECT_EQ((*activities)[0].bytes, 4096u);
    EXPECT_EQ((*activities)[0].source, "Pageable");
    EXPECT_EQ((*activities)[1].trace.block, (std::array<std::uint32_t, 3>{128, 1, 1}));
    EXPECT_EQ((*activities)[1].trace.registers, 16u);
    EXPECT_TRUE((*activities)[1].is_kernel());
    const auto calls = run.calls();
    ASSERT_TRUE(calls);
    ASSERT_EQ(calls->size(), 2u);
    EXPECT_EQ((*calls)[1].function, "cudaLaunchKernel");
    // Sums of several processes, and of several times that one writes, come together.
    const auto totals = run.activity_totals();
    ASSERT_TRUE(totals);
    ASSERT_EQ(totals->size(), 2u);
    EXPECT_EQ((*totals)[0].name, "scale(const float *, float *)");
    EXPECT_EQ((*totals)[0].time, (Aggregate{5, 1000, 2000, 8000}));
    EXPECT_EQ((*totals)[0].kept, 2u);
}

TEST(RunFile, KeepsWhatFailed) {
    Folder folder;
    auto writer = RunWriter::open(folder / "run", sample_info(), sample_metrics());
    ASSERT_TRUE(writer);
    EXPECT_TRUE((*writer)->add_failure("add(int *)", FailureKind::refused, "too large"));
    EXPECT_TRUE((*writer)->add_failure("add(int *)", FailureKind::refused, "too large"));
    EXPECT_TRUE((*writer)->add_failure("add(int *)", FailureKind::fault, "out of bounds"));
    EXPECT_TRUE((*writer)->add_failure("", FailureKind::unsupported, "clusters"));
    // A program that fails for ever does not fill the disk.
    for (int i = 0; i < 2 * most_failure_rows; ++i)
        EXPECT_TRUE((*writer)->add_failure("k()", FailureKind::fault, std::to_string(i)));
    EXPECT_TRUE((*writer)->add_failure("add(int *)", FailureKind::refused, "too large"));
    const RunFile run = open_run(folder / "run");
    EXPECT_EQ(run.failures.size(), static_cast<std::size_t>(most_failure_rows));
    const auto has = [&](const Failure& failure) {
        return std::find(run.failures.begin(), run.failures.end(), failure) != run.failures.end();
    };
    EXPECT_TRUE(has({"add(int *)", FailureKind::refused, "too large", 3}));
    EXPECT_TRUE(has({"add(int *)", FailureKind::fault, "out of bounds", 1}));
    EXPECT_TRUE(has({"", FailureKind::unsupported, "clusters", 1}));
}

// A process that writes to the file, and ends as `end` does.
pid_t write_and_end(const fs::path& file, const std::function<void(RunWriter&)>& end) {
    const pid_t child = fork();
    if (child != 0) {
        waitpid(child, nullptr, 0);
        return child;
    }
    auto writer = RunWriter::open(file, sample_info(), sample_metrics());
    const auto instructions = sample_instructions("");
    auto kernel = (*writer)->add_kernel("k", 0, "ptx", sample_origin(), instructions);
    (void)(*writer)->append(*kernel, sample_launch("k", 5, 50), instructions);
    end(**writer);
    _exit(0);
}

TEST(RunFile, IsCompleteWhenItsProcessesWereSeenToEnd) {
    Folder folder;
    const fs::path file = folder / "r";
    write_and_end(file, [](RunWriter& writer) { EXPECT_TRUE(writer.finish()); });
    EXPECT_TRUE(open_run(file).complete());
    EXPECT_FALSE(fs::exists(file.string() + "-journal"));

    // Killed, or ended by _exit: nobody can tell.
    const pid_t killed = write_and_end(file, [](RunWriter&) { raise(SIGKILL); });
    const RunFile unseen = open_run(file);
    ASSERT_EQ(unseen.gaps.size(), 1u);
    EXPECT_NE(unseen.gaps[0].find(std::to_string(killed)), std::string::npos) << unseen.gaps[0];
    EXPECT_FALSE(unseen.launches_missing);
    EXPECT_EQ(unseen.kernels.at(0).launches, 2u);

    // Who waited for it knows.
    EXPECT_TRUE(note_end(file, killed, 0, SIGKILL));
    const RunFile by_signal = open_run(file);
    ASSERT_EQ(by_signal.gaps.size(), 1u);
    EXPECT_NE(by_signal.gaps[0].find("signal 9 (Killed)"), std::string::npos) << by_signal.gaps[0];
    EXPECT_TRUE(note_end(file, killed, 7, 0));
    EXPECT_TRUE(open_run(file).complete());
}

TEST(RunFile, AProcessMayBeKilledAfterItSaidThatItEnds) {
    Folder folder;
    const fs::path file = folder / "r";
    const pid_t process = write_and_end(file, [](RunWriter& writer) {
        EXPECT_TRUE(writer.finish());
        raise(SIGSEGV);
    });
    EXPECT_TRUE(note_end(file, process, 0, SIGSEGV));
    EXPECT_FALSE(open_run(file).complete());
}

TEST(RunFile, AForkedChildIsAProcessOfItsOwn) {
    Folder folder;
    const fs::path file = folder / "r";
    auto writer = RunWriter::open(file, sample_info(), sample_metrics());
    ASSERT_TRUE(writer);
    for (const bool finishes : {true, false}) {
        const pid_t child = fork();
        if (child == 0) {
            (void)(*writer)->leave_out("k()", 1);
            if (finishes) (void)(*writer)->finish();
            _exit(0);
        }
        waitpid(child, nullptr, 0);
        EXPECT_TRUE((*writer)->finish());
        EXPECT_EQ(open_run(file).complete(), finishes);
    }
}

// A program that becomes another has not ended: the process is the same.
TEST(RunFile, ExecIsNoEnd) {
    Folder folder;
    const fs::path file = folder / "r";
    const pid_t process = fork();
    if (process == 0) {
        for (int program = 0; program < 2; ++program) {
            auto writer = RunWriter::open(file, sample_info(), sample_metrics());
            if (program == 1) (void)(*writer)->finish();
            (void)writer->release();
        }
        _exit(0);
    }
    waitpid(process, nullptr, 0);
    EXPECT_TRUE(open_run(file).complete());
}

TEST(RunFile, NobodyHasWrittenToIt) {
    Folder folder;
    const fs::path file = folder / "r";
    ASSERT_TRUE(make_run_file(file, sample_info(), sample_metrics()));
    EXPECT_EQ(open_run(file).gaps, (std::vector<std::string>{"nobody has seen the program end"}));
    EXPECT_TRUE(note_end(file, 12345, 0, 0));
    EXPECT_TRUE(open_run(file).complete());
}

TEST(RunFile, KeepsTheSourceText) {
    Folder folder;
    const fs::path source = folder / "a.cu";
    std::ofstream(source) << "// a\nx[i] = y;\nif (x)\n";
    const fs::path file = folder / "r";
    {
        auto writer = RunWriter::open(file, sample_info(), sample_metrics());
        ASSERT_TRUE(writer);
        const auto instructions = sample_instructions(source.string());
        auto kernel = (*writer)->add_kernel("k", 0, "ptx", sample_origin(), instructions);
        ASSERT_TRUE(kernel);
        ASSERT_TRUE((*writer)->append(*kernel, sample_launch("k", 1, 1), instructions));
    }
    fs::remove(source);
    const RunFile run = open_run(file);
    auto text = run.source(source.string());
    ASSERT_TRUE(text && *text);
    EXPECT_EQ(**text, "// a\nx[i] = y;\nif (x)\n");
    auto other = run.source("/nowhere.cu");
    ASSERT_TRUE(other);
    EXPECT_FALSE(*other);
}

TEST(RunFile, RowsAreBoundedAndAggregatesExact) {
    Folder folder;
    const fs::path file = folder / "r";
    constexpr int many = most_launch_rows + 1500;
    {
        auto writer = RunWriter::open(file, sample_info(), sample_metrics());
        ASSERT_TRUE(writer);
        const auto instructions = sample_instructions("");
        auto kernel = (*writer)->add_kernel("k", 0, "ptx", sample_origin(), instructions);
        ASSERT_TRUE(kernel);
        for (int i = 1; i <= many; ++i)
            ASSERT_TRUE((*writer)->append(*kernel, sample_launch("k", i, 50), instructions));
        Launch failed = sample_launch("k", 0, 50);
        failed.fault = "out of bounds";
        ASSERT_TRUE((*writer)->append(*kernel, failed, instructions));
    }
    const RunFile run = open_run(file);
    ASSERT_EQ(run.kernels.size(), 1u);
    EXPECT_EQ(run.kernels[0].launches, many + 1u);
    EXPECT_EQ(run.kernels[0].kept, most_launch_rows + 1u);
    EXPECT_EQ(run.kernels[0].faults, 1u);
    EXPECT_EQ(run.kernels[0].metrics[0], (Aggregate{many + 1, 0, many, many * (many + 1) / 2.0}));
    EXPECT_EQ(run.kernels[0].metrics[1].average(), 50);
    const auto rows = launches(run);
    ASSERT_EQ(rows.size(), most_launch_rows + 1u);
    EXPECT_EQ(rows.back().launch.fault, "out of bounds");
    auto instructions = run.instructions(run.kernels[0].id);
    ASSERT_TRUE(instructions);
    EXPECT_EQ((*instructions)[0].executed, 100u * (many + 1));
    EXPECT_LT(fs::file_size(file), 4u << 20);
}

// Every launch counts, even if the process has no time for another word.
TEST(RunFile, AKilledProcessLosesNothing) {
    Folder folder;
    const fs::path file = folder / "r";
    const pid_t child = fork();
    if (child == 0) {
        auto writer = RunWriter::open(file, sample_info(), sample_metrics());
        const auto instructions = sample_instructions("");
        auto kernel = (*writer)->add_kernel("k", 0, "ptx", sample_origin(), instructions);
        for (int i = 0; i < 300; ++i)
            if (!(*writer)->append(*kernel, sample_launch("k", i, 50), instructions)) _exit(1);
        raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const RunFile run = open_run(file);
    ASSERT_EQ(run.kernels.size(), 1u);
    EXPECT_EQ(run.kernels[0].launches, 300u);
    EXPECT_EQ(launches(run).size(), 300u);
    EXPECT_EQ(open_run(file).kernels[0].launches, 300u);  // and once only
}

TEST(RunFile, ForkedProcessesWriteToOneFile) {
    Folder folder;
    const fs::path file = folder / "r";
    auto writer = RunWriter::open(file, sample_info(), sample_metrics());
    ASSERT_TRUE(writer);
    const auto instructions = sample_instructions("");
    auto kernel = (*writer)->add_kernel("k", 0, "ptx", sample_origin(), instructions);
    ASSERT_TRUE(kernel);
    ASSERT_TRUE((*writer)->append(*kernel, sample_launch("k", 1, 50), instructions));
    std::vector<pid_t> children;
    for (int c = 0; c < 3; ++c) {
        children.push_back(fork());
        if (children.back() != 0) continue;
        auto own = (*writer)->add_kernel(fmt::format("own{}", c), 0, "ptx", sample_origin(), instructions);
        bool good = static_cast<bool>(own);
        for (int i = 0; good && i < 400; ++i)
            good = (*writer)->append(i % 2 ? *own : *kernel, sample_launch("k", 1, 50), instructions) && good;
        _exit(good && (*writer)->finish() ? 0 : 1);
    }
    for (int i = 0; i < 400; ++i)
        ASSERT_TRUE((*writer)->append(*kernel, sample_launch("k", 1, 50), instructions));
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    ASSERT_TRUE((*writer)->finish());
    const RunFile run = open_run(file);
    ASSERT_EQ(run.kernels.size(), 4u);
    EXPECT_EQ(run.kernels[0].launches, 1u + 400u + 3 * 200u);
    for (int c = 1; c < 4; ++c) EXPECT_EQ(run.kernels[c].launches, 200u);
}

TEST(RunFile, AddsToARunOfTheSameGpuOnly) {
    Folder folder;
    const fs::path file = sample_run(folder);
    EXPECT_TRUE(RunWriter::open(file, sample_info(), sample_metrics()));
    RunInfo other = sample_info();
    other.devices[0].gpu = "fermi";
    auto writer = RunWriter::open(file, other, sample_metrics());
    ASSERT_FALSE(writer);
    EXPECT_NE(writer.error().to_string().find("h200"), std::string::npos);
}

TEST(RunFile, OtherFilesAreRefusedAndKept) {
    Folder folder;
    const auto message = [](const fs::path& file) {
        auto run = RunFile::open(file);
        return run ? std::string() : run.error().to_string();
    };
    EXPECT_NE(message(folder / "missing").find("no such run file"), std::string::npos);
    const fs::path text = folder / "text";
    std::ofstream(text) << "this is a text that is certainly longer than a hundred bytes, because SQLite "
                           "looks at the header of a file, which has that many bytes";
    EXPECT_NE(message(text).find("no run file"), std::string::npos);
    EXPECT_FALSE(check_run_file(text));
    EXPECT_FALSE(RunWriter::open(text, sample_info(), sample_metrics()));
    EXPECT_TRUE(fs::exists(text));
    fs::create_directory(folder / "directory");
    EXPECT_FALSE(check_run_file(folder / "directory"));
    EXPECT_TRUE(fs::exists(folder / "directory"));
    const fs::path empty = folder / "empty";
    std::ofstream(empty).put('\n');
    EXPECT_NE(message(empty).find("no run file"), std::string::npos);

    const fs::path old = sample_run(folder);
    {
        auto database = Database::open(old, Database::Mode::write);
        ASSERT_TRUE(database);
        ASSERT_TRUE(database->execute("PRAGMA user_version = 1"));
    }
    EXPECT_NE(message(old).find("has version 1;"), std::string::npos);
    EXPECT_FALSE(RunWriter::open(old, sample_info(), sample_metrics()));
    EXPECT_TRUE(check_run_file(old));  // lockstep wrote it, and may replace it
}

TEST(RunFile, UnknownWordsAreDamage) {
    for (const char* change : {"UPDATE launch SET bound = 'magic'",
                               "UPDATE warp_cycles SET state = 'asleep' "
                               "WHERE state = 'wait'"}) {
        Folder folder;
        const fs::path file = sample_run(folder);
        {
            auto database = Database::open(file, Database::Mode::write);
            ASSERT_TRUE(database);
            ASSERT_TRUE(database->execute(change));
        }
        auto run = RunFile::open(file);
        ASSERT_FALSE(run) << change;
        EXPECT_NE(run.error().message.find("damaged"), std::string::npos) << run.error().message;
    }
}

// Launches that were left behind are shown even where nothing can be written.
TEST(RunFile, AReaderNeedsNoRoom) {
    Folder folder;
    const fs::path file = folder / "r";
    const pid_t child = fork();
    if (child == 0) {
        auto writer = RunWriter::open(file, sample_info(), sample_metrics());
        const auto instructions = sample_instructions("");
        auto kernel = (*writer)->add_kernel("k", 0, "ptx", sample_origin(), instructions);
        (void)(*writer)->append(*kernel, sample_launch("k", 5, 50), instructions);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    const pid_t reader = fork();
    if (reader == 0) {
        const rlimit limit{0, 0};
        setrlimit(RLIMIT_FSIZE, &limit);
        auto run = RunFile::open(file);
        _exit(run && run->kernels.size() == 1 && run->kernels[0].launches == 1 ? 42 : 1);
    }
    int status = 0;
    waitpid(reader, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST(RunFile, AFullDiskIsAnErrorAndLeavesAMark) {
    Folder folder;
    const fs::path file = folder / "r";
    const pid_t child = fork();
    if (child == 0) {
        auto writer = RunWriter::open(file, sample_info(), sample_metrics());
        const auto instructions = sample_instructions("");
        auto kernel = (*writer)->add_kernel("k", 0, "ptx", sample_origin(), instructions);
        const rlimit limit{200u << 10, 200u << 10};
        setrlimit(RLIMIT_FSIZE, &limit);
        for (int i = 0; i < 10'000; ++i)
            if (!(*writer)->append(*kernel, sample_launch("k", i, 50), instructions)) _exit(i > 0 ? 42 : 1);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << "the limit has ended the program";
    EXPECT_EQ(WEXITSTATUS(status), 42);
    const RunFile run = open_run(file);
    EXPECT_TRUE(run.launches_missing);
    EXPECT_FALSE(run.complete());
    ASSERT_EQ(run.kernels.size(), 1u);
    EXPECT_GT(run.kernels[0].launches, 100u);
}

}  // namespace
}  // namespace lockstep::report
