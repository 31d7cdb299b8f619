#include "compile/respelling.h"

#include <gtest/gtest.h>

#include "compile/files.h"
#include "compile/respelled-lines.h"

namespace lockstep::compile {
namespace {

TEST(RespelledLaunches, LoseTheBlanksInTheirBrackets) {
    EXPECT_EQ(respell_launches("k << <g, b>> >(p);"), "k <<< g, b>>> (p);");
    EXPECT_EQ(respell_launches("k<<\n<g, b >>\t> (p);"), "k<<<\ng, b >>>\t (p);");
    EXPECT_EQ(respell_launches("k <<< g, b >>> (p);"), "k <<< g, b >>> (p);");
    EXPECT_EQ(respell_launches("k<<<g, n >> 2>> >(p);"), "k<<<g, n >> 2>>> (p);");
}

TEST(RespelledLaunches, HaveDimensionsInsteadOfBraces) {
    EXPECT_EQ(respell_launches("k<<<1, {32, 8}>>>(p);"), "k<<<1, dim3{32, 8}>>>(p);");
    EXPECT_EQ(respell_launches("k<<<{1, 2}, { f({3}), 8 }, 0>>>(p);"),
              "k<<<dim3{1, 2}, dim3{ f({3}), 8 }, 0>>>(p);");
    EXPECT_EQ(respell_launches("k<<<dim3{1}, T{2}, {3}>>>();"), "k<<<dim3{1}, T{2}, {3}>>>();");
}

TEST(RespelledLaunches, LeaveEverythingElseAlone) {
    for (const char* text : {
             "friend ostream& operator<< <T>(ostream&, const S<T>&);",
             "// k << <g, b>> >(p);",
             "/* k << <g, b>> >(p); */",
             "\"k << <g, b>> >(p);\"",
             "R\"x(k << <g, b>> >(p);)\" )x\"",
             "vector<vector<vector<int>> > v;",
             "a << <",
             "x << <b; c>> >",
             "auto n = 1'000'000; k<<<1, 2>>>();",
             "'\"' << <",
             "<<",
             "",
         })
        EXPECT_EQ(respell_launches(text), text);
    EXPECT_EQ(respell_launches("n = 1'000; k << <1, 2>> >();"), "n = 1'000; k <<< 1, 2>>> ();");
}

TEST(UnrollWithoutALoop, BecomesAComment) {
    EXPECT_EQ(drop_unroll("a\n# pragma unroll 4\nint i;\n", 3), "a\n//pragma unroll 4\nint i;\n");
    EXPECT_EQ(drop_unroll("#pragma unroll\nfor(;;);\n#pragma  unroll\n\nint i;\n", 5),
              "#pragma unroll\nfor(;;);\n//ragma  unroll\n\nint i;\n");
    EXPECT_EQ(drop_unroll("int i;\n", 1), "int i;\n");
    EXPECT_EQ(drop_unroll("int i;\n", 100), "int i;\n");
}

TEST(RegistersInInlinePtx, AreEscapedWhereThereAreOperands) {
    EXPECT_EQ(escape_registers("asm(\"mov.u32 %0, %smid;\" : \"=r\"(x));"),
              "asm(\"mov.u32 %0, %%smid;\" : \"=r\"(x));");
    EXPECT_EQ(escape_registers("asm volatile(\"a %1, %%laneid;\"\n\"b %clock\" :: \"r\"(f(\"%d\")));"),
              "asm volatile(\"a %1, %%laneid;\"\n\"b %%clock\" :: \"r\"(f(\"%d\")));");
    for (const char* text :
         {"asm(\"mov.u32 a, %smid;\");", "printf(\"%d\" , x ? 1 : 2);", "asm", "asm(", "/* asm(\"%x\":) */"})
        EXPECT_EQ(escape_registers(text), text);
}

TEST(Alignas, MayStandAmongOtherWords) {
    EXPECT_EQ(free_alignas("alignas(8) int a;\n__shared__ alignas(16) float b[4];\n", 2),
              "alignas(8) int a;\n__shared__ _Alignas(16) float b[4];\n");
    EXPECT_EQ(free_alignas("int my_alignas;", 1), "int my_alignas;");
    EXPECT_EQ(free_alignas("", 9), "");
}

TEST(RespelledLines, HaveCommasBetweenOperands) {
    EXPECT_EQ(separate_operands("asm(\"x\" : \"=r\"(a) : \"l\"(b)\n  \"r\"(c));", 2),
              "asm(\"x\" : \"=r\"(a) : \"l\"(b),\n  \"r\"(c));");
    EXPECT_EQ(separate_operands("asm(\"x\" :: \"l\"(b) \"r\"(c));", 1), "asm(\"x\" :: \"l\"(b), \"r\"(c));");
    EXPECT_EQ(separate_operands("f(\"a\", \"b\"(c);", 1), "f(\"a\", \"b\"(c);");
    EXPECT_EQ(separate_operands("", 3), "");
}

TEST(RespelledLines, DeclareSharedObjectsWithoutTheirConstructors) {
    EXPECT_EQ(
        store_shared("{\n  __shared__ cuda::barrier<a, b> it;\n}", 2),
        "{\n  __shared__ ::lockstep_shared::Storage<cuda::barrier<a, b> > lockstep_shared_it; auto& it = "
        "lockstep_shared_it.object();\n}");
    EXPECT_EQ(store_shared("__shared__ T x[2] [N];", 1),
              "__shared__ ::lockstep_shared::Storage<T [2] [N]> lockstep_shared_x; auto& x = "
              "lockstep_shared_x.object();");
    for (const char* text : {"__shared__ T a, b;", "__shared__ T a = 3;", "__shared__ T a{};", "int a;", "",
                             "__shared__ alignas(8) T a;", "__shared__ a;"})
        EXPECT_EQ(store_shared(text, 1), text);
}

TEST(Respelling, LearnsFromWhatTheCompilerSays) {
    auto scratch = TempDir::create();
    ASSERT_TRUE(scratch);
    const auto header = scratch->path() / "it's.cuh";
    ASSERT_TRUE(write_file(header, "k << <1, 1>> >();\n#pragma unroll\nint i;\n"));
    Respelling respelling(scratch->path());
    respelling.add(scratch->path() / "not-there.cu");
    EXPECT_TRUE(respelling.arguments().empty());
    EXPECT_FALSE(
        respelling.learn("main.cu:3:1: error: no member named 'x'\nfatal error: stopping\n error: \n"));
    const std::string place = "\x1b[1m" + header.string();
    EXPECT_TRUE(respelling.learn(
        place + ":1:6: \x1b[0m\x1b[0;1;31merror: \x1b[0m\x1b[1mexpected expression\x1b[0m\n"));
    EXPECT_TRUE(respelling.learn(
        header.string() +
        ":3:1: error: expected a for, while, or do-while loop to follow '#pragma unroll'\n"));
    EXPECT_NE(respelling.warnings().find("it's.cuh:3: warning: there is no loop"), std::string::npos);
    // Nothing is left to be done.
    EXPECT_FALSE(respelling.learn(header.string() + ":1:6: error: expected expression\n"));
    ASSERT_EQ(respelling.arguments().size(), 2u);
    const std::string overlay = read_file(respelling.arguments()[1]).value_or("");
    EXPECT_NE(overlay.find("it''s.cuh'"), std::string::npos);
    EXPECT_EQ(read_file(scratch->path() / "respelled-0").value_or(""),
              "k <<< 1, 1>>> ();\n//ragma unroll\nint i;\n");
}

TEST(Respelling, LaunchesInDeviceCode) {
    const auto nested = [](const std::string& launch) {
        return "::lockstep_nested::launch([&] __host__ __device__ { " + launch + "; })";
    };
    for (const std::string launch :
         {"k<<<1, 2>>>(p)", "k<int, (3 > 2)><<<1, 2>>>(f(p), \")\")", "a::b<T>::k<<<g, b, 0, s>>>()",
          "::k<<<1, 1>>>(p)", "table[i]<<<1, 1>>>(p)", "(*pointer)<<<1, 1>>>(p)", "it->k<<<1, 1>>>(p)",
          "k\n<<<1,\n1>>>(p,\nq)"}) {
        EXPECT_EQ(nest_launches("if (x) " + launch + ";", {1}), "if (x) " + nested(launch) + ";");
        EXPECT_EQ(nest_launches("return " + launch + ";", {1}), "return " + nested(launch) + ";");
        EXPECT_EQ(nest_launches("// children.\n" + launch + ";", {2}),
                  "// children.\n" + nested(launch) + ";");
    }
    // Only those on the line, unless it has none: then a macro has it.
    EXPECT_EQ(nest_launches("k<<<1, 1>>>();\nk<<<2, 2>>>();", {2}),
              "k<<<1, 1>>>();\n" + nested("k<<<2, 2>>>()") + ";");
    EXPECT_EQ(nest_launches("#define GO k<<<1, 1>>>()\nGO;", {2}),
              "#define GO " + nested("k<<<1, 1>>>()") + "\nGO;");
    EXPECT_EQ(nest_launches("a << b; c >> d;", {1}), "a << b; c >> d;");
}

}  // namespace
}  // namespace lockstep::compile
