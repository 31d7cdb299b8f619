// The list of functions is the truth: each name is a symbol of the library, each symbol is a name of the
// list, and the document is what the list says.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>

#include "base/sanitizers.h"

namespace {

std::string output_of(const std::string& command) {
    std::string text;
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::array<char, 4096> buffer;
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe.get()))
        text.append(buffer.data(), n);
    return text;
}

class ApiList : public testing::TestWithParam<const char*> {};

TEST_P(ApiList, EveryNameIsASymbol) {
    const std::string path = std::string(LOCKSTEP_BUILD_DIR "/lib/libcudart.so.") + GetParam();
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const bool is_13 = std::string(GetParam()) == "13";
#define GROUP(title)
#define IMPLEMENTED(function) EXPECT_NE(dlsym(library, #function), nullptr) << #function;
#define IMPLEMENTED_13(function) EXPECT_EQ(dlsym(library, #function) != nullptr, is_13) << #function;
#define MISSING(function) EXPECT_NE(dlsym(library, #function), nullptr) << #function;
#define MISSING_FORM(symbol) EXPECT_NE(dlsym(library, #symbol), nullptr) << #symbol;
#include "runtime/api.def"
    // What compilers call.
    for (const char* name :
         {"__cudaRegisterFatBinary", "__cudaRegisterFatBinaryEnd", "__cudaUnregisterFatBinary",
          "__cudaRegisterFunction", "__cudaRegisterVar", "__cudaRegisterManagedVar", "__cudaInitModule",
          "__cudaPushCallConfiguration", "__cudaPopCallConfiguration", "__cudaGetKernel",
          "__cudaLaunchKernel", "__cudaLaunchKernel_ptsz", "cudaMemcpyAsync_ptsz", "cudaMemcpy_ptds",
          "cudaLaunchKernel_ptsz"})
        EXPECT_NE(dlsym(library, name), nullptr) << name;
}

INSTANTIATE_TEST_SUITE_P(Versions, ApiList, testing::Values("12", "13"));

TEST(ApiList, OnlyTheApiIsExported) {
    std::istringstream lines(output_of("nm -D --defined-only " LOCKSTEP_BUILD_DIR "/lib/libcudart.so.13"));
    // What is answered in the C library's place (runtime/answers.h) stands for every version of it.
    std::string answers;
    for (const char* file : {"host-clocks.cc", "host-frees.cc", "static-objects.cc"}) {
        std::ifstream source(std::string(LOCKSTEP_SOURCE_DIR "/src/runtime/") + file);
        answers.append(std::istreambuf_iterator<char>(source), {});
    }
    const auto is_answered = [&](const std::string& name) {
        return name.starts_with("_ZNSt28__atomic_futex_unsigned_base") ||
               answers.find("LOCKSTEP_ANSWERS(" + name + ")") != std::string::npos ||
               answers.find("LOCKSTEP_WAITS(" + name + ",") != std::string::npos;
    };
    int symbols = 0, answered = 0;
    for (std::string address, type, name; lines >> address >> type >> name; ++symbols) {
        if (name.starts_with("libcudart.so")) continue;
        // A small t, d, b or r is a local symbol: binutils keeps some in the table though nobody can link to
        // them.
        if (std::string_view("tdbr").find(type) != std::string_view::npos) continue;
        if (is_answered(name)) {
            ++answered;
            continue;
        }
        EXPECT_TRUE(name.starts_with("cuda") || name.starts_with("__cuda") ||
                    name.starts_with("__lockstep") || name.starts_with("cu"))
            << name;
        EXPECT_NE(name.find("@@libcudart.so.13"), std::string::npos) << name << " has no version";
    }
    EXPECT_GT(symbols, 300);
    EXPECT_GE(answered, LOCKSTEP_THREAD_SANITIZER ? 30 : 31);  // all but __cxa_atexit
}

TEST(ApiList, TheDocumentIsCurrent) {
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/docs/cuda-api.md");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), output_of(LOCKSTEP_BUILD_DIR "/bin/cuda-api-list"))
        << "run: build/bin/cuda-api-list > docs/cuda-api.md";
}

}  // namespace
