// Results as lines of text that are compared with a recording, a line a case: its name, how many values there
// are, a hash of all their bits and the first few; or some of the values, where functions are in play that
// lockstep computes more exactly than a GPU (docs/conformance.md). On a GPU the same program, without an
// argument, prints the recording.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

class Recorded {
  public:
    Recorded(int count, char** arguments) {
        for (int i = 1; i < count; ++i) {
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
    }

    // Up to 25 of the first 400.
    template <typename T>
    void near(const std::string& name, const std::vector<T>& found, double tolerance) {
        const size_t all = found.size() < 400 ? found.size() : 400;
        const size_t step = all < 25 ? 1 : all / 25;
        std::string line = name + " " + std::to_string(found.size()) + " ~";
        bool same = comparing_ && next_ < expected_.size();
        const char* rest = same ? expected_[next_].c_str() : "";
        same = same && expected_[next_].compare(0, line.size(), line) == 0;
        if (same) rest += line.size();
        for (size_t i = 0; i < all / step * step; i += step) {
            char number[32];
            std::snprintf(number, sizeof number, sizeof(T) == 4 ? " %.9g" : " %.17g", double(found[i]));
            line += number;
            if (!same) continue;
            char* end = nullptr;
            const double expected = std::strtod(rest, &end);
            same = end != rest && std::fabs(found[i] - expected) <= tolerance * (1 + std::fabs(expected));
            rest = end;
        }
        if (same)
            ++next_;
        else
            text(line);
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
        if (!comparing_) return 0;
        if (next_ != expected_.size()) ++different_;
        std::printf("%zu of %zu lines as recorded\n", next_ - different_, expected_.size());
        return different_ == 0 ? 0 : 1;
    }

  private:
    std::vector<std::string> expected_;
    bool comparing_ = false;
    size_t next_ = 0, different_ = 0;
};
