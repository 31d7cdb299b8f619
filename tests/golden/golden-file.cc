#include "golden/golden-file.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lockstep::golden {

namespace {

constexpr const char* magic = "lockstep golden 1";

}

Recording read_recording(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string line;
    if (!std::getline(file, line) || line != magic) throw std::runtime_error(path + " is not a recording");
    Recording recording;
    while (std::getline(file, line) && !line.empty()) {
        std::size_t colon = line.find(": ");
        if (colon == std::string::npos) throw std::runtime_error(path + ": bad header line: " + line);
        recording.header[line.substr(0, colon)] = line.substr(colon + 2);
    }
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string name;
        std::size_t bytes = 0;
        Recording::Entry entry;
        if (!(words >> name >> bytes >> std::hex >> entry.input_hash) || bytes > (1u << 24))
            throw std::runtime_error(path + ": bad entry: " + line);
        entry.results.resize(bytes);
        if (!file.read(reinterpret_cast<char*>(entry.results.data()), static_cast<std::streamsize>(bytes)))
            throw std::runtime_error(path + ": cut short in " + name);
        recording.entries[name] = std::move(entry);
    }
    return recording;
}

void write_recording(const std::string& path, const Recording& recording) {
    std::ofstream file(path, std::ios::binary);
    file << magic << "\n";
    for (const auto& [key, value] : recording.header) file << key << ": " << value << "\n";
    file << "\n";
    for (const auto& [name, entry] : recording.entries) {
        file << name << " " << entry.results.size() << " " << std::hex << entry.input_hash << std::dec
             << "\n";
        file.write(reinterpret_cast<const char*>(entry.results.data()),
                   static_cast<std::streamsize>(entry.results.size()));
    }
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace lockstep::golden
