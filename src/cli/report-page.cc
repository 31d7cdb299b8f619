#include "cli/report-page.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/command.h"
#include "cli/models.h"
#include "cli/profiled-run.h"
#include "cli/write-output.h"
#include "compile/process.h"

namespace lockstep::cli {
namespace {

std::string title_of(std::span<const report::RunFile> runs) {
    const std::string first = runs.empty() ? "sweep" : runs[0].info.command;
    return runs.size() < 2 ? first : fmt::format("{} and {} more", first, runs.size() - 1);
}

// In the user's browser, which goes on when this has ended.
int open_page(const std::string& file) {
    const char* chosen = std::getenv("BROWSER");
    for (const std::string& name :
         {std::string(chosen ? chosen : ""), std::string("xdg-open"), std::string("sensible-browser")}) {
        if (name.empty() || !compile::find_program(name)) continue;
        compile::Surroundings surroundings;
        surroundings.own_group = true;
        auto child = compile::Child::start({name, file}, {"/dev/null", "/dev/null"}, surroundings);
        if (child) return 0;
    }
    return fail(fmt::format("no browser was found to open {}: $BROWSER can name one", file));
}

}  // namespace

int write_page(std::span<const report::RunFile> runs, const PageRequest& request) {
    page::Input input;
    input.title = title_of(runs);
    for (const report::RunFile& run : runs) input.runs.push_back({&run, models_of(run.info)});
    input.sweeps = request.sweeps;
    auto html = page::make_page(input);
    if (!html) return fail(html.error().to_string());
    if (const int status = write_output(request.file, *html); status != 0) return status;
    return request.open ? open_page(request.file) : 0;
}

Result<std::filesystem::path> unnamed_page() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "lockstep-report-XXXXXX.html").string();
    const int file = error ? -1 : mkstemps(name.data(), 5);
    if (file < 0) return Error{"no file for the page can be made in the temporary folder; -o names one", {}};
    close(file);
    return std::filesystem::path(name);
}

}  // namespace lockstep::cli
