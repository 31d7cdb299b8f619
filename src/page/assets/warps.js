// Warps over time: what each warp of a block did in each cycle, and with which lanes; step by step.
import {append, card, choice, el, note} from "./dom.js";
import {count, fileName} from "./format.js";
import {linesOf, stateColors, states} from "./data.js";
import {kernel, run} from "./state.js";
import {bits, closeUpOf, fullMask, hasLane, isBarrier, nobodyLooked} from "./closeup.js";
import {accessDrawing} from "./accesses.js";
import {coloured} from "./source.js";
import {kernelHead} from "./kernel.js";
import {themeColor} from "./chart.js";
import {zoomAndDrag} from "./pan.js";
import {hideTip, showTipAt} from "./tips.js";

const rowHeight = 26,
    left = 58,
    top = 22;
let mode = "lanes";
const chosen = {kernel: null, step: 0};

const modes = [
    ["lanes", "active lanes"],
    ["states", "what warps wait for"],
];

// A canvas, since there are thousands of steps.
function timeline(seen, at, pick) {
    const height = top + seen.warps * rowHeight + 8;
    const canvas = el("canvas", {
        role: "img",
        tabindex: -1,
        "aria-label": `${count(seen.steps.length)} steps of ${seen.warps} warps over ${count(seen.end)} cycles; the buttons below step through them`,
    });
    const frame = el("div", {class: "timeline"}, canvas);
    let view = [0, seen.end];
    const x = cycle => left + ((cycle - view[0]) / (view[1] - view[0])) * (canvas.clientWidth - left - 8);
    const cycleAt = px => view[0] + ((px - left) / (canvas.clientWidth - left - 8)) * (view[1] - view[0]);

    function draw() {
        const width = frame.clientWidth,
            ratio = devicePixelRatio || 1;
        if (!width) return;
        canvas.width = width * ratio;
        canvas.height = height * ratio;
        canvas.style.height = `${height}px`;
        const pen = canvas.getContext("2d");
        pen.scale(ratio, ratio);
        pen.font = "11px system-ui, sans-serif";
        pen.textBaseline = "middle";
        const ink = themeColor("ink"),
            muted = themeColor("muted"),
            line = themeColor("line"),
            on = themeColor("lane-on"),
            off = themeColor("lane-off");
        const span = view[1] - view[0],
            unit = 10 ** Math.floor(Math.log10(span / 4)),
            every = span / unit > 16 ? unit * 4 : span / unit > 8 ? unit * 2 : unit;
        pen.fillStyle = muted;
        pen.strokeStyle = line;
        for (let cycle = Math.ceil(view[0] / every) * every; cycle <= view[1]; cycle += every) {
            pen.beginPath();
            pen.moveTo(x(cycle), top - 6);
            pen.lineTo(x(cycle), height - 6);
            pen.stroke();
            if (x(cycle) < width - 40) pen.fillText(count(cycle), x(cycle) + 3, 9);
        }
        for (let warp = 0; warp < seen.warps; ++warp) {
            const y = top + warp * rowHeight,
                own = seen.byWarp[warp],
                full = bits(fullMask(seen, warp));
            pen.fillStyle = warp === at().warp ? ink : muted;
            pen.fillText(`warp ${warp}`, 4, y + rowHeight / 2 - 2);
            let before = null;
            for (const step of own) {
                const begin = before ? before.cycle + before.length : step.ready,
                    end = step.cycle + step.length;
                if (end < view[0] || begin > view[1]) {
                    before = step;
                    continue;
                }
                const from = Math.max(left, x(begin)),
                    issue = Math.max(left, x(step.cycle)),
                    to = Math.max(issue + 0.8, x(end)),
                    tall = rowHeight - 6;
                if (mode === "states") {
                    const part = (a, b, state) => {
                        if (b > a)
                            ((pen.fillStyle = stateColors[state]),
                                pen.fillRect(Math.max(left, x(a)), y, x(b) - Math.max(left, x(a)), tall));
                    };
                    part(begin, step.ready, step.reason);
                    part(step.ready, step.free, step.throttle);
                    part(step.free, step.cycle, 1);
                    pen.fillStyle = stateColors[0];
                    pen.fillRect(issue, y, to - issue, tall);
                } else {
                    // While it waits, a thin line; while it issues, as tall as lanes are active.
                    const share = bits(step.lanes) / full;
                    pen.fillStyle = off;
                    pen.fillRect(from, y + tall - 2, issue - from, 2);
                    pen.fillRect(issue, y, to - issue, tall);
                    pen.fillStyle = isBarrier(step.instruction) ? stateColors[4] : on;
                    pen.fillRect(issue, y + tall * (1 - share), to - issue, tall * share);
                }
                before = step;
            }
        }
        const step = at(),
            px = x(step.cycle + step.length / 2);
        if (px >= left) {
            pen.strokeStyle = ink;
            pen.lineWidth = 1.5;
            pen.beginPath();
            pen.moveTo(px, top - 8);
            pen.lineTo(px, height - 6);
            pen.stroke();
            pen.strokeRect(
                Math.max(left, x(step.cycle)) - 2,
                top + step.warp * rowHeight - 2,
                Math.max(4, x(step.cycle + step.length) - x(step.cycle) + 4),
                rowHeight - 2,
            );
        }
    }
    const find = event => {
        const box = canvas.getBoundingClientRect(),
            cycle = cycleAt(event.clientX - box.left),
            warp = Math.floor((event.clientY - box.top - top) / rowHeight);
        const own = seen.byWarp[warp];
        if (!own || !own.length) return null;
        return own.reduce(
            (best, step) =>
                Math.abs(step.cycle + step.length / 2 - cycle) <
                Math.abs(best.cycle + best.length / 2 - cycle)
                    ? step
                    : best,
            own[0],
        );
    };
    const zoom = zoomAndDrag(canvas, {
        left,
        begin: 0,
        end: seen.end,
        least: 20,
        shown: () => view,
        show: part => {
            view = part;
            draw();
        },
    });
    function show(step) {
        const margin = (view[1] - view[0]) * 0.1;
        if (step.cycle < view[0] || step.cycle > view[1] - margin) {
            const span = view[1] - view[0],
                begin = Math.max(0, Math.min(seen.end - span, step.cycle - span / 2));
            view = [begin, begin + span];
        }
        draw();
    }
    canvas.addEventListener("click", event => {
        const step = find(event);
        if (step) pick(step);
    });
    canvas.addEventListener("mousemove", event => {
        const step = find(event);
        if (!step) return hideTip();
        const wait = step.cycle - (step.ready < step.cycle ? step.ready : step.cycle);
        showTipAt(
            event.clientX,
            event.clientY,
            `warp ${step.warp}, cycle ${count(step.cycle)}: ${bits(step.lanes)} of ${bits(fullMask(seen, step.warp))} lanes`,
            step.instruction ? step.instruction.ptx || step.instruction.machine : "",
            `before it: ${states[step.reason].text}${wait ? `, then ${count(wait)} cycles until a scheduler took it` : ""}`,
        );
    });
    canvas.addEventListener("mouseleave", hideTip);
    new ResizeObserver(draw).observe(frame);
    return {node: frame, draw, show, zoom};
}

