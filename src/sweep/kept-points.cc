#include "sweep/kept-points.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

namespace lockstep::sweep {
namespace {

using Json = nlohmann::json;

// A line of JSON each: first what the sweep is, then its points as they were done.
constexpr const char* sweep_key = "lockstep sweep";

std::string line_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

Result<KeptPoints> KeptPoints::open(std::filesystem::path file, const std::string& sweep,
                                    std::size_t points) {
    KeptPoints kept(std::move(file), points);
    const std::string head = line_of({{sweep_key, sweep}});
    std::ifstream in(kept.file_, std::ios::binary);
    std::string line;
    if (!in || !std::getline(in, line)) {
        if (auto begun = kept.append(head); !begun) return begun.error();
        return kept;
    }
    const Json first = Json::parse(line, nullptr, false);
    if (!first.is_object() || !first.contains(sweep_key))
        return Error{"this file holds no points of a sweep, and stays as it is", {kept.file_.string()}};
    if (line + '\n' != head)
        return Error{
            "this file is of another sweep (other points, another program, GPU or lockstep), and "
            "stays as it is",
            {kept.file_.string()}};
    while (std::getline(in, line)) {
        // A process that was killed may have left half a line.
        const Json point = Json::parse(line, nullptr, false);
        if (!point.is_object() || !point.contains("point") || !point.contains("outcome")) continue;
        const auto number = point["point"].get<std::size_t>();
        auto outcome = decode(point["outcome"].get<std::string>());
        if (number < points && outcome && outcome->failure.empty()) kept.known_[number] = std::move(*outcome);
    }
    // … behind which the next one begins anew.
    if (auto ended = kept.append("\n"); !ended) return ended.error();
    return kept;
}

Result<void> KeptPoints::add(std::size_t number, const Outcome& outcome) {
    return append(line_of({{"point", number}, {"outcome", encode(outcome)}}));
}

Result<void> KeptPoints::append(const std::string& line) {
    const int to = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const auto failed = [&] {
        return Error{fmt::format("cannot write: {}", std::strerror(errno)), {file_.string()}};
    };
    if (to < 0) return failed();
    std::size_t done = 0;
    while (done < line.size()) {
        const ssize_t written = ::write(to, line.data() + done, line.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            const Error error = failed();
            close(to);
            return error;
        }
        done += static_cast<std::size_t>(written);
    }
    close(to);
    return {};
}

}  // namespace lockstep::sweep
