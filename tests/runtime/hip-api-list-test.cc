// HIP's list is the truth, too: each name is a symbol of libamdhip64, and the document is what the list says.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

// It gives a few functions the names that programs call them by.
#include "lockstep/hip/device-prop.h"

#define SYMBOL_OF(function) TEXT_OF(function)
#define TEXT_OF(symbol) #symbol

namespace {

TEST(HipApiList, EveryNameIsASymbol) {
    void* const library = dlopen(LOCKSTEP_BUILD_DIR "/lib/libamdhip64.so.6", RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto expect = [&](const char* name) { EXPECT_NE(dlsym(library, name), nullptr) << name; };
#define LOCKSTEP_HIP_GROUP(title)
#define LOCKSTEP_HIP_SAME(function, cuda, parameters, arguments) expect(SYMBOL_OF(function));
#define LOCKSTEP_HIP_OWN(function, parameters) expect(SYMBOL_OF(function));
#define LOCKSTEP_HIP_MISSING(function) expect(SYMBOL_OF(function));
#include "lockstep/hip/functions.def"
    // What clang calls, and what has no row of its own.
    for (const char* name :
         {"__hipRegisterFatBinary", "__hipUnregisterFatBinary", "__hipRegisterFunction", "__hipRegisterVar",
          "__hipRegisterManagedVar", "__hipRegisterTexture", "__hipRegisterSurface",
          "__hipPushCallConfiguration", "__hipPopCallConfiguration", "hipGetErrorName", "hipGetErrorString",
          "hipExtModuleLaunchKernel"})
        expect(name);
}

TEST(HipApiList, TheDocumentIsCurrent) {
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/docs/hip-api.md");
    std::stringstream text;
    text << file.rdbuf();
    std::string listed;
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(LOCKSTEP_BUILD_DIR "/bin/hip-api-list", "r"),
                                                     pclose);
    std::array<char, 4096> buffer;
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe.get()))
        listed.append(buffer.data(), n);
    EXPECT_EQ(text.str(), listed) << "run: build/bin/hip-api-list > docs/hip-api.md";
}

}  // namespace
