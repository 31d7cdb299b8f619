#include "exec/device-printf.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace lockstep::exec {
namespace {

class Arguments {
  public:
    explicit Arguments(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
    T next() {
        at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        T value{};
        if (at_ + sizeof(T) <= bytes_.size()) std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        ++count_;
        return value;
    }
    std::uint32_t count() const { return count_; }

  private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    std::uint32_t count_ = 0;
};

template <class T>
std::string formatted(const std::string& spec, T value) {
    char small[256];
    int length = std::snprintf(small, sizeof small, spec.c_str(), value);
    if (length < static_cast<int>(sizeof small))
        return length < 0 ? "" : std::string(small, static_cast<std::size_t>(length));
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    std::snprintf(text.data(), text.size(), spec.c_str(), value);
    text.pop_back();
    return text;
}

constexpr int widest = 4096;              // a field's width: a wild one must not exhaust memory,
constexpr std::size_t longest = 1 << 20;  // nor a wild format; CUDA's buffer for all output is as large

}  // namespace

std::string format_device_printf(const std::string& format, std::span<const std::byte> argument_bytes,
                                 const std::function<std::string(std::uint64_t)>& read_string,
                                 std::uint32_t& argument_count) {
    Arguments arguments(argument_bytes);
    std::string out;
    for (std::size_t i = 0; i < format.size() && out.size() < longest; ++i) {
        if (format[i] != '%') {
            out += format[i];
            continue;
        }
        std::size_t begin = i++;
        std::string spec = "%";
        auto number = [&] {
            if (i < format.size() && format[i] == '*') {
                ++i;
                int n = arguments.next<std::int32_t>();
                spec += std::to_string(std::min(std::max(n, -widest), widest));
                return;
            }
            int n = -1;
            while (i < format.size() && format[i] >= '0' && format[i] <= '9')
                n = std::min(std::max(n, 0) * 10 + (format[i++] - '0'), widest);
            if (n >= 0) spec += std::to_string(n);
        };
        while (i < format.size() && std::strchr("-+ #0", format[i]) && format[i] != '\0') spec += format[i++];
        number();
        if (i < format.size() && format[i] == '.') {
            spec += format[i++];
            number();
        }
        bool wide = false;
        while (i < format.size() && std::strchr("hlLzjtq", format[i]) && format[i] != '\0') {
            if (format[i] == 'l' || format[i] == 'z' || format[i] == 'j' || format[i] == 't' ||
                format[i] == 'q')
                wide = true;
            ++i;
        }
        if (i >= format.size()) {
            out.append(format, begin);
            break;
        }
        switch (char conversion = format[i]) {
            case '%': out += '%'; break;
            case 'd':
            case 'i':
                out += wide ? formatted(spec + "lld", static_cast<long long>(arguments.next<std::int64_t>()))
                            : formatted(spec + "d", arguments.next<std::int32_t>());
                break;
            case 'u':
            case 'x':
            case 'X':
            case 'o':
                out += wide ? formatted(spec + "ll" + conversion,
                                        static_cast<unsigned long long>(arguments.next<std::uint64_t>()))
                            : formatted(spec + conversion, arguments.next<std::uint32_t>());
                break;
            case 'c': out += formatted(spec + "c", arguments.next<std::int32_t>()); break;
            case 'p':
                out += formatted(spec + "p", reinterpret_cast<void*>(arguments.next<std::uint64_t>()));
                break;
            case 's':
                out += formatted(spec + "s", read_string(arguments.next<std::uint64_t>()).c_str());
                break;
            case 'f':
            case 'F':
            case 'e':
            case 'E':
            case 'g':
            case 'G':
            case 'a':
            case 'A': out += formatted(spec + conversion, arguments.next<double>()); break;
            default: out.append(format, begin, i - begin + 1);  // unknown: as it stands, as CUDA does
        }
    }
    argument_count = arguments.count();
    return out;
}

}  // namespace lockstep::exec