// The lanes of a warp at a step: working, elsewhere, or not there.
function laneGrid(seen, step) {
    const full = fullMask(seen, step.warp),
        part = step.access ? step.access.lanes >>> 0 : step.lanes;
    return el(
        "div",
        {class: "lanes", role: "img", "aria-label": `${bits(step.lanes)} of ${bits(full)} lanes are active`},
        Array.from({length: 32}, (_, lane) =>
            el(
                "span",
                {
                    class: !hasLane(full, lane)
                        ? "none"
                        : !hasLane(step.lanes, lane)
                          ? "off"
                          : hasLane(part, lane)
                            ? "on"
                            : "held",
                    "data-tip": `lane ${lane}, thread ${step.warp * 32 + lane} of the block: ${!hasLane(full, lane) ? "there is no such thread" : !hasLane(step.lanes, lane) ? "not active here: it goes another way, or has ended" : hasLane(part, lane) ? "active" : "active, but its predicate keeps it from the access"}`,
                },
                lane,
            ),
        ),
    );
}

function codeAt(step) {
    const instruction = step.instruction;
    const source =
        instruction && instruction.file >= 0 && instruction.line ? run().sources[instruction.file] : null;
    const lines = source && source.text !== null ? linesOf(source) : [];
    const node = el("div", {class: "lit", tabindex: 0, role: "region", "aria-label": "The source line"});
    if (source) {
        append(node, [el("div", {class: "muted"}, `${fileName(source.file)}:${instruction.line}`)]);
        const from = Math.max(1, instruction.line - 4),
            to = Math.min(lines.length, instruction.line + 4);
        for (let number = from; number <= to; ++number)
            append(node, [
                el(
                    "div",
                    {class: number === instruction.line ? "lit-line now" : "lit-line"},
                    el("span", {class: "number"}, number),
                    el("span", {class: "text"}, coloured(lines[number - 1] || "")),
                ),
            ]);
    }
    return node;
}

