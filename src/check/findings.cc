#include "check/findings.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

namespace lockstep::check {

Result<std::unique_ptr<Findings>> Findings::open(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return Error{std::string("cannot write what was found: ") + std::strerror(errno), {file}};
    std::unique_ptr<Findings> findings(new Findings(descriptor));
    findings->process_ = getpid();
    return findings;
}

// In one piece: processes append side by side.
void Findings::write(const std::string& line) const {
    const std::string text = line + "\n";
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t wrote = ::write(file_, text.data() + done, text.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return;
        done += static_cast<std::size_t>(wrote);
    }
}

bool Findings::add(Finding finding) {
    const std::lock_guard lock(mutex_);
    const auto [at, fresh] = findings_.try_emplace(key(finding), finding);
    if (!fresh) {
        at->second.count += finding.count;
        return false;
    }
    // The file has each with a count of what is still to come: finish() adds it.
    write(to_line(finding));
    at->second.count = 0;
    return true;
}

std::size_t Findings::size() const {
    const std::lock_guard lock(mutex_);
    return findings_.size();
}

bool Findings::has(Class of, const std::string& kernel) const {
    const std::lock_guard lock(mutex_);
    return std::any_of(findings_.begin(), findings_.end(), [&](const auto& entry) {
        return entry.second.kind_of == of && entry.second.kernel == kernel;
    });
}

void Findings::finish() {
    const std::lock_guard lock(mutex_);
    if (getpid() != process_) return;
    for (auto& [_, finding] : findings_) {
        if (finding.count == 0) continue;
        write(to_line(finding));
        finding.count = 0;
    }
}

std::vector<Finding> read_findings(const std::filesystem::path& file) {
    std::vector<Finding> all;
    std::map<std::string, std::size_t> places;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        auto finding = from_line(line);
        if (!finding) continue;
        const auto [at, fresh] = places.try_emplace(key(*finding), all.size());
        if (fresh)
            all.push_back(std::move(*finding));
        else
            all[at->second].count += finding->count;
    }
    // An index that leads out of the memory itself is told as that access.
    std::set<std::tuple<std::string, std::string, int>> accesses;
    const auto at = [](const Finding& finding) {
        return std::tuple(finding.kernel, finding.places[0].file, finding.places[0].line);
    };
    for (const Finding& finding : all)
        if (finding.kind_of == Class::memory && finding.kind != "out-of-bounds-index" &&
            !finding.places.empty())
            accesses.insert(at(finding));
    std::erase_if(all, [&](const Finding& finding) {
        return finding.kind == "out-of-bounds-index" && accesses.contains(at(finding));
    });
    return all;
}

}  // namespace lockstep::check
