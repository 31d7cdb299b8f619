// Writes the modules of every list as PTX files, for an assembler to check, and math.cu, which nvcc
// must turn into PTX before record can run it: emit LISTS DIRECTORY
#include <fstream>
#include <iostream>

#include "golden/cases.h"

int main(int argc, char** argv) {
    using namespace lockstep::golden;
    if (argc != 3) return std::cerr << "usage: emit LISTS DIRECTORY\n", 2;
    std::size_t bytes = 0;
    for (const std::string& name : list_names(argv[1])) {
        Family family = read_list(std::string(argv[1]) + "/" + name + ".txt");
        std::vector<const Case*> cases;
        std::size_t size = 0;
        for (const Case& c : family.cases) {
            cases.push_back(&c);
            size += static_cast<std::size_t>(c.result_bytes() * elements);
        }
        std::ofstream(std::string(argv[2]) + "/" + name + ".ptx") << ptx_module(cases);
        if (name == "math") std::ofstream(std::string(argv[2]) + "/math.cu") << cuda_source(cases);
        std::cout << name << ": " << cases.size() << " cases, " << size << " bytes\n";
        bytes += size;
    }
    std::cout << bytes << " bytes in all\n";
}