export function warpsView(view) {
    const of = kernel(),
        seen = closeUpOf(of);
    append(view, [kernelHead(of)]);
    if (!seen || !seen.steps.length) return append(view, [note(nobodyLooked)]);
    if (chosen.kernel !== of) ((chosen.kernel = of), (chosen.step = 0));
    const at = () => seen.steps[Math.min(chosen.step, seen.steps.length - 1)];
    const detail = el("div", {class: "step-detail"}),
        position = el("span", {class: "muted", role: "status", id: "step-position"});
    const slider = el("input", {
        type: "range",
        min: 0,
        max: seen.steps.length - 1,
        value: chosen.step,
        "aria-label": "Step",
        oninput: () => choose(Number(slider.value)),
    });

    function choose(index) {
        chosen.step = Math.max(0, Math.min(seen.steps.length - 1, index));
        const step = at();
        slider.value = chosen.step;
        position.textContent = `step ${count(chosen.step + 1)} of ${count(seen.steps.length)}, cycle ${count(step.cycle)}`;
        drawing.show(step);
        const instruction = step.instruction || {};
        detail.replaceChildren();
        append(detail, [
            el(
                "div",
                {},
                el(
                    "h3",
                    {},
                    `Warp ${step.warp}: ${bits(step.lanes)} of ${bits(fullMask(seen, step.warp))} lanes`,
                ),
                laneGrid(seen, step),
                el(
                    "table",
                    {class: "plain"},
                    el(
                        "tbody",
                        {},
                        el(
                            "tr",
                            {},
                            el("th", {scope: "row", "data-tip": "The PTX instruction."}, "PTX"),
                            el(
                                "td",
                                {},
                                el("code", {id: "step-ptx"}, instruction.ptx || "(added by the machine)"),
                            ),
                        ),
                        el(
                            "tr",
                            {},
                            el(
                                "th",
                                {scope: "row", "data-tip": "What the GPU would issue for it."},
                                "machine",
                            ),
                            el(
                                "td",
                                {},
                                el("code", {}, instruction.machine || "–"),
                                step.length > 1 ? ` in ${step.length} cycles` : "",
                            ),
                        ),
                        el(
                            "tr",
                            {},
                            el(
                                "th",
                                {
                                    scope: "row",
                                    "data-tip": "What the warp waited for before this step (predicted).",
                                },
                                "before it",
                            ),
                            el("td", {}, states[step.reason].text),
                        ),
                    ),
                ),
                codeAt(step),
            ),
            step.access ? el("div", {}, accessDrawing(step.access)) : null,
        ]);
    }
    const inWarp = by => {
        const own = seen.byWarp[at().warp],
            next = own[own.indexOf(at()) + by];
        if (next) choose(next.index);
    };
    const atSplit = by => {
        for (let i = chosen.step + by; seen.steps[i]; i += by) {
            const step = seen.steps[i],
                own = seen.byWarp[step.warp],
                before = own[own.indexOf(step) - 1];
            if (before && before.lanes !== step.lanes) return choose(i);
        }
    };
    const drawing = timeline(seen, at, step => choose(step.index));
    const button = (text, tip, act, id) =>
        el("button", {type: "button", id, "data-tip": tip, onclick: act}, text);
    const controls = el(
        "div",
        {class: "tools steps"},
        button("« warp", "The warp's step before (Shift ←)", () => inWarp(-1), "warp-back"),
        button("◀", "The step before (←)", () => choose(chosen.step - 1), "step-back"),
        button("▶", "The next step, of any warp (→)", () => choose(chosen.step + 1), "step-on"),
        button("warp »", "The warp's next step (Shift →)", () => inWarp(1), "warp-on"),
        button("next split", "To where a warp's active lanes change next", () => atSplit(1), "split-on"),
        slider,
        position,
        button("−", "See more cycles", () => drawing.zoom(2)),
        button("+", "See fewer cycles: or Ctrl and the wheel; drag to move", () => drawing.zoom(0.5)),
        choice("Show", modes, mode, id => {
            mode = id;
            drawing.draw();
            legend.replaceChildren();
            append(legend, legendOf());
        }),
    );
    const legendOf = () =>
        mode === "states"
            ? [...new Set(seen.steps.flatMap(step => [step.reason, 0, 1]))]
                  .sort((a, b) => a - b)
                  .map(index =>
                      el(
                          "span",
                          {},
                          el("i", {class: "dot", style: {background: stateColors[index]}}),
                          states[index].text,
                      ),
                  )
            : [
                  el(
                      "span",
                      {},
                      el("i", {class: "dot", style: {background: "var(--lane-on)"}}),
                      "issues, as high as lanes are active",
                  ),
                  el("span", {}, el("i", {class: "dot", style: {background: stateColors[4]}}), "barrier"),
                  el(
                      "span",
                      {},
                      el("i", {class: "dot", style: {background: "var(--lane-off)"}}),
                      "idle lanes; a thin line while it waits",
                  ),
              ];
    const legend = el("p", {class: "legend"}, legendOf());
    const target = el(
        "div",
        {class: "keys-target"},
        card(
            "Warps over time",
            "The first block of the kernel's first launch, on its SM. When a warp issues is predicted; which lanes are active was recorded.",
            note(
                `Block 0 of ${count(seen.grid_blocks)}: ${count(seen.threads)} threads, ${count(seen.warps)} ${seen.warps === 1 ? "warp" : "warps"}.`,
                seen.cut
                    ? ` The first ${count(seen.steps.length)} steps; the block went on.`
                    : ` ${count(seen.steps.length)} steps in ${count(seen.end)} cycles.`,
            ),
            drawing.node,
            legend,
            controls,
            detail,
        ),
    );
    view.append(target);
    view.onStep = (by, warp) => (warp ? inWarp(by) : choose(chosen.step + by));
    requestAnimationFrame(() => choose(chosen.step));
}
