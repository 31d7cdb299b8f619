#include "serve/lab-page.h"

#include <fmt/format.h>
#include <md4c-html.h>

#include <string_view>

namespace lockstep::serve {
namespace {

// As text or an attribute's value.
std::string escaped(std::string_view text) {
    std::string html;
    for (const char c : text) switch (c) {
            case '&': html += "&amp;"; break;
            case '<': html += "&lt;"; break;
            case '>': html += "&gt;"; break;
            case '"': html += "&quot;"; break;
            default: html += c;
        }
    return html;
}

std::string html_of(const std::string& markdown) {
    std::string html;
    const auto append = [](const MD_CHAR* text, MD_SIZE size, void* to) {
        static_cast<std::string*>(to)->append(text, size);
    };
    md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), append, &html,
            MD_DIALECT_GITHUB | MD_FLAG_NOHTML, 0);
    return html;
}

std::string document(std::string_view title, std::string_view token, std::string_view body) {
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"token\" "
        "content=\"{}\">\n"
        "<title>{}</title>\n<link rel=\"stylesheet\" href=\"/style.css\">\n<script src=\"/script.js\" "
        "defer></script>\n"
        "</head>\n<body>\n{}</body>\n</html>\n",
        escaped(token), escaped(title), body);
}

}  // namespace

std::string index_page(const std::vector<labs::Lab>& labs, const std::string& token) {
    std::string list;
    for (const labs::Lab& lab : labs)
        list += fmt::format("<li><a href=\"/lab/{}\">{}</a></li>\n", lab.name, escaped(lab.title));
    return document(
        "lockstep's labs", token,
        fmt::format("<main class=\"index\">\n<h1>Labs</h1>\n<p>A quarter of an hour each: a question, a "
                    "prediction to make, what comes out, why, and an exercise.</p>\n<ol>\n{}</ol>\n</main>\n",
                    list));
}

std::string lab_page(const std::vector<labs::Lab>& labs, const labs::Lab& lab, const Exercise& exercise,
                     const std::string& token) {
    std::string neighbours;
    for (std::size_t i = 0; i < labs.size(); ++i) {
        if (labs[i].name != lab.name) continue;
        const auto link = [&](const labs::Lab& to, const char* words) {
            return fmt::format("<a href=\"/lab/{}\" title=\"{}\">{}</a>\n", to.name, escaped(to.title),
                               words);
        };
        if (i > 0) neighbours += link(labs[i - 1], "Before");
        if (i + 1 < labs.size()) neighbours += link(labs[i + 1], "Next");
    }
    // A line break behind the opening tag is not part of the text, so that one in it stays.
    const std::string editor = fmt::format(
        "<section class=\"work\" aria-label=\"Exercise\" data-lab=\"{}\">\n"
        "<div class=\"bar\"><strong>{}</strong> <span id=\"saved\" role=\"status\"></span></div>\n"
        "<textarea id=\"source\" aria-label=\"{}\" spellcheck=\"false\" autocapitalize=\"off\" "
        "wrap=\"off\">\n{}</textarea>\n"
        "<textarea id=\"start\" hidden aria-hidden=\"true\" tabindex=\"-1\">\n{}</textarea>\n"
        "<div class=\"bar\">\n<button data-do=\"run\" title=\"Ctrl+Enter\">Run</button>\n"
        "<button data-do=\"grade\" class=\"main\">Check my solution</button>\n<button "
        "data-do=\"profile\">Profile</button>\n"
        "<button data-do=\"explain\">Explain</button>\n<button data-do=\"bugs\">Find bugs</button>\n"
        "<button data-do=\"page\" title=\"those of 'Run it'\">Run the page's commands</button>\n"
        "<button id=\"again\">Start over</button>\n</div>\n"
        "<p id=\"state\" role=\"status\"></p>\n<pre id=\"output\" role=\"region\" tabindex=\"0\" "
        "aria-label=\"Output\"></pre>\n</section>\n",
        lab.name, escaped(exercise.file), escaped(exercise.file), escaped(exercise.source),
        escaped(exercise.start));
    return document(
        lab.title, token,
        fmt::format(
            "<nav><a href=\"/\">All labs</a>\n{}</nav>\n<div class=\"lab\">\n<main tabindex=\"0\">\n{}</main>\n{}</div>\n",
            neighbours, html_of(lab.page), editor));
}

std::string error_page(const std::string& message) {
    return document(
        "lockstep", "",
        fmt::format("<main class=\"index\"><h1>Not here</h1><p>{}</p></main>\n", escaped(message)));
}

}  // namespace lockstep::serve
