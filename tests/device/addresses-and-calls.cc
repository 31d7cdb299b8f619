// What the device compiler makes of a thread's index in an address, and of functions that are called once.
#include <gtest/gtest.h>

#include "compile/files.h"
#include "compile/process.h"

namespace lockstep::device {
namespace {

std::string compile_module(const std::string& module, std::vector<std::string> options = {}) {
    const auto folder = std::move(*compile::TempDir::create());
    const std::string input = folder.path() / "k.ll", output = folder.path() / "k.ptx";
    EXPECT_TRUE(compile::write_file(input, "target triple = \"nvptx64-nvidia-cuda\"\n" + module + R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
)"));
    std::vector<std::string> command = {LOCKSTEP_BUILD_DIR "/lib/lockstep-device", input, "-o", output};
    command.insert(command.end(), options.begin(), options.end());
    auto child = compile::Child::start(command, {});
    EXPECT_TRUE(child && child->wait().ok());
    return compile::read_file(output).value_or("");
}

// out[`index register` + 1024] = 1
std::string store_at(const std::string& index_register) {
    return "define void @k(ptr %out) {\n  %index = call i32 @llvm.nvvm.read.ptx.sreg." + index_register +
           R"(()
  %sum = add i32 %index, 1024
  %wide = zext i32 %sum to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  store i32 1, ptr %at
  ret void
}
)";
}

TEST(Addresses, AConstantBesideAThreadsIndexIsPartOfTheAccess) {
    const std::string ptx = compile_module(store_at("tid.x"));
    EXPECT_NE(ptx.find("+4096]"), std::string::npos) << ptx;
    // A block's index may be so large that the sum wraps.
    const std::string of_block = compile_module(store_at("ctaid.x"));
    EXPECT_EQ(of_block.find("+4096]"), std::string::npos) << of_block;
}

TEST(Addresses, AConditionOnAThreadsIndexStays) {
    const std::string ptx = compile_module(R"(define void @k(ptr %out) {
  %index = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %less = icmp ult i32 %index, 2048
  br i1 %less, label %yes, label %no
yes:
  store i32 1, ptr %out
  br label %no
no:
  ret void
}
)");
    EXPECT_NE(ptx.find("setp"), std::string::npos) << ptx;
}

TEST(Calls, AFunctionThatIsCalledOnceIsPartOfItsCaller) {
    std::string body = "define i32 @large(i32 %x0, i32 %y) {\n";
    constexpr int size = 2000;
    for (int i = 0; i < size; ++i) {
        const std::string before = "%x" + std::to_string(i), after = "%x" + std::to_string(i + 1);
        body += "  " + after + (i % 2 ? " = mul i32 " : " = xor i32 ") + before + ", %y\n";
    }
    body += "  ret i32 %x" + std::to_string(size) + R"(
}
define void @k(ptr %out, i32 %x, i32 %y) {
  %result = call i32 @large(i32 %x, i32 %y)
  store i32 %result, ptr %out
  ret void
}
)";
    EXPECT_EQ(compile_module(body).find("call"), std::string::npos);
    // Another file may call it, too.
    EXPECT_NE(compile_module(body, {"--relocatable"}).find("call"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::device
