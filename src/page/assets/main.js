// The frame around the views: head, tabs, kernel chooser, keys, themes.
import {append, el, note} from "./dom.js";
import {duration} from "./format.js";
import {data} from "./data.js";
import {go, kernel, onChange, readAddress, run, state} from "./state.js";
import {hideTip, startTips} from "./tips.js";
import {overview} from "./overview.js";
import {kernelView} from "./kernel.js";
import {sourceView} from "./source.js";
import {warpsView} from "./warps.js";
import {memoryView} from "./accesses.js";
import {treeView} from "./tree.js";
import {scheduleView} from "./schedule.js";
import {timelineView} from "./timeline.js";
import {compareView} from "./compare.js";
import {sweepView} from "./sweep.js";
import {metricsView} from "./metrics.js";

// {id, text, draw, ofKernel: whether it shows one kernel, there: whether the page has anything to show}
const views = [
    {id: "overview", text: "Overview", draw: overview, there: () => data.runs.length},
    {id: "kernel", text: "Kernel", draw: kernelView, ofKernel: true, there: () => data.runs.length},
    {id: "source", text: "Source", draw: sourceView, ofKernel: true, there: () => data.runs.length},
    {id: "warps", text: "Warps", draw: warpsView, ofKernel: true, there: () => data.runs.length},
    {id: "memory", text: "Accesses", draw: memoryView, ofKernel: true, there: () => data.runs.length},
    {id: "tree", text: "Threads", draw: treeView, ofKernel: true, there: () => data.runs.length},
    {id: "schedule", text: "Blocks", draw: scheduleView, ofKernel: true, there: () => data.runs.length},
    {id: "timeline", text: "Streams", draw: timelineView, there: () => data.runs.length},
    {id: "compare", text: "Compare", draw: compareView, there: () => data.runs.length > 1},
    {id: "sweep", text: "Sweep", draw: sweepView, there: () => data.sweeps.length},
    {id: "metrics", text: "Metrics", draw: metricsView, ofKernel: true, there: () => data.runs.length},
].filter(view => view.there());

const main = document.getElementById("main");

function setTheme(theme) {
    state.theme = theme;
    document.documentElement.dataset.theme = theme;
    draw();
}

function drawHead() {
    const of = run(),
        head = document.getElementById("top");
    const next = state.theme === "dark" ? "light" : "dark";
    head.replaceChildren();
    append(head, [
        el(
            "div",
            {class: "brand"},
            el(
                "h1",
                {},
                el("span", {class: "logo", "aria-hidden": "true"}, el("i"), el("i"), el("i"), el("i")),
                "lockstep",
            ),
            of
                ? el(
                      "p",
                      {},
                      el("code", {}, of.command),
                      el(
                          "span",
                          {class: "muted about", tabindex: 0, "data-tip": of.gpu},
                          ` on ${[...new Set(of.devices.map(device => device.name))].join(", ")}, ${of.started.slice(0, 16).replace("T", " ")} UTC`,
                      ),
                  )
                : null,
        ),
        el(
            "div",
            {class: "head-tools"},
            data.runs.length > 1
                ? el(
                      "label",
                      {class: "choice"},
                      el("span", {}, "Run"),
                      el(
                          "select",
                          {onchange: event => go({run: Number(event.target.value), kernel: 0})},
                          data.runs.map((one, index) =>
                              el(
                                  "option",
                                  {value: index, selected: index === state.run},
                                  `${index + 1}: ${one.file}`,
                              ),
                          ),
                      ),
                  )
                : null,
            el(
                "button",
                {type: "button", id: "theme", "data-tip": "Key: t", onclick: () => setTheme(next)},
                next === "dark" ? "Dark" : "Light",
            ),
            el("button", {type: "button", id: "keys", "data-tip": "Key: ?", onclick: showKeys}, "Keys"),
        ),
    ]);
}

