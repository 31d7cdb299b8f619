#include "serve/server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <signal.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/paths.h"
#include "compile/files.h"
#include "labs/labs.h"
#include "labs/requirements.h"
#include "serve/lab-page.h"

namespace lockstep::serve {
namespace {

using httplib::Request, httplib::Response;
using nlohmann::json;

constexpr const char* address = "127.0.0.1";
constexpr std::size_t most_bytes = 1 << 20;  // of a request
constexpr const char* kernel_seconds = "20";

Result<std::string> new_token() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        return Error{"the system gives no random numbers", {}};
    std::string token;
    for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

// Takes the same time wherever they differ.
bool is_same(const std::string& a, const std::string& b) {
    unsigned char difference = a.size() != b.size();
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        difference |= static_cast<unsigned char>(a[i] ^ b[i]);
    return difference == 0;
}

class Labs {
  public:
    Labs(const Options& options, std::string token, int port)
        : options_(options),
          token_(std::move(token)),
          hosts_{fmt::format("{}:{}", address, port), fmt::format("localhost:{}", port)} {
        cookie_ = fmt::format("lockstep-{}", port);
    }

    void set_up(httplib::Server& server) {
        server.set_payload_max_length(most_bytes);
        server.set_default_headers(
            {{"Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'"},
             {"X-Content-Type-Options", "nosniff"},
             {"Referrer-Policy", "no-referrer"},
             {"Cache-Control", "no-store"}});
        server.set_pre_routing_handler([this](const Request& request, Response& response) {
            const std::string wrong = what_is_wrong(request);
            if (wrong.empty()) return httplib::Server::HandlerResponse::Unhandled;
            response.status = 403;
            response.set_content(error_page(wrong), "text/html");
            return httplib::Server::HandlerResponse::Handled;
        });
        server.Get("/", [this](const Request& request, Response& response) {
            const auto all = labs::all_labs();
            if (!all) return fail(response, 500, all.error().to_string());
            remember_token(request, response);
            response.set_content(index_page(*all, token_), "text/html");
        });
        server.Get(R"(/lab/([a-z0-9-]+))",
                   [this](const Request& request, Response& response) { show(request, response); });
        for (const auto& [name, type] :
             {std::pair{"style.css", "text/css"}, {"script.js", "text/javascript"}})
            server.Get(std::string("/") + name, [file = std::string(name), kind = std::string(type)](
                                                    const Request&, Response& response) {
                const auto folder = base::find_resource("pages");
                const auto text = folder ? base::read_file(*folder / file) : std::nullopt;
                text ? response.set_content(*text, kind) : fail(response, 500, file + " cannot be read");
            });
        server.Post(R"(/lab/([a-z0-9-]+)/([a-z]+))",
                    [this](const Request& request, Response& response) { act(request, response); });
        // Browsers ask for one; there is none.
        server.Get("/favicon.ico", [](const Request&, Response& response) { response.status = 204; });
        server.set_error_handler([](const Request&, Response& response) {
            if (response.body.empty())
                response.set_content(error_page("There is no such page."), "text/html");
        });
    }

  private:
    static void fail(Response& response, int status, const std::string& message) {
        response.status = status;
        response.set_content(error_page(message), "text/html");
    }

    // Why a request is not one of our own pages' in the browser of who started us; nothing: it is.
    std::string what_is_wrong(const Request& request) const {
        // A name that somebody else's server gave to this address would be here.
        const std::string host = request.get_header_value("Host");
        if (host != hosts_[0] && host != hosts_[1]) return "This server answers to its own address alone.";
        // Another site's page.
        if (request.has_header("Origin")) {
            const std::string origin = request.get_header_value("Origin");
            if (origin != "http://" + hosts_[0] && origin != "http://" + hosts_[1])
                return "This server answers its own pages alone.";
        }
        const bool changes = request.method != "GET" && request.method != "HEAD";
        const bool known = changes ? is_same(request.get_header_value("X-Lockstep-Token"), token_)
                                   : is_same(request.get_param_value("token"), token_) || has_cookie(request);
        if (!known) return "The address lacks its token: open the one that `lockstep lab serve` has printed.";
        return "";
    }

    bool has_cookie(const Request& request) const {
        const std::string all = "; " + request.get_header_value("Cookie") + ";";
        const std::size_t at = all.find("; " + cookie_ + "=");
        if (at == all.npos) return false;
        const std::size_t begin = at + cookie_.size() + 3;
        return is_same(all.substr(begin, all.find(';', begin) - begin), token_);
    }

    // So that the pages' links need not carry it.
    void remember_token(const Request& request, Response& response) const {
        if (request.has_param("token"))
            response.set_header("Set-Cookie",
                                fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie_, token_));
    }

    Result<std::filesystem::path> learners_file(const labs::Lab& lab) const {
        auto start = lab.starting_file();
        if (!start) return start.error();
        return options_.folder / (lab.name + start->extension().string());
    }

