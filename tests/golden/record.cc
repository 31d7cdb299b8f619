// Runs every conformance case on a real GPU and writes what it computed: record GOLDEN-DIRECTORY
// OUTPUT-DIRECTORY MATH.PTX MATH.PTX is what nvcc made of emit's math.cu. The CUDA driver is loaded at run
// time, so this builds without CUDA's headers and libraries.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "golden/golden-file.h"
#include "golden/inputs.h"
#include "golden/programs.h"

namespace {

using namespace lockstep::golden;

using Handle = void*;
using DevicePointer = unsigned long long;

struct Driver {
    int (*init)(unsigned);
    int (*driver_version)(int*);
    int (*device_get)(int*, int);
    int (*device_name)(char*, int, int);
    int (*context_retain)(Handle*, int);
    int (*context_set)(Handle);
    int (*module_load)(Handle*, const void*, unsigned, int*, void**);
    int (*module_unload)(Handle);
    int (*module_function)(Handle*, Handle, const char*);
    int (*memory_allocate)(DevicePointer*, std::size_t);
    int (*memory_free)(DevicePointer);
    int (*copy_to_device)(DevicePointer, const void*, std::size_t);
    int (*copy_to_host)(void*, DevicePointer, std::size_t);
    int (*fill)(DevicePointer, unsigned char, std::size_t);
    int (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle,
                  void**, void**);
    int (*synchronize)();

    Driver() {
        void* library = dlopen("libcuda.so.1", RTLD_NOW);
        if (!library) throw std::runtime_error(dlerror());
        auto load = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            if (!function) throw std::runtime_error(std::string("the driver has no ") + name);
        };
        load(init, "cuInit");
        load(driver_version, "cuDriverGetVersion");
        load(device_get, "cuDeviceGet");
        load(device_name, "cuDeviceGetName");
        load(context_retain, "cuDevicePrimaryCtxRetain");
        load(context_set, "cuCtxSetCurrent");
        load(module_load, "cuModuleLoadDataEx");
        load(module_unload, "cuModuleUnload");
        load(module_function, "cuModuleGetFunction");
        load(memory_allocate, "cuMemAlloc_v2");
        load(memory_free, "cuMemFree_v2");
        load(copy_to_device, "cuMemcpyHtoD_v2");
        load(copy_to_host, "cuMemcpyDtoH_v2");
        load(fill, "cuMemsetD8_v2");
        load(launch, "cuLaunchKernel");
        load(synchronize, "cuCtxSynchronize");
    }
};

void check(int status, const std::string& what) {
    if (status) throw std::runtime_error(what + ": CUDA error " + std::to_string(status));
}

class Gpu {
  public:
    Gpu() {
        check(driver_.init(0), "cuInit");
        int device = 0;
        check(driver_.device_get(&device, 0), "cuDeviceGet");
        Handle context = nullptr;
        check(driver_.context_retain(&context, device), "cuDevicePrimaryCtxRetain");
        check(driver_.context_set(context), "cuCtxSetCurrent");
        char name[128] = {};
        check(driver_.device_name(name, sizeof name, device), "cuDeviceGetName");
        int version = 0;
        check(driver_.driver_version(&version), "cuDriverGetVersion");
        // "NVRM version: NVIDIA UNIX … Kernel Module for x86_64  575.57.08  …": the word with two dots
        std::ifstream kernel_module("/proc/driver/nvidia/version");
        std::string word, release = "unknown";
        while (kernel_module >> word)
            if (std::count(word.begin(), word.end(), '.') == 2 && release == "unknown") release = word;
        std::time_t now = std::time(nullptr);
        char date[32];
        std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
        header_ = {
            {"gpu", name},
            {"cuda-driver", std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10)},
            {"driver", release},
            {"date", date}};
    }

    const std::map<std::string, std::string>& header() const { return header_; }

    // Null, with the assembler's words in `log`, where the module does not assemble.
    Handle load(const std::string& ptx, std::string& log) {
        std::vector<char> buffer(16384);
        // CU_JIT_ERROR_LOG_BUFFER and its size.
        int options[] = {5, 6};
        void* values[] = {buffer.data(), reinterpret_cast<void*>(buffer.size())};
        Handle module = nullptr;
        int status = driver_.module_load(&module, ptx.c_str(), 2, options, values);
        log = status ? "CUDA error " + std::to_string(status) + ": " + buffer.data() : "";
        return status ? nullptr : module;
    }
    void unload(Handle module) { driver_.module_unload(module); }

    std::vector<std::uint8_t> run(Handle module, const std::string& kernel, unsigned grid, unsigned block,
                                  const std::vector<std::pair<const void*, std::size_t>>& inputs,
                                  std::size_t out_bytes) {
        Handle function = nullptr;
        check(driver_.module_function(&function, module, kernel.c_str()), kernel);
        std::vector<DevicePointer> pointers(inputs.size() + 1);
        check(driver_.memory_allocate(&pointers[0], out_bytes), "allocation");
        check(driver_.fill(pointers[0], 0, out_bytes), "memset");
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            check(driver_.memory_allocate(&pointers[i + 1], inputs[i].second), "allocation");
            check(driver_.copy_to_device(pointers[i + 1], inputs[i].first, inputs[i].second), "copy");
        }
        std::vector<void*> arguments;
        for (DevicePointer& p : pointers) arguments.push_back(&p);
        check(driver_.launch(function, grid, 1, 1, block, 1, 1, 0, nullptr, arguments.data(), nullptr),
              kernel);
        check(driver_.synchronize(), kernel);
        std::vector<std::uint8_t> results(out_bytes);
        check(driver_.copy_to_host(results.data(), pointers[0], out_bytes), "copy");
        for (DevicePointer p : pointers) driver_.memory_free(p);
        return results;
    }

  private:
    Driver driver_;
    std::map<std::string, std::string> header_;
};

