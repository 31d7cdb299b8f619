// Bad text: each snippet and the messages that it must give, places included.
#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace lockstep::ptx {
namespace {

std::string errors(std::string_view text) {
    std::string all;
    for (const Error& error : parse_all(text, "f").errors) all += error.to_string().substr(2) + "\n";
    return all;
}

struct Case {
    const char* text;
    const char* expected;
};

// Inside a kernel: line 1 is the head, so a snippet starts on line 2, column 1.
class InBody : public testing::TestWithParam<Case> {};

TEST_P(InBody, GivesItsMessages) {
    std::string text =
        ".version 8.5 .target sm_90 .address_size 64 .global .b32 g[4]; .func (.param .b32 r) f(.param .b64 "
        "a); .entry k() { "
        ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .u32 "
        "%u<9>;\n";
    EXPECT_EQ(errors(text + GetParam().text + "\n}\n"), GetParam().expected) << GetParam().text;
}

// clang-format off: one case a line
INSTANTIATE_TEST_SUITE_P(Errors, InBody, testing::Values(
    Case{"frob.u32 %r1;", "2:1: unknown instruction 'frob'\n"},
    Case{"add.s32 %r1, %r2", "3:1: expected ';' after 'add' and its operands, found '}'\n"},
    Case{"add.f33 %r1, %r2, %r3;", "2:1: '.f33' cannot stand here in 'add.f33'; expected add.<int> d, a, b; add.sat.s32 d, a, b; add(.u16x2|.s16x2) d, a, b; add.cc(.u32|.s32|.u64|.s64) d, a, b; …\n"},
    Case{"mul.s32 %r1, %r2, %r3;", "2:1: 'mul.s32' is incomplete; expected mul(.hi|.lo).<int> d, a, b; mul.wide(.u16|.u32|.s16|.s32) d:wide, a, b\n"},
    Case{"mul.lo.lo.s32 %r1, %r2, %r3;", "2:1: '.lo' cannot stand here in 'mul.lo.lo.s32'; expected mul(.hi|.lo).<int> d, a, b\n"},
    Case{"add.s32 %r1, %r2;", "2:14: expected 3 operands as in 'add.s32 d, a, b', found 2\n"},
    Case{"ret 5;", "2:5: expected 0 operands as in 'ret', found 1\n"},
    Case{"add.s32 %r1, %r2, %rd3;", "2:19: operand 3 must be .s32; %rd3 is .b64\n"},
    Case{"add.s32 %r1, %p2, %r3;", "2:14: operand 2 must be .s32; %p2 is .pred\n"},
    Case{"add.f32 %f1, %u1, %f2;", "2:14: operand 2 must be .f32; %u1 is .u32\n"},
    Case{"add.s32 5, %r2, %r3;", "2:9: operand 1 must be a register\n"},
    Case{"add.s32 _, %r2, %r3;", "2:9: operand 1 cannot be '_'\n"},
    Case{"mul.wide.s32 %r1, %r2, %r3;", "2:14: operand 1 must be 64 bits wide; %r1 is .b32\n"},
    Case{"add.f32 %f1, %f2, 1;", "2:19: operand 3 must be .f32, such as 1.0 or 0f3F800000, found an integer\n"},
    Case{"add.s32 %r1, %r2, 1.5;", "2:19: operand 3 must be .s32, found a floating-point literal\n"},
    Case{"mov.b32 %r1, 1.0;", "2:14: operand 2 must be .b32, found a floating-point literal\n"},
    Case{"add.f16 %h1, %h2, 1;", "2:19: operand 3 must be .f16; that type has no literals\n"},
    Case{"mov.u32 %r1, 0x1FFFFFFFFFFFFFFFF;", "2:14: '0x1FFFFFFFFFFFFFFFF' does not fit in 64 bits\n"},
    Case{"mov.u32 %r1, 12ab;", "2:14: '12ab' is no number\n"},
    Case{"mov.u32 %r1, 08;", "2:14: '08' is no number\n"},
    Case{"mov.f32 %f1, 0f123;", "2:14: '0f123' is no f32 literal: expected 8 hexadecimal digits after 0f\n"},
    Case{"mov.f32 %f1, 1e999;", "2:14: '1e999' is out of range for f64\n"},
    Case{"mov.u32 %r1, 1/0;", "2:15: division by zero\n"},
    Case{"mov.u32 %r1, %r9;", "2:14: undeclared register '%r9'\n"},
    Case{"mov.u64 %rd1, nowhere;", "2:15: undeclared name 'nowhere'\n"},
    Case{"mov.u32 %r1, %envreg3;", "2:14: special register '%envreg3' is not implemented\n"},
    Case{"mov.u64 %rd1, %tid.x;", "2:15: operand 2 must be .u64; the special register is .u32\n"},
    Case{"add.u32 %r1, %r2, %tid.x;", "2:19: operand 3 cannot be a special register: use mov\n"},
    Case{"bra nowhere;", "2:5: undeclared label 'nowhere'\n"},
    Case{"{ inner: ret; } bra inner;", "2:21: undeclared label 'inner'\n"},
    Case{"x: ret; x: ret;", "2:9: label 'x' is already declared in this scope\n"},
    Case{".reg .b32 x; .reg .b64 x;", "2:24: 'x' is already declared in this scope\n"},
    Case{".reg .b32 %r<4>;", "2:11: '%r' is already declared in this scope\n"},
    Case{".reg .b32 %r3;", "2:11: '%r3' is already declared in this scope\n"},
    Case{".reg .b33 x;", "2:6: '.b33' cannot stand in a declaration\n"},
    Case{".local .align 3 .b8 x[4];", "2:15: the alignment must be a power of two\n"},
    Case{".local .b8 x[-4];", "2:14: an array's size must be a positive integer\n"},
    Case{".local .b32 x[1099511627776];", "2:13: 'x' is larger than 2^40 bytes\n"},
    Case{"@%r1 ret;", "2:2: '%r1' is no predicate register\n"},
    Case{"@%p77 ret;", "2:2: undeclared register '%p77'\n"},
    Case{"@5 ret;", "2:2: expected a predicate register after '@', found '5'\n"},
    Case{"ld.global.u32 %r1, %rd1;", "2:20: operand 2 must be an address in [ ]\n"},
    Case{"ld.global.u32 %r1, [%rd1;", "2:25: expected ']' after the address, found ';'\n"},
    Case{"ld.global.u32 %r1, [%h1];", "2:20: an address must be 32 or 64 bits wide; %h1 is .b16\n"},
    Case{"ld.global.u32 %h1, [%rd1];", "2:15: operand 1 must be .u32; %h1 is .b16\n"},
    Case{"ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1];", "2:18: operand 1 must have 2 elements, found 3\n"},
    Case{"ld.global.v2.u32 %r1, [%rd1];", "2:18: operand 1 must be a vector such as {a, b}\n"},
    Case{"ld.global.u32 {%r1, %r2}, [%rd1];", "2:15: operand 1 cannot be a vector\n"},
    Case{"ld.global.v8.b64 {%rd1}, [%rd1];", "2:18: a vector can have at most 256 bits\n"},
    Case{"mov.b64 %rd1, {%r1, %rd2};", "2:15: operand 2 must be .b32; %rd2 is .b64\n"},
    Case{"mov.b64 %rd1, {%r1, %r2, %r3};", "2:15: operand 2 must have 2 or 4 elements, found 3\n"},
    Case{"setp.lt.s32 %r1, %r2, %r3;", "2:13: operand 1 must be .pred; %r1 is .b32\n"},
    Case{"setp.lt.b32 %p1, %r2, %r3;", "2:1: '.b32' cannot stand here in 'setp.lt.b32'; expected setp.<scmp>.<sint> p{|q}:pred, a, b; setp.<ucmp>.<uint> p{|q}:pred, a, b; setp.<fcmp>{.ftz}.f32 p{|q}:pred, a, b; setp.<fcmp>.f64 p{|q}:pred, a, b; …\n"},
    Case{"setp.lt.s32 %p1|%r2, %r2, %r3;", "2:13: the second half of operand 1 must be a predicate register\n"},
    Case{"add.s32 %r1|%p1, %r2, %r3;", "2:9: operand 1 cannot be a pair of registers\n"},
    Case{"add.s32 %r1, !%r2, %r3;", "2:15: operand 2 cannot be negated\n"},
    Case{"add.s32 %r1, %r2.b0, %r3;", "2:14: operand 2 cannot select a part of a register\n"},
    Case{"vadd.u32.u32.u32 %r1, %r2.b4, %r3;", "2:23: operand 2 selects a part that does not exist\n"},
    Case{"vadd2.s32.s32.s32 %r1, %r2.b3210, %r3, %r4;", "2:24: operand 2 selects bytes, but vadd2 works on halves\n"},
    Case{"vadd4.s32.s32.s32 %r1.h1, %r2, %r3, %r4;", "2:19: operand 1 selects halves, but vadd4 works on bytes\n"},
    Case{"add.s32 %r1, %r2.q, %r3;", "2:17: '.q' selects no part of a register\n"},
    Case{"lop3.b32 %r1, %r2, %r3, %r4, %r5;", "2:30: operand 5 must be an integer constant\n"},
    Case{"call (x), f, (y);", "2:7: undeclared name 'x'\n"},
    Case{".param .b32 x; .param .b32 y; call (x), f, (y);", "2:31: parameter 1 of 'f' has 8 bytes, found 4\n"},
    Case{".param .b32 x; call (x), f;", "2:16: 'f' has 1 parameters, found 0\n"},
    Case{"call k;", "2:1: 'k' is an .entry: only a .func can be called\n"},
    Case{"call %rd1;", "2:10: expected ',' and a prototype: the function is in a register, found ';'\n"},
    Case{"call g;", "2:6: 'g' is neither a function nor a register\n"},
    Case{"brx.idx %r1, x; x: ret;", "2:14: 'x' is no .branchtargets list\n"},
    Case{".branchtargets x;", "2:1: .branchtargets needs a label before it\n"},
    Case{"add.s32 %r1, ?, %r2; mov.u32 %r1, ;", "2:14: expected an operand, found '?'\n2:35: expected an operand, found ';'\n"},
    Case{"add.s32 %r1, \x01, %r2;", "2:14: unexpected byte 0x01\n"},
    Case{"add.s32 %r1, #, %r2;", "2:14: unexpected character '#'\n"},
    Case{".pragma \"open;\nret;", "2:9: this string is not closed: expected '\"' before the end of the line\n"},
    Case{"mov.b32 {%r1, %r2; add.s32 %r1, %r2;", "2:18: expected '}' after the vector's elements, found ';'\n2:33: expected 3 operands as in 'add.s32 d, a, b', found 2\n"},
    Case{"frob.v2 {%r1, ?}, [%rd1]; frob {%r1}; { .reg .b32 x; frob; } frob { mov.u32 x, 1; } ret;", "2:1: unknown instruction 'frob'\n2:27: unknown instruction 'frob'\n2:54: unknown instruction 'frob'\n2:62: unknown instruction 'frob'\n2:77: undeclared name 'x'\n"},
    Case{"5;", "2:1: expected an instruction, a label or a declaration, found '5'\n"},
    Case{".shared .b32 x = 5;", "2:16: only .global and .const variables can have a value\n"}));
// clang-format on

class AtTop : public testing::TestWithParam<Case> {};

TEST_P(AtTop, GivesItsMessages) {
    EXPECT_EQ(errors(GetParam().text), GetParam().expected) << GetParam().text;
}

// clang-format off
#define HEAD ".version 8.5\n.target sm_90\n"
INSTANTIATE_TEST_SUITE_P(Errors, AtTop, testing::Values(
    Case{"", "1:1: there is no .version directive: this is no PTX module\n1:1: there is no .target directive that names an sm_ architecture\n"},
    Case{"\x7F" "ELF", "1:1: unexpected byte 0x7F\n"},
    Case{".version x", "1:10: expected a version such as 8.5 after .version, found 'x'\n"},
    Case{HEAD ".address_size 16", "3:15: the address size must be 32 or 64\n"},
    Case{HEAD "/* no end", "3:1: this comment is not closed: expected '*/'\n"},
    Case{HEAD "add.s32 %r1;", "3:1: expected a directive such as .entry, .func or .global, found 'add'\n"},
    Case{HEAD ".frob .b32 x;", "3:1: '.frob' cannot stand in a declaration\n"},
    Case{HEAD ".global x;", "3:9: expected a type such as .b32, found 'x'\n"},
    Case{HEAD ".global .b32 .b32 x;", "3:14: a second type\n"},
    Case{HEAD ".local .b32 x;", "3:13: a variable outside of functions must be .global, .const or .shared\n"},
    Case{HEAD ".reg .b32 x;", "3:11: registers can only be declared inside a function\n"},
    Case{HEAD ".global .pred x;", "3:1: a variable cannot have the type .pred\n"},
    Case{HEAD ".global .b32 x; .global .b32 x;", "3:30: 'x' is already declared\n"},
    Case{HEAD ".global .b32 x[2] = {1,2,3};", "3:26: more values than 'x' has elements\n"},
    Case{HEAD ".global .b32 x[2] = 1;", "3:21: expected '{' before the values of an array, found '1'\n"},
    Case{HEAD ".global .f32 x = 1;", "3:18: expected a floating-point value, such as 1.0 or 0f3F800000\n"},
    Case{HEAD ".global .b64 x = y;", "3:18: undeclared name 'y'\n"},
    Case{HEAD ".global .b8 x = y;", "3:17: an address needs 32 or 64 bits, or a mask such as 0xFF(x)\n"},
    Case{HEAD ".global .b8 x = 0xF(y);", "3:17: a mask must select one byte: 0xFF, 0xFF00 …\n"},
    Case{HEAD ".global .b8 x[4][1000000000] = {{1},{2}};", "3:36: the values of variables leave gaps of more than 2^22 elements\n"},
    Case{HEAD ".entry k() {\n  ret;\n", "3:12: this '{' is not closed: expected '}' before the end of the file\n"},
    Case{HEAD ".entry k() { ret; } .entry k() { ret; }", "3:28: 'k' already has a body on line 3\n"},
    Case{HEAD ".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }", "4:7: the parameters of 'f' differ from its declaration on line 3\n"},
    Case{HEAD ".func f(.reg .b32 a);", "3:9: parameters in registers are not implemented: use .param\n"},
    Case{HEAD ".entry (.param .b32 r) k();", "3:8: an .entry returns nothing: expected its name\n"},
    Case{HEAD ".entry k() .frob { ret; }", "3:12: '.frob' is no directive of a function\n"},
    Case{HEAD ".entry k(.param .b32 a, .param .b32 a) { ret; }", "3:40: two parameters are named 'a'\n"},
    Case{HEAD ".file 99999999 \"x\"", "3:7: the file's number must be at most 65535\n"},
    Case{HEAD ".alias a, b;", "3:8: 'a' is no declared function\n"},
    Case{HEAD ".section .debug_str { .b8 1", "3:21: this section is not closed: expected '}'\n"},
    // Reading goes on after an error: both of these are seen.
    Case{HEAD ".global .b33 x;\n.entry k() { frob; }\n.global .b34 y;", "3:9: '.b33' cannot stand in a declaration\n4:14: unknown instruction 'frob'\n5:9: '.b34' cannot stand in a declaration\n"}));
#undef HEAD
// clang-format on

TEST(Errors, DeepNestingIsRefused) {
    std::string head = ".version 8.5 .target sm_90 .entry k() { .reg .b32 r; ";
    std::string open(100000, '(');
    std::string braces(100000, '{');
    std::string minus(100000, '-');
    EXPECT_NE(errors(head + "mov.u32 r, " + open), "");
    EXPECT_NE(errors(head + braces), "");
    EXPECT_EQ(errors(head + "mov.u32 r, " + minus + "1; }"), "");
    EXPECT_NE(errors(".version 8.5 .target sm_90 .global .b32 x[2][2] = " + braces), "");
    std::string casts;
    for (int i = 0; i < 100000; ++i) casts += "(.u64)";
    EXPECT_NE(errors(head + "mov.u32 r, " + casts + "1; }"), "");
    std::string choices;
    for (int i = 0; i < 100000; ++i) choices += "1?1:";
    EXPECT_NE(errors(head + "mov.u32 r, " + choices + "1; }"), "");
}

TEST(Errors, MessagesStayShort) {
    std::string name(100000, 'x');
    for (const Error& error :
         parse_all(".version 8.5 .target sm_90 .entry k() { " + name + "; bra " + name + "; }", "f").errors)
        EXPECT_LT(error.message.size(), 500u);
}

TEST(Errors, StopAtAHundred) {
    std::string text = ".version 8.5 .target sm_90 .entry k() {\n";
    for (int i = 0; i < 1000; ++i) text += "frob;\n";
    ParseOutcome outcome = parse_all(text + "}\n", "f");
    EXPECT_EQ(outcome.errors.size(), 100u);
    EXPECT_EQ(outcome.errors.back().message, "too many errors: the rest of the file is not read");
}

TEST(Errors, OneAnswerSaysHowManyMore) {
    auto result = parse(".version 8.5 .target sm_90 .entry k() { a; b; c; }", "f.ptx");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().to_string(), "f.ptx:1:41: unknown instruction 'a' (and 2 more errors)");
}

}  // namespace
}  // namespace lockstep::ptx
