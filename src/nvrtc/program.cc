#include "nvrtc/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "base/hash.h"
#include "base/paths.h"
#include "compile/cache.h"
#include "compile/fatbin.h"
#include "compile/files.h"
#include "compile/identity.h"
#include "compile/precompiled.h"
#include "compile/version.h"
#include "nvrtc/name-expressions.h"
#include "nvrtc/options.h"

namespace lockstep::nvrtc {
namespace {

namespace fs = std::filesystem;

// What is not annotated becomes device code, as nvcc's own programs never see it: the functions for both
// sides, of which there is only one here.
constexpr const char* default_device_begin =
    "#pragma clang force_cuda_host_device begin\n"
    "#pragma clang diagnostic ignored \"-Wpragma-clang-attribute\"\n"  // a program without variables
    "#pragma clang attribute push(__attribute__((device)), apply_to = variable(is_global))\n";
constexpr const char* default_device_end =
    "#pragma clang attribute pop\n#pragma clang force_cuda_host_device end\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

// A program may be called anything; the file that clang reads has a name that is safe on a command line.
std::string file_name(const std::string& name) {
    std::string result = fs::path(name).filename().string();
    for (char& c : result)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-') c = '_';
    return result.empty() || result.size() > 100 ? "program" : "_" + result;
}

// The folders and files that one compilation has.
struct Workplace {
    compile::TempDir scratch;
    fs::path source, headers, preamble;

    std::string shown(std::string messages, const std::string& name) const {
        messages = replaced(std::move(messages), source.string(), name);
        return replaced(std::move(messages), headers.string() + "/", "");
    }
};

Result<Workplace> lay_out(const std::string& name, const std::string& text,
                          const std::vector<Header>& headers) {
    auto scratch = compile::TempDir::create();
    if (!scratch) return scratch.error();
    const fs::path root = scratch->path();
    // Headers may be called "../x.h": there is room above their folder.
    Workplace place{std::move(*scratch), root / "source" / file_name(name), root / "h/h/h/h/h/h/h/h",
                    root / "preamble.h"};
    std::error_code failed;
    fs::create_directories(place.source.parent_path(), failed);
    if (auto written = compile::write_file(place.source, text); !written) return written.error();
    if (auto written = compile::write_file(place.preamble, default_device_begin); !written)
        return written.error();
    for (const Header& header : headers) {
        const fs::path file = (place.headers / header.name).lexically_normal();
        if (fs::path(header.name).is_absolute() || !file.string().starts_with(root.string() + "/h/"))
            return Error{
                fmt::format("the header '{}' has a name outside of any folder that it could be put into",
                            header.name),
                {}};
        fs::create_directories(file.parent_path(), failed);
        if (auto written = compile::write_file(file, header.text); !written) return written.error();
    }
    return place;
}

}  // namespace

struct Program::Compiled {
    std::string ptx, messages;
};

Result<Program::Compiled> Program::make(const Options& options) {
    const auto toolchain = compile::find_toolchain(reinterpret_cast<const void*>(&known_options));
    if (!toolchain) return toolchain.error();
    const base::FileCache files = options.use_cache ? compile::usable_cache() : base::FileCache({}, 0);
    compile::Flags flags = options.flags;
    if (files.in_use())
        if (auto headers = compile::precompiled_at_run_time(*toolchain, flags,
                                                            compile::long_headers_in(source_, flags), files))
            flags.precompiled.device = *headers;

    base::Hash hash;
    hash.add(compile::version())
        .add(compile::identity(base::module_file(reinterpret_cast<const void*>(&known_options))))
        .add(compile::identity(toolchain->clang))
        .add(compile::identity(toolchain->device_compiler))
        .add(toolchain->include.string())
        .add(flags.precompiled.device.string());
    for (const std::string& flag : flags.common) hash.add(flag);
    hash.add(fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", fmt::join(flags.architectures, ","),
                         fmt::join(flags.specific, ","), flags.device_debug, flags.flush_denormals,
                         flags.precise_division, flags.precise_sqrt, flags.contract, flags.fast_math,
                         flags.relocatable, flags.no_warnings, options.default_device,
                         options.source_include));
    std::error_code ignored;
    hash.add(fs::current_path(ignored).string()).add(name_).add(source_);
    for (const Header& header : headers_) hash.add(header.name).add(header.text);
    for (const std::string& expression : expressions_) hash.add("expression").add(expression);
    const std::string key = hash.hex();
    const compile::Cache cache(files);
    if (files.in_use())
        if (auto found = cache.find(key))
            if (auto ptx = compile::read_file(found->file)) return Compiled{*ptx, found->messages};

    std::string text = source_ + "\n" + instantiations(expressions_);
    if (options.default_device) text += default_device_end;
    auto place = lay_out(name_, text, headers_);
    if (!place) return place.error();
    compile::Arguments& common = flags.common;
    common.insert(common.begin(), "-I" + place->headers.string());
    if (options.default_device) common.insert(common.begin(), {"-include", place->preamble.string()});
    if (const fs::path folder = fs::path(name_).parent_path(); options.source_include && !folder.empty())
        common.push_back("-I" + folder.string());
    common.push_back(fmt::format("-ffile-prefix-map={}={}", place->source.string(), name_));
    common.push_back(fmt::format("-ffile-prefix-map={}/=", place->headers.string()));
    const fs::path output = place->scratch.path() / "program.ptx";
    auto compiled = compile::compile_to_ptx(*toolchain, place->source, flags, output);
    if (!compiled) return Error{place->shown(compiled.error().message, name_), {}};
    Compiled result{compile::read_file(output).value_or(""), place->shown(compiled->messages, name_)};
    if (files.in_use()) {
        const std::string own = place->scratch.path().string() + "/";
        std::erase_if(compiled->dependencies,
                      [&](const fs::path& file) { return file.string().starts_with(own); });
        // What cannot be kept is made again.
        [[maybe_unused]] const auto kept = cache.store(key, output, compiled->dependencies, result.messages);
    }
    return result;
}

Outcome Program::compile(std::span<const char* const> words, int architecture) {
    attempted_ = true;
    compiled_ = false;
    ptx_.clear(), image_.clear(), log_.clear(), lowered_.clear();
    auto options = parse_options(words, architecture);
    if (!options) {
        log_ = fmt::format("nvrtc: error: {}\n", options.error().message);
        return Outcome::invalid_option;
    }
    auto made = make(*options);
    if (!made) {
        log_ = made.error().message + "\n";
        return Outcome::compilation;
    }
    if (!options->flags.no_warnings)
        for (const std::string& warning : options->warnings) log_ += "nvrtc: warning: " + warning + "\n";
    log_ += made->messages;
    if (made->ptx.find("_ZL") != std::string::npos) made->ptx = with_plain_statics(made->ptx);
    lowered_ = take_lowered_names(made->ptx, expressions_);
    compiled_ = true;
    if (options->syntax_only) return Outcome::success;
    ptx_ = std::move(made->ptx);
    if (options->machine_code) {
        const compile::FatbinPtx entry{ptx_, options->flags.architectures.back(), false,
                                       ptx::to_string(options->flags.assembler)};
        image_ = compile::write_fatbin({&entry, 1});
    }
    return Outcome::success;
}

}  // namespace lockstep::nvrtc