void record_case(Gpu& gpu, Handle module, const Case& c, Recording& recording) {
    Inputs inputs = make_inputs(c);
    std::vector<std::pair<const void*, std::size_t>> buffers;
    for (const auto& operand : inputs.operands) buffers.emplace_back(operand.data(), operand.size());
    auto bytes = static_cast<std::size_t>(c.result_bytes() * elements);
    recording.entries[c.name] = {
        inputs.hash, gpu.run(module, c.kernel, elements / block_size, block_size, buffers, bytes)};
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// One module for all cases; where that fails, a module a case, so that one bad case does not cost the others.
int record_family(Gpu& gpu, const Family& family, const std::string& math_ptx, Recording& recording) {
    std::vector<const Case*> all;
    for (const Case& c : family.cases) all.push_back(&c);
    std::string log;
    bool library = family.name == "math";
    if (Handle module = gpu.load(library ? text_of(math_ptx) : ptx_module(all), log)) {
        for (const Case* c : all) record_case(gpu, module, *c, recording);
        gpu.unload(module);
        return 0;
    }
    if (library) throw std::runtime_error(log);
    std::cout << family.name << ": does not assemble as a whole, trying each case\n";
    int failed = 0;
    for (const Case* c : all) {
        Handle module = gpu.load(ptx_module({c}), log);
        if (!module) {
            std::cout << "  " << c->name << ": " << log << "\n";
            ++failed;
            continue;
        }
        record_case(gpu, module, *c, recording);
        gpu.unload(module);
    }
    return failed;
}

int record_programs(Gpu& gpu, const std::string& directory, const ProgramList& list, Recording& recording) {
    int failed = 0;
    std::string loaded;  // the file that `module` is
    Handle module = nullptr;
    for (const Program& program : read_programs(directory + "/" + list.file)) {
        std::string log;
        if (program.file != loaded) {
            if (module) gpu.unload(module);
            module = gpu.load(text_of(directory + "/" + program.file + ".ptx"), log);
            loaded = program.file;
        }
        if (!module) {
            std::cout << "  " << program.file << ": " << log << "\n";
            ++failed;
            continue;
        }
        std::vector<std::uint32_t> input = program_input(program);
        std::size_t bytes = input.size() * 4;
        // Twice: what differs between runs is no property of the GPU, and must not be recorded.
        auto first = gpu.run(module, program.kernel, program.grid, program.block, {{input.data(), bytes}},
                             program.out_words * 4);
        auto again = gpu.run(module, program.kernel, program.grid, program.block, {{input.data(), bytes}},
                             program.out_words * 4);
        if (first != again) {
            std::cout << "  " << program.kernel << ": two runs differ; not recorded\n";
            ++failed;
            continue;
        }
        recording.entries[program.kernel] = {hash_bytes(input.data(), bytes), first};
    }
    return failed;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return std::cerr << "usage: record GOLDEN-DIRECTORY OUTPUT-DIRECTORY MATH.PTX\n", 2;
    std::string golden = argv[1], out = argv[2];
    int failed = 0;
    try {
        Gpu gpu;
        for (const auto& [key, value] : gpu.header()) std::cout << key << ": " << value << "\n";
        auto keep = [&](const std::string& name, auto&& record) {
            Recording recording;
            recording.header = gpu.header();
            recording.header["family"] = name;
            try {
                failed += record(recording);
            } catch (const std::exception& e) {
                std::cout << name << ": " << e.what() << "\n";
                ++failed;
            }
            write_recording(out + "/" + name + ".golden", recording);
            std::cout << name << ": " << recording.entries.size() << " recorded" << std::endl;
        };
        for (const std::string& name : list_names(golden + "/lists")) {
            Family family = read_list(golden + "/lists/" + name + ".txt");
            keep(name, [&](Recording& recording) { return record_family(gpu, family, argv[3], recording); });
        }
        for (const ProgramList& list : program_lists)
            keep(list.family, [&](Recording& recording) {
                return record_programs(gpu, golden + "/programs", list, recording);
            });
    } catch (const std::exception& e) {
        std::cerr << "record: " << e.what() << "\n";
        return 1;
    }
    std::cout << failed << " failed\n";
    return failed ? 1 : 0;
}
