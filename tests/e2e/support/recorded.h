// Results as lines of text that are compared with a recording, a line a case: its name, how many values there are,
// a hash of all their bits and the first few. On a GPU the same program, without an argument, prints the recording.
#pragma once
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

class Recorded {
public:
    Recorded(int count, char** arguments) {
        for (int i = 1; i < count; ++i) {
            if (std::string(arguments[i]) == "--raw" && i + 1 < count) {
                raw_ = std::fopen(arguments[++i], "wb");
                continue;
            }
            std::ifstream file(arguments[i]);
            for (std::string line; std::getline(file, line);) expected_.push_back(line);
            comparing_ = true;
        }
    }

    template <typename T>
    void values(const std::string& name, const std::vector<T>& found) {
        static const char* const digits = "0123456789abcdef";
        const auto* const bytes = reinterpret_cast<const unsigned char*>(found.data());
        unsigned long long hash = 14695981039346656037ull;
        for (size_t i = 0; i < found.size() * sizeof(T); ++i) hash = (hash ^ bytes[i]) * 1099511628211ull;
        std::string line = name + " " + std::to_string(found.size()) + " ";
        for (int i = 60; i >= 0; i -= 4) line += digits[hash >> i & 15];
        for (size_t k = 0; k < found.size() && k < 3; ++k) {
            line += ' ';
            for (size_t i = sizeof(T); i-- > 0;) {
                line += digits[bytes[k * sizeof(T) + i] >> 4];
                line += digits[bytes[k * sizeof(T) + i] & 15];
            }
        }
        text(line);
        if (raw_ == nullptr) return;
        std::fprintf(raw_, "%s %zu %zu\n", name.c_str(), found.size(), sizeof(T));
        std::fwrite(bytes, sizeof(T), found.size(), raw_);
    }

    void text(const std::string& line) {
        if (!comparing_) {
            std::printf("%s\n", line.c_str());
        } else if (next_ >= expected_.size() || expected_[next_] != line) {
            std::printf("found    %s\nrecorded %s\n", line.c_str(),
                        next_ < expected_.size() ? expected_[next_].c_str() : "nothing");
            ++different_;
        }
        ++next_;
    }

    // The exit status.
    int end() {
        if (raw_ != nullptr) std::fclose(raw_);
        if (!comparing_) return 0;
        if (next_ != expected_.size()) ++different_;
        std::printf("%zu of %zu lines as recorded\n", next_ - different_, expected_.size());
        return different_ == 0 ? 0 : 1;
    }

private:
    std::vector<std::string> expected_;
    bool comparing_ = false;
    size_t next_ = 0, different_ = 0;
    std::FILE* raw_ = nullptr;
};
