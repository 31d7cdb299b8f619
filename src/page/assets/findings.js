// What makes kernels slow, as lockstep explain says it.
import {append, card, el, note} from "./dom.js";
import {duration, fileName, percent} from "./format.js";
import {sourceLine} from "./data.js";
import {go, run} from "./state.js";

function place([file, line, share]) {
    if (file < 0) return null;
    const source = run().sources[file];
    return el("li", {},
              el("a", {href: "#", "data-tip": `${percent(share * 100, 0)} of what the finding is about happens at this line.`, onclick: event => {
                  event.preventDefault();
                  go({view: "source", line: `${file}:${line}`});
              }}, `${fileName(source.file)}:${line}`),
              " ", el("code", {}, sourceLine(run(), file, line)));
}

export function finding(kernel, one) {
    const gain = one.gain && kernel.time ? ` Predicted: ${duration(kernel.time * (1 - one.gain))} instead of ${duration(kernel.time)}.` : "";
    return el("article", {class: "finding"},
              el("div", {class: "cost", "data-tip": one.cost_from ? `How the cost was found: ${one.cost_from}` : "Share of the kernel's predicted time.", tabindex: 0},
                 one.cost > 0 ? percent(one.cost * 100, 0) : "?"),
              el("div", {},
                 el("h3", {}, one.title, " ", el("code", {class: "id"}, one.id)),
                 el("ul", {class: "places"}, one.places.map(place)),
                 one.evidence.length ? el("ul", {class: "evidence"}, one.evidence.map(evidence => el("li", {}, evidence.text))) : null,
                 el("p", {class: "advice"}, one.advice, gain ? el("strong", {}, gain) : null)));
}

export function findingsCard(kernel) {
    const node = card("Findings", "What costs this kernel time, the most expensive first. A cost is what the timing model saves without that one thing; costs do not add up.");
    append(node, [(kernel.state || []).map(line => el("p", {class: "state"}, line.charAt(0).toUpperCase() + line.slice(1)))]);
    const list = kernel.findings || [];
    append(node, [list.map(one => finding(kernel, one))]);
    if (!kernel.imagined)
        append(node, [note("This run has no times without one thing or another, which most costs are found from: lockstep explain -o FILE and lockstep profile --open make such runs, for CUDA programs.")]);
    else if (!list.length)
        append(node, [note("Nothing was found that would save 2 % or more: what bounds it is told above.")]);
    return node;
}
