// What makes kernels slow, as lockstep explain says it.
import {append, card, el, note} from "./dom.js";
import {duration, fileName, percent} from "./format.js";
import {sourceLine} from "./data.js";
import {go, run} from "./state.js";

function place([file, line, share]) {
    if (file < 0) return null;
    const source = run().sources[file];
    return el(
        "li",
        {},
        el(
            "a",
            {
                href: "#",
                "data-tip": `${percent(share * 100, 0)} of what the finding is about happens at this line.`,
                onclick: event => {
                    event.preventDefault();
                    go({view: "source", line: `${file}:${line}`});
                },
            },
            `${fileName(source.file)}:${line}`,
        ),
        " ",
        el("code", {}, sourceLine(run(), file, line)),
    );
}

// `time`: of what the finding is about.
export function finding(time, one) {
    const gain =
        one.gain && time
            ? ` Predicted: ${duration(time * (1 - one.gain))} instead of ${duration(time)}.`
            : "";
    return el(
        "article",
        {class: "finding"},
        el(
            "div",
            {
                class: "cost",
                "data-tip": one.cost_from
                    ? `How the cost was found: ${one.cost_from}`
                    : "Share of the predicted time.",
                tabindex: 0,
            },
            one.cost > 0 ? percent(one.cost * 100, 0) : "?",
        ),
        el(
            "div",
            {},
            el("h3", {}, one.title, " ", el("code", {class: "id"}, one.id)),
            el("ul", {class: "places"}, one.places.map(place)),
            one.evidence.length
                ? el(
                      "ul",
                      {class: "evidence"},
                      one.evidence.map(evidence => el("li", {}, evidence.text)),
                  )
                : null,
            el("p", {class: "advice"}, one.advice, gain ? el("strong", {}, gain) : null),
        ),
    );
}

export function findingsCard(kernel) {
    const node = card(
        "Findings",
        "What costs this kernel time, the most expensive first. A cost is what the timing model saves without that one thing; costs do not add up.",
    );
    append(node, [
        (kernel.state || []).map(line =>
            el("p", {class: "state"}, line.charAt(0).toUpperCase() + line.slice(1)),
        ),
    ]);
    const list = kernel.findings || [];
    append(node, [list.map(one => finding(kernel.time, one))]);
    if (!kernel.imagined)
        append(node, [
            note(
                "This run has no times without one thing or another, which most costs are found from: lockstep explain -o FILE and lockstep profile --open make such runs, for CUDA programs.",
            ),
        ]);
    else if (!list.length)
        append(node, [note("Nothing was found that would save 2 % or more: what bounds it is told above.")]);
    if ((kernel.notes || []).length)
        append(node, [
            el("h3", {class: "apart"}, "How its figures come about"),
            kernel.notes.map(one =>
                el(
                    "div",
                    {class: "remark"},
                    el("p", {}, one.text),
                    el("ul", {class: "places"}, one.places.map(place)),
                ),
            ),
        ]);
    return node;
}

// The program as a whole: copies, streams, many small kernels.
export function programCard(of) {
    const {state, findings, time} = of.program;
    if (!state.length && !findings.length) return null;
    return card(
        "The program as a whole",
        "From the first copy or kernel to the end of the last one, in simulated time. Costs are shares of that time.",
        state.map(line => el("p", {class: "state"}, line.charAt(0).toUpperCase() + line.slice(1))),
        findings.map(one => finding(time, one)),
    );
}

// Kernels that take the same parameters, one after the other: what each step brought.
export function stepsCard(of) {
    const {steps} = of.program;
    if (!steps.length) return null;
    return card(
        "Steps of a ladder",
        "Kernels with the same parameters, in the order of their first launches: how much faster each is than the one before, and why.",
        el(
            "ol",
            {class: "ladder"},
            steps.map(step => {
                const times = step.time_to ? step.time_from / step.time_to : null;
                return el(
                    "li",
                    {},
                    el("b", {}, step.from),
                    " → ",
                    el("b", {}, step.to),
                    ": ",
                    `${duration(step.time_from)} → ${duration(step.time_to)}`,
                    times
                        ? el(
                              "span",
                              {class: Math.abs(times - 1) < 0.02 ? "muted" : times > 1 ? "better" : "worse"},
                              ` ${times.toFixed(2)}×`,
                          )
                        : null,
                    el(
                        "ul",
                        {class: "evidence"},
                        step.reasons.map(reason => el("li", {}, reason)),
                    ),
                );
            }),
        ),
    );
}