function drawTabs() {
    const tabs = document.getElementById("views");
    tabs.replaceChildren();
    append(tabs, [
        el(
            "ul",
            {},
            views.map(view =>
                el(
                    "li",
                    {},
                    el(
                        "a",
                        {
                            href: `#/view=${view.id}&run=${state.run}&kernel=${state.kernel}`,
                            "aria-current": view.id === state.view ? "page" : undefined,
                        },
                        view.text,
                    ),
                ),
            ),
        ),
    ]);
    // On a phone, the tabs are wider than the window.
    const current = tabs.querySelector("[aria-current]");
    if (current) tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
}

function chooser() {
    const kernels = run().kernels,
        at = state.kernel;
    const step = (label, by, text) =>
        el(
            "button",
            {
                type: "button",
                "aria-label": label,
                "data-tip": label,
                disabled: !kernels[at + by],
                onclick: () => go({kernel: at + by}),
            },
            text,
        );
    return el(
        "div",
        {class: "chooser"},
        step("Previous kernel (k)", -1, "‹"),
        el(
            "select",
            {
                id: "kernel",
                "aria-label": "Kernel",
                onchange: event => go({kernel: Number(event.target.value)}),
            },
            kernels.map((one, index) =>
                el(
                    "option",
                    {value: index, selected: index === at},
                    `${one.function}  ${duration(one.time)}`,
                ),
            ),
        ),
        step("Next kernel (j)", 1, "›"),
    );
}

function draw() {
    hideTip();
    const view = views.find(one => one.id === state.view) || views[0];
    state.view = view.id;
    drawHead();
    drawTabs();
    main.replaceChildren();
    main.dataset.view = view.id;
    if (view.ofKernel) {
        main.append(chooser());
        if (!kernel()) return append(main, [note("No kernel was profiled in this run.")]);
    }
    view.draw(main);
}

const keys = [
    ["1 … 9", "views"],
    ["j, k", "next and previous kernel"],
    ["/", "filter"],
    ["← →", "steps, in the Warps view; with Shift those of one warp"],
    ["↑ ↓", "lines, in the Source view"],
    ["t", "light or dark"],
    ["?", "these keys"],
    ["Esc", "close"],
];

function showKeys() {
    const dialog = el(
        "dialog",
        {class: "keys", "aria-label": "Keys"},
        el("h2", {}, "Keys"),
        el(
            "table",
            {class: "plain"},
            el(
                "tbody",
                {},
                keys.map(([key, what]) =>
                    el("tr", {}, el("th", {scope: "row"}, el("kbd", {}, key)), el("td", {}, what)),
                ),
            ),
        ),
        el("form", {method: "dialog"}, el("button", {}, "Close")),
    );
    document.body.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.showModal();
}

function onKey(event) {
    if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.target.closest("input,select,textarea,dialog")
    )
        return;
    const by = {j: 1, k: -1}[event.key],
        step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (step && main.onStep && state.view === "warps")
        return (main.onStep(step, event.shiftKey), event.preventDefault());
    if (by && run() && run().kernels[state.kernel + by]) go({kernel: state.kernel + by});
    else if (event.key === "/") {
        const box = main.querySelector(".filter");
        if (box) (box.focus(), event.preventDefault());
    } else if (event.key === "t") setTheme(state.theme === "dark" ? "light" : "dark");
    else if (event.key === "?") showKeys();
    else if (/^[1-9]$/.test(event.key) && views[event.key - 1]) go({view: views[event.key - 1].id});
}

function start() {
    readAddress();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    state.theme = dark.matches ? "dark" : "light";
    document.documentElement.dataset.theme = state.theme;
    dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
    startTips();
    onChange(draw);
    addEventListener("hashchange", () => {
        readAddress();
        draw();
        scrollTo(0, 0);
    });
    addEventListener("popstate", () => {
        readAddress();
        draw();
    });
    addEventListener("keydown", onKey);
    // On paper everything is light.
    let before = null;
    addEventListener("beforeprint", () => {
        before = state.theme;
        if (before !== "light") setTheme("light");
    });
    addEventListener("afterprint", () => {
        if (before && before !== "light") setTheme(before);
    });
    const foot = document.getElementById("foot");
    const version = data.runs.length ? data.runs[0].lockstep : "";
    append(foot, [
        `Made by lockstep ${version}, without a GPU. Times are predicted; what a number is shows under the pointer. `,
    ]);
    draw();
}

start();
