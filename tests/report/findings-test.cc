// What lockstep check says, in each of its forms.
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/findings-export.h"
#include "report/findings-text.h"
#include "report/sanitizer-report.h"
#include "report/suppressions.h"
#include "sample.h"

namespace lockstep::report {
namespace {

using check::Class;
using check::Finding;
using check::Place;
using check::Rank;

Finding race(const std::string& file) {
    return {.kind_of = Class::race,
            .kind = "race-read-write",
            .kernel = "void ns::matmul<16>(const float *, float *)",
            .message =
                "a write and a read of the same shared memory by threads of different warps of a "
                "block, which nothing orders",
            .advice =
                "put a __syncthreads() between lines 2 and 3, so that all has been written before any of "
                "it is read",
            .count = 3,
            .places = {{file, 2, "stage(float (&)[16], int)", "write", "block (0,0,0), thread (3,0,0)"},
                       {file, 3, "ns::matmul<16>(const float *, float *)", "read",
                        "block (0,0,0), thread (40,0,0)"},
                       {file, 9, "main", "launched from", ""}},
            .own_places = 2};
}

Finding leak() {
    return {.kind_of = Class::leak,
            .kind = "leak",
            .message = "4000 bytes are never freed",
            .count = 2,
            .places = {{"/no/such/file.cu", 25, "relax(float *, int)", "allocated", ""},
                       {"/no/such/file.cu", 50, "main", "called from", ""}},
            .details = {{"size", "4000"}, {"address", "0x7f0000001000"}}};
}

Finding out_of_bounds() {
    return {.kind_of = Class::memory,
            .kind = "out-of-bounds-read",
            .kernel = "step(const float *, int)",
            .message = "read of 4 bytes, 4 bytes after the end of 12600",
            .count = 71,
            .places = {{"/home/me/heat.cu", 18, "laplace(const float *)", "read",
                        "block (0,5,0), thread (1,3,0)"},
                       {"/home/me/heat.cu", 26, "step(const float *, int)", "called from", ""},
                       {"/home/me/heat.cu", 40, "main", "launched from", ""},
                       {"/home/me/heat.cu", 34, "main", "allocated", ""}},
            .details = {{"space", "global"},
                        {"size", "4"},
                        {"address", "0x653c"},
                        {"nearest_address", "0x3400"},
                        {"nearest_size", "12600"}}};
}

CheckReport report_of(std::vector<Finding> findings) {
    return {.version = "1.2",
            .command = "./prog 'a b'",
            .source = "prog.cu",
            .classes = {Class::memory, Class::race, Class::leak},
            .findings = ranked(std::move(findings))};
}

std::size_t widest(const std::string& text) {
    std::istringstream in(text);
    std::size_t most = 0;
    for (std::string line; std::getline(in, line);) most = std::max(most, line.size());
    return most;
}

TEST(FindingsText, SaysWhatWhereByWhomAndHowToMendIt) {
    const Folder folder;
    const std::string file = (folder / "a.cu").string();
    std::ofstream(file)
        << "__device__ void stage() {\n\ttile[t] = m[t];  // fills it\n        x += tile[k];\n";
    SourceLineReader sources;
    const std::string text = finding_text(race(file), sources, {});
    EXPECT_EQ(text,
              "error: race: a write and a read of the same shared memory by threads of\n"
              "    different warps of a block, which nothing orders (3 times)\n"
              "  in kernel ns::matmul<16>\n"
              "  write at " +
                  file +
                  ":2 in stage\n"
                  "      by block (0,0,0), thread (3,0,0)\n"
                  "      2 |     tile[t] = m[t];  // fills it\n"
                  "        |     ^~~~~~~~~~~~~~~\n"
                  "  read at " +
                  file +
                  ":3 in ns::matmul<16>\n"
                  "      by block (0,0,0), thread (40,0,0)\n"
                  "      3 |         x += tile[k];\n"
                  "        |         ^~~~~~~~~~~~~\n"
                  "  launched from " +
                  file +
                  ":9 in main\n"
                  "  fix: put a __syncthreads() between lines 2 and 3, so that all has been written\n"
                  "       before any of it is read\n");
    EXPECT_NE(finding_text(race(file), sources, {.colour = true}).find("\033[1;31merror:\033[0m race"),
              std::string::npos);
}

TEST(FindingsText, LinesFitAndLongOnesAreCut) {
    const Folder folder;
    const std::string file = (folder / "a.cu").string();
    std::ofstream(file) << "\n"
                        << std::string(40, ' ') << std::string(30, 'x') << " = " << std::string(90, 'y')
                        << ";\nshort;\n";
    SourceLineReader sources;
    EXPECT_LE(widest(finding_text(race(file), sources, {})), 82U);  // "…" has three bytes
}

TEST(FindingsText, ASourceThatCannotBeReadIsTold) {
    SourceLineReader sources;
    const std::string text = finding_text(leak(), sources, {});
    EXPECT_NE(
        text.find("allocated at /no/such/file.cu:25 in relax\n      (that source cannot be read here)\n"),
        std::string::npos);
    Finding unknown = leak();
    unknown.places = {{"", 0, "", "allocated", ""}};
    EXPECT_NE(finding_text(unknown, sources, {}).find("allocated at a line that is not known\n"),
              std::string::npos);
}

TEST(FindingsText, TheSurestComeFirstThenTheirClassesInOrder) {
    Finding note = out_of_bounds(), warning = race("a.cu");
    note.rank = Rank::note;
    warning.rank = Rank::warning;
    const auto all = ranked({note, leak(), warning, race("b.cu")});
    EXPECT_EQ(all[0].places[0].file, "b.cu");
    EXPECT_EQ(all[1].kind_of, Class::leak);
    EXPECT_EQ(all[2].rank, Rank::warning);
    EXPECT_EQ(all[3].rank, Rank::note);
    EXPECT_EQ(summary(report_of(all)), "4 findings: 1 memory error, 2 races, 1 leak");
    EXPECT_EQ(summary(report_of({})), "nothing found (memory, race, leak)");
}

TEST(FindingsExport, JsonHasWhatProgramsAskFor) {
    const auto json = nlohmann::json::parse(findings_json(report_of({leak(), race("a.cu")})));
    const auto& first = json.at("findings").at(0);
    EXPECT_EQ(first.at("class"), "race");
    EXPECT_EQ(first.at("kind"), "race-read-write");
    EXPECT_EQ(first.at("rank"), "error");
    EXPECT_EQ(first.at("kernel"), "void ns::matmul<16>(const float *, float *)");
    EXPECT_EQ(first.at("count"), 3);
    EXPECT_EQ(first.at("places").at(1).at("line"), 3);
    EXPECT_EQ(first.at("places").at(1).at("role"), "read");
    EXPECT_EQ(json.at("findings").at(1).at("details").at("size"), "4000");
    EXPECT_EQ(json.at("run").at("classes"), nlohmann::json({"memory", "race", "leak"}));
    EXPECT_EQ(nlohmann::json::parse(findings_json(report_of({}))).at("findings").size(), 0U);
}

TEST(FindingsExport, SarifHasARuleAKindAndAPlaceAResult) {
    Finding nowhere = leak();
    nowhere.places.clear();
    CheckReport report = report_of({race("/elsewhere/a b.cu"), out_of_bounds(), nowhere});
    report.suppressed.push_back({leak(), "known.txt:1"});
    const auto json = nlohmann::json::parse(findings_sarif(report));
    EXPECT_EQ(json.at("version"), "2.1.0");
    const auto& run = json.at("runs").at(0);
    const auto& rules = run.at("tool").at("driver").at("rules");
    EXPECT_EQ(rules.size(), 3U);  // both leaks have one
    const auto& results = run.at("results");
    ASSERT_EQ(results.size(), 4U);
    for (const auto& result : results) {
        EXPECT_EQ(rules.at(result.at("ruleIndex").get<std::size_t>()).at("id"), result.at("ruleId"));
        EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
        EXPECT_EQ(result.at("locations").size(), 1U);
    }
    const auto location = [&](int of) { return results.at(of).at("locations").at(0).at("physicalLocation"); };
    EXPECT_EQ(location(0).at("region").at("startLine"), 18);
    EXPECT_EQ(results.at(0).at("relatedLocations").size(), 3U);
    EXPECT_EQ(results.at(0).at("occurrenceCount"), 71);
    EXPECT_EQ(location(1).at("artifactLocation").at("uri"), "file:///elsewhere/a%20b.cu");
    EXPECT_EQ(location(2).at("artifactLocation").at("uri"), "prog.cu");
    EXPECT_EQ(location(2).at("artifactLocation").at("uriBaseId"), "SRCROOT");
    EXPECT_FALSE(results.at(2).contains("suppressions"));
    EXPECT_EQ(results.at(3).at("suppressions").at(0).at("kind"), "external");
}

TEST(FindingsExport, JunitHasATestCaseAFindingAndAClassWithNone) {
    CheckReport report = report_of({race("a.cu")});
    report.suppressed.push_back({leak(), "known.txt:1"});
    const std::string xml = findings_junit(report);
    EXPECT_NE(xml.find(R"(<testsuites tests="4" failures="1" errors="0" skipped="1">)"), std::string::npos);
    EXPECT_NE(xml.find(R"x(<testcase classname="lockstep.race" name="race read write at a.cu:2 in void )x"
                       R"x(ns::matmul&lt;16&gt;(const float *, float *)" file="a.cu" line="2">)x"),
              std::string::npos);
    EXPECT_NE(xml.find(R"(<failure type="race/race-read-write" message="a write and)"), std::string::npos);
    EXPECT_NE(xml.find(R"(<skipped message="suppressed by known.txt:1"/>)"), std::string::npos);
    EXPECT_NE(xml.find(R"(<testcase classname="lockstep.memory" name="memory"/>)"), std::string::npos);
    EXPECT_EQ(xml.find(R"(name="race"/>)"), std::string::npos);
}

bool is_suppressed(const std::string& line, const Finding& finding) {
    const auto parsed = parse_suppressions(line, "known.txt");
    EXPECT_TRUE(parsed && parsed->size() == 1) << line;
    return suppresses(parsed->at(0), finding);
}

TEST(Suppressions, ClassKindFileLineAndKernelChoose) {
    const Finding finding = race("/home/me/solver/a.cu");
    for (const char* line : {"race", "*", "race:race-read-*", "race a.cu", "race solver/a.cu:3",
                             "race */solver/*", "race * matmul", "race * ns::matmul<16>", "race * *<1?>*",
                             "race a.cu:2 void ns::matmul<16>(const float *, float *)"})
        EXPECT_TRUE(is_suppressed(line, finding)) << line;
    for (const char* line :
         {"leak", "race:race", "race b.cu", "race .cu", "race a.cu:4", "race * mat", "race a.cu stage"})
        EXPECT_FALSE(is_suppressed(line, finding)) << line;
}

TEST(Suppressions, WhatIsWrongOrUselessIsTold) {
    const auto parsed = parse_suppressions("# all known\n\nrace  # for now\nleak b.cu\n", "known.txt");
    ASSERT_TRUE(parsed);
    CheckReport report = report_of({race("a.cu"), leak()});
    suppress(report, *parsed);
    ASSERT_EQ(report.findings.size(), 1U);
    EXPECT_EQ(report.findings[0].kind_of, Class::leak);
    ASSERT_EQ(report.suppressed.size(), 1U);
    EXPECT_EQ(report.suppressed[0].by, "known.txt:3");
    EXPECT_EQ(report.notes, std::vector<std::string>{"known.txt:4: 'leak b.cu' suppresses nothing"});
    EXPECT_EQ(summary(report), "1 finding: 1 leak; 1 suppressed");
    EXPECT_EQ(parse_suppressions("race\nraces\n", "known.txt").error().place.line, 2);
    EXPECT_FALSE(parse_suppressions("race a.cu:x", "known.txt"));
}

TEST(SanitizerReport, AccessesInItsWords) {
    EXPECT_EQ(sanitizer_finding(out_of_bounds(), {}),
              "========= Invalid __global__ read of size 4 bytes\n"
              "=========     at laplace(const float *) in heat.cu:18\n"
              "=========     by thread (1,3,0) in block (0,5,0)\n"
              "=========     Access to 0x653c is out of bounds\n"
              "=========     and is 5 bytes after the nearest allocation at 0x3400 of size 12,600 bytes\n"
              "=========     read of 4 bytes, 4 bytes after the end of 12600\n"
              "=========         Device Frame: step(const float *, int) in heat.cu:26\n"
              "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
              "=========         Host Frame: main in heat.cu:40\n"
              "=========     Allocated at main in heat.cu:34\n"
              "=========\n");
    const std::string bare = sanitizer_finding(out_of_bounds(), {.prefix = "##",
                                                                 .strip_paths = false,
                                                                 .parameters = false,
                                                                 .host_frames = false,
                                                                 .device_frames = false});
    EXPECT_NE(bare.find("##     at laplace in /home/me/heat.cu:18\n"), std::string::npos);
    EXPECT_EQ(bare.find("Frame"), std::string::npos);
    // Without what its words need, ours.
    Finding vague = out_of_bounds();
    vague.details.clear();
    EXPECT_TRUE(sanitizer_finding(vague, {}).starts_with("========= read of 4 bytes, 4 bytes after"));
}

TEST(SanitizerReport, FailedCallsAndUninitialisedMemory) {
    const Finding call{.kind_of = Class::memory,
                       .kind = "double-free",
                       .message = "freed twice",
                       .places = {{"a.cu", 42, "main", "freed", ""}},
                       .details = {{"function", "cudaFree"},
                                   {"error", "cudaErrorInvalidValue"},
                                   {"error_number", "1"},
                                   {"error_text", "invalid argument"}}};
    EXPECT_TRUE(
        sanitizer_finding(call, {}).starts_with("========= Program hit cudaErrorInvalidValue (error 1) due "
                                                "to \"invalid argument\" on CUDA API call to "
                                                "cudaFree.\n=========     at main in a.cu:42\n"));
    Finding init = out_of_bounds();
    init.kind_of = Class::init;
    EXPECT_TRUE(sanitizer_finding(init, {}).starts_with(
        "========= Uninitialized __global__ memory read of size 4 bytes\n"));
}

TEST(SanitizerReport, RacesAndTheirSummary) {
    Finding warning = race("a.cu");
    warning.rank = Rank::warning;
    EXPECT_EQ(
        sanitizer_finding(warning, {.host_frames = false}),
        "========= Warning: Race reported between Write access at stage(float (&)[16], int) in a.cu:2\n"
        "=========     and Read access at ns::matmul<16>(const float *, float *) in a.cu:3 [3 hazards]\n"
        "=========\n");
    EXPECT_TRUE(sanitizer_finding(race("a.cu"), {.races = SanitizerStyle::Races::hazard})
                    .starts_with("========= Error: Potential RAW hazard detected in block (0,0,0) :\n"
                                 "=========     Write Thread (3,0,0) at stage(float (&)[16], int) in a.cu:2\n"
                                 "=========     Read Thread (40,0,0) at "));
    const std::vector<Finding> both = {race("a.cu"), warning};
    EXPECT_EQ(sanitizer_summary(both, {}, true, false),
              "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n");
}

TEST(SanitizerReport, AnErrorIsCountedAsOftenAsItHappened) {
    const std::vector<Finding> all = {out_of_bounds(), leak()};
    EXPECT_EQ(sanitizer_summary(all, {}, false, true),
              "========= LEAK SUMMARY: 4000 bytes leaked in 2 allocations\n"
              "========= ERROR SUMMARY: 73 errors\n"
              "========= ERROR SUMMARY: 71 errors were not printed. Each place is printed once\n");
    EXPECT_EQ(sanitizer_summary({}, {}, false, false), "========= ERROR SUMMARY: 0 errors\n");
    EXPECT_TRUE(
        sanitizer_finding(leak(), {})
            .starts_with("========= Leaked 4,000 bytes at 0x7f0000001000\n"
                         "=========     Saved host backtrace up to driver entry point at allocation time\n"
                         "=========         Host Frame: relax(float *, int) in file.cu:25\n"));
    const std::string limited = sanitizer_findings(all, {.print_limit = 1});
    EXPECT_EQ(limited.find("Leaked"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::report
