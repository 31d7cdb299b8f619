// A recording: what a real GPU computed for each case of a family. A text header, then for each case a line
// "NAME BYTES INPUT-HASH" and its raw results.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lockstep::golden {

struct Recording {
    std::map<std::string, std::string> header;  // gpu, driver, date, …
    struct Entry {
        std::uint64_t input_hash = 0;
        std::vector<std::uint8_t> results;
    };
    std::map<std::string, Entry> entries;
};

// Throws std::runtime_error if the file cannot be read or is malformed.
Recording read_recording(const std::string& path);
void write_recording(const std::string& path, const Recording& recording);

}  // namespace lockstep::golden
