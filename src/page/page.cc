#include "page/page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "page/assets.h"
#include "page/metric-list.h"
#include "page/run-data.h"
#include "report/time-words.h"

namespace lockstep::page {
namespace {

using nlohmann::json;

// A program may name its kernels and files as it likes: nothing of it may end the element that holds the
// data.
std::string inert(const json& data) {
    const std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
    std::string result;
    result.reserve(text.size() + text.size() / 64);
    for (const char c : text) {
        if (c == '<')
            result += "\\u003c";
        else if (c == '>')
            result += "\\u003e";
        else if (c == '&')
            result += "\\u0026";
        else
            result += c;
    }
    return result;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '&': result += "&amp;"; break;
            case '"': result += "&quot;"; break;
            default: result += c;
        }
    }
    return result;
}

// Each {{NAME}} of the frame, once, in one pass: what is put in is not looked at again.
std::string filled(std::string_view frame,
                   const std::vector<std::pair<std::string_view, std::string_view>>& parts) {
    std::string result;
    while (true) {
        const std::size_t begin = frame.find("{{"), end = frame.find("}}", begin);
        result += frame.substr(0, begin);
        if (begin == std::string_view::npos || end == std::string_view::npos) return result;
        const std::string_view name = frame.substr(begin + 2, end - begin - 2);
        for (const auto& [part, text] : parts)
            if (part == name) result += text;
        frame.remove_prefix(end + 2);
    }
}

// The words for warp states and for what bounds a launch, by the names that files have.
json words() {
    json states = json::array(), bounds = json::object();
    for (std::size_t s = 0; s < timing::warp_states; ++s) {
        const auto state = static_cast<timing::WarpState>(s);
        states.push_back({{"name", timing::state_name(state)},
                          {"word", report::state_word(state)},
                          {"text", report::state_text(state)}});
    }
    for (int b = 0; b <= static_cast<int>(timing::Bound::tail); ++b) {
        const auto bound = static_cast<timing::Bound>(b);
        bounds[std::string(timing::bound_name(bound))] = {{"text", report::bound_text(bound)},
                                                          {"explanation", report::bound_explanation(bound)}};
    }
    return {{"states", std::move(states)}, {"bounds", std::move(bounds)}};
}

Result<json> sweep_data(const SweepInput& input) {
    json data = json::parse(input.json, nullptr, false);
    if (!data.is_object() || !data.contains("kernels") || !data["kernels"].is_array())
        return Error{"this is not what lockstep sweep --json writes", {input.name}};
    return json{{"name", input.name}, {"kernels", std::move(data["kernels"])}};
}

}  // namespace

Result<std::string> make_page(const Input& input) {
    const MetricList metrics(input.runs);
    json runs = json::array(), sweeps = json::array();
    for (const RunInput& one : input.runs) {
        auto data = run_data(one, metrics);
        if (!data) return data.error();
        runs.push_back(std::move(*data));
    }
    for (const SweepInput& one : input.sweeps) {
        auto data = sweep_data(one);
        if (!data) return data.error();
        sweeps.push_back(std::move(*data));
    }
    const std::string data = inert({{"metrics", metrics.definitions()},
                                    {"words", words()},
                                    {"runs", std::move(runs)},
                                    {"sweeps", std::move(sweeps)}});
    const std::string title = escaped(input.title);
    return filled(page_frame, {{"title", title},
                               {"style", page_style},
                               {"chart style", chart_style},
                               {"chart script", chart_script},
                               {"chart licence", chart_licence},
                               {"data", data},
                               {"script", page_script}});
}

}  // namespace lockstep::page