    void show(const Request& request, Response& response) const {
        const auto all = labs::all_labs();
        if (!all) return fail(response, 404, all.error().to_string());
        const auto lab = std::ranges::find(*all, std::string(request.matches[1]), &labs::Lab::name);
        if (lab == all->end())
            return fail(response, 404, labs::find_lab(request.matches[1]).error().to_string());
        const auto start = lab->starting_file();
        const auto file = learners_file(*lab);
        if (!start || !file) return fail(response, 500, start.error().to_string());
        Exercise exercise;
        exercise.file = file->filename().string();
        exercise.start = base::read_file(*start).value_or("");
        exercise.source = base::read_file(*file).value_or(exercise.start);
        remember_token(request, response);
        response.set_content(lab_page(*all, *lab, exercise, token_), "text/html");
    }

    static void answer(Response& response, int status, const json& data) {
        response.status = status;
        // What programs print need not be UTF-8.
        response.set_content(data.dump(-1, ' ', false, json::error_handler_t::replace), "application/json");
    }

    // save, run, grade, profile, explain, bugs: of the learner's file, which is saved first; page: of the
    // page's commands.
    void act(const Request& request, Response& response) {
        const auto lab = labs::find_lab(request.matches[1]);
        if (!lab) return answer(response, 404, {{"error", lab.error().to_string()}});
        const std::string what = request.matches[2];
        if (what != "page") {
            const json data = json::parse(request.body, nullptr, false);
            if (!data.is_object() || !data.contains("source") || !data["source"].is_string())
                return answer(response, 400, {{"error", "the request holds no source"}});
            const auto saved = save(*lab, data["source"].get<std::string>());
            if (!saved) return answer(response, 500, {{"error", saved.error().to_string()}});
            if (what == "save") return answer(response, 200, json::object());
        }
        const auto arguments = arguments_of(*lab, what);
        if (!arguments) return answer(response, 404, {{"error", arguments.error().to_string()}});
        const std::unique_lock lock(running_, std::try_to_lock);
        if (!lock)
            return answer(response, 429, {{"error", "another program is still running: wait for its end"}});
        const auto outcome = run_limited(*arguments, options_.limits);
        if (!outcome) return answer(response, 500, {{"error", outcome.error().to_string()}});
        answer(response, 200,
               {{"output", outcome->output},
                {"good", outcome->status.ok()},
                {"ended", outcome->too_long
                              ? fmt::format("was stopped after {} seconds", options_.limits.time.count())
                              : outcome->status.to_string()},
                {"seconds", outcome->seconds}});
    }

    // The old text stays until the new one is whole.
    Result<void> save(const labs::Lab& lab, const std::string& source) const {
        const auto file = learners_file(lab);
        if (!file) return file.error();
        std::error_code error;
        std::filesystem::create_directories(options_.folder, error);
        const std::filesystem::path next = file->string() + ".new";
        if (auto written = compile::write_file(next, source); !written) return written.error();
        std::filesystem::rename(next, *file, error);
        if (error) return Error{fmt::format("cannot write {}: {}", file->string(), error.message()), {}};
        return {};
    }

    Result<compile::Arguments> arguments_of(const labs::Lab& lab, const std::string& what) const {
        const std::string command = options_.command.string();
        if (what == "page") return compile::Arguments{command, "lab", lab.name, "--run"};
        const auto file = learners_file(lab);
        if (!file) return file.error();
        if (what == "grade") return compile::Arguments{command, "lab", "check", lab.name, file->string()};
        const std::pair<const char*, const char*> commands[] = {
            {"run", "run"}, {"profile", "profile"}, {"explain", "explain"}, {"bugs", "check"}};
        for (const auto& [name, word] : commands) {
            if (what != name) continue;
            auto asked = labs::read_requirements(lab.requirements_file());
            if (!asked) return asked.error();
            compile::Arguments arguments{command, word};
            if (!asked->gpu.empty()) arguments.insert(arguments.end(), {"--gpu", asked->gpu});
            arguments.insert(arguments.end(), {"--timeout", kernel_seconds, file->string(), "--"});
            arguments.insert(arguments.end(), asked->arguments.begin(), asked->arguments.end());
            return arguments;
        }
        return Error{fmt::format("there is nothing called '{}' to do", what), {}};
    }

    const Options& options_;
    const std::string token_;
    const std::array<std::string, 2> hosts_;
    std::string cookie_;
    std::mutex running_;
};

}  // namespace

Result<void> serve(const Options& options) {
    auto token = new_token();
    if (!token) return token.error();
    // The signals that end it are waited for, by a thread of their own; set before others begin.
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);

    httplib::Server server;
    int port = options.port;
    if (port == 0)
        port = server.bind_to_any_port(address);
    else if (!server.bind_to_port(address, port))
        port = -1;
    if (port <= 0)
        return Error{
            fmt::format("port {} of {} cannot be had: another program may have it", options.port, address),
            {}};
    Labs labs(options, *token, port);
    labs.set_up(server);
    std::thread waiting([&] {
        int signal = 0;
        sigwait(&ends, &signal);
        server.stop();
    });
    fmt::print("The labs: http://{}:{}/?token={}\nYour files: {}\nCtrl+C ends it.\n", address, port, *token,
               std::filesystem::absolute(options.folder).lexically_normal().string());
    std::fflush(stdout);
    server.listen_after_bind();
    pthread_kill(waiting.native_handle(), SIGTERM);
    waiting.join();
    return {};
}

}  // namespace lockstep::serve
