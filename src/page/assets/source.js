// The source with what each line costs, and the PTX and machine instructions of a line beside it.
import {append, bar, card, choice, el, note} from "./dom.js";
import {count, fileName, percent} from "./format.js";
import {instructionsOf, linesOf, stateColors, states, sumOf} from "./data.js";
import {go, kernel, run, state} from "./state.js";
import {kernelHead} from "./kernel.js";

export const heats = {
    cycles: {
        text: "time of warps",
        tip: "Cycles that warps spend at the line (predicted).",
        of: sum => sum.allCycles,
    },
    executed: {
        text: "instructions",
        tip: "Warp instructions that the machine executes for the line.",
        of: sum => sum.executed,
    },
    idle: {
        text: "idle lanes",
        tip: "Lanes that are not active, summed over the line's warp instructions.",
        of: sum => sum.executed * 32 - sum.active,
    },
    divergent: {text: "divergent branches", tip: "Branches that part their warp.", of: sum => sum.divergent},
    sectors: {
        text: "wasted sectors",
        tip: "Sectors of global and local memory beyond those that the same bytes need.",
        of: sum => Math.max(0, sum.sectors - sum.idealSectors),
    },
    banks: {
        text: "bank conflicts",
        tip: "Passes over the banks of shared memory beyond those that the same words need.",
        of: sum => Math.max(0, sum.wavefronts - sum.idealWavefronts),
    },
};
let heat = "cycles";

const keywords =
    /^(?:alignas|auto|bool|break|case|char|class|const|constexpr|continue|default|delete|do|double|else|enum|explicit|extern|false|float|for|if|inline|int|long|namespace|new|nullptr|operator|private|public|return|short|signed|sizeof|static|struct|switch|template|this|true|typedef|typename|union|unsigned|using|virtual|void|volatile|while|__global__|__device__|__host__|__shared__|__constant__|__restrict__|__syncthreads|__syncwarp|threadIdx|blockIdx|blockDim|gridDim|half|size_t|uint32_t|uint64_t|int32_t|int64_t)$/;
const token =
    /(\/\/.*$|\/\*.*?\*\/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|^\s*#\s*\w+|\b\d[\w.']*|\b[A-Za-z_]\w*\b)/g;

export function coloured(text) {
    const parts = [];
    let last = 0;
    for (const match of text.matchAll(token)) {
        const [word] = match;
        const kind =
            word.startsWith("//") || word.startsWith("/*")
                ? "c"
                : word[0] === '"' || word[0] === "'"
                  ? "s"
                  : /^\s*#/.test(word)
                    ? "p"
                    : /^\d/.test(word)
                      ? "n"
                      : keywords.test(word)
                        ? "k"
                        : null;
        if (!kind) continue;
        parts.push(text.slice(last, match.index), el("span", {class: `t-${kind}`}, word));
        last = match.index + word.length;
    }
    parts.push(text.slice(last));
    return parts;
}

export const sourceStates = {
    missing:
        "The text of this file was not kept in the run (it could not be read, or is larger than 4 MB): lines have their numbers only.",
    gone: "This file is not there any more, or not on this machine: what follows is its text when the program ran.",
    changed: "This file has changed since the program ran: what follows is its text then.",
};

// By line: its instructions. Code that belongs to no line is under 0.
function byLine(of, file) {
    const lines = new Map();
    for (const one of instructionsOf(of)) {
        if (!one.ptx && !one.machine && !one.allCycles) continue;
        const placed = one.file >= 0 && one.line ? one.line : 0;
        if ((placed ? one.file : -1) !== file) continue;
        if (!lines.has(placed)) lines.set(placed, []);
        lines.get(placed).push(one);
    }
    return lines;
}

function detail(of, lines, number, all) {
    const instructions = lines.get(number);
    const place = el("div", {class: "detail", "aria-live": "polite"});
    if (!instructions)
        return (
            append(place, [
                note("Choose a line that has code: its PTX and machine instructions are shown here."),
            ]),
            place
        );
    const sum = sumOf(instructions);
    const row = (label, text, tip) =>
        el("tr", {}, el("th", {scope: "row", "data-tip": tip}, label), el("td", {}, text));
    const main = sum.cycles
        .map((cycles, index) => ({cycles, index}))
        .filter(one => one.cycles)
        .sort((a, b) => b.cycles - a.cycles)
        .slice(0, 4);
    append(place, [
        el("h3", {}, number ? `Line ${number}` : "Code of no line in particular"),
        main.length
            ? el(
                  "div",
                  {class: "stack small", role: "img", "aria-label": "What warps do at this line"},
                  sum.cycles.map((cycles, index) =>
                      cycles
                          ? el("span", {
                                style: {
                                    width: `${(cycles / sum.allCycles) * 100}%`,
                                    background: stateColors[index],
                                },
                                "data-tip": `${percent((cycles / sum.allCycles) * 100)} ${states[index].text}`,
                            })
                          : null,
                  ),
              )
            : null,
        main.length
            ? note(
                  main
                      .map(
                          one =>
                              `${percent((one.cycles / sum.allCycles) * 100, 0)} ${states[one.index].text}`,
                      )
                      .join(", "),
              )
            : null,
        el(
            "table",
            {class: "plain"},
            el(
                "tbody",
                {},
                row(
                    "warp instructions",
                    `${count(sum.executed)} (${percent(all.executed ? (sum.executed / all.executed) * 100 : 0)})`,
                    heats.executed.tip,
                ),
                sum.executed
                    ? row(
                          "active lanes",
                          (sum.active / sum.executed).toFixed(1),
                          "Active threads a warp instruction; of 32 where a warp has as many.",
                      )
                    : null,
                sum.executed && sum.on !== sum.active
                    ? row(
                          "predicate holds",
                          (sum.on / sum.executed).toFixed(1),
                          "Threads a warp instruction whose predicate holds.",
                      )
                    : null,
                sum.branches
                    ? row(
                          "branches",
                          `${count(sum.branches)}, ${count(sum.divergent)} part their warp`,
                          heats.divergent.tip,
                      )
                    : null,
                sum.sectors
                    ? row(
                          "sectors",
                          `${count(sum.sectors)}, ideally ${count(sum.idealSectors)}`,
                          "32-byte sectors of global and local memory that were touched; the fewest that could hold the same bytes.",
                      )
                    : null,
                sum.wavefronts
                    ? row(
                          "bank passes",
                          `${count(sum.wavefronts)}, ideally ${count(sum.idealWavefronts)}`,
                          "Passes over the banks of shared memory; the fewest that could do.",
                      )
                    : null,
            ),
        ),
        el(
            "table",
            {class: "code"},
            el("caption", {class: "hidden"}, "Instructions of the line"),
            el(
                "thead",
                {},
                el(
                    "tr",
                    {},
                    el(
                        "th",
                        {
                            scope: "col",
                            "data-tip": "Cycles that warps spend at it, of the whole kernel (predicted).",
                        },
                        "time",
                    ),
                    el("th", {scope: "col", "data-tip": "The PTX instruction."}, "PTX"),
                    el(
                        "th",
                        {
                            scope: "col",
                            "data-tip":
                                "What the GPU would issue for it, as lockstep's model of ptxas has it; empty where it is folded into another.",
                        },
                        "machine",
                    ),
                    el(
                        "th",
                        {scope: "col", class: "right", "data-tip": "Active threads a warp instruction."},
                        "lanes",
                    ),
                ),
            ),
            el(
                "tbody",
                {},
                instructions.map(one =>
                    el(
                        "tr",
                        {},
                        el(
                            "td",
                            {},
                            bar(
                                all.allCycles ? one.allCycles / all.allCycles : 0,
                                all.allCycles ? percent((one.allCycles / all.allCycles) * 100) : "–",
                            ),
                        ),
                        el("td", {}, el("code", {}, one.ptx || "(added)")),
                        el("td", {}, el("code", {}, one.machine || "–")),
                        el(
                            "td",
                            {class: "right"},
                            one.executed ? (one.active / one.executed).toFixed(1) : "–",
                        ),
                    ),
                ),
            ),
        ),
    ]);
    return place;
}

export function sourceView(view) {
    const of = kernel(),
        instructions = instructionsOf(of);
    append(view, [kernelHead(of)]);
    if (!instructions.length)
        return append(view, [note("This page has the code of the kernels that take most time only.")]);
    const all = sumOf(instructions);
    const files = [...new Set(instructions.filter(one => one.file >= 0 && one.line).map(one => one.file))];
    const amount = file => sumOf([...byLine(of, file).values()].flat()).executed;
    files.sort((a, b) => amount(b) - amount(a));
    if (byLine(of, -1).size || !files.length) files.push(-1);
    const [chosenFile, chosenLine] = state.line ? state.line.split(":").map(Number) : [files[0], null];
    const file = files.includes(chosenFile) ? chosenFile : files[0];
    const source = file >= 0 ? run().sources[file] : null,
        lines = byLine(of, file);
    const kind = heats[heat];
    const weights = new Map([...lines].map(([number, list]) => [number, kind.of(sumOf(list))]));
    const total = kind.of(all),
        most = Math.max(...weights.values(), 0);
    const hottest = [...weights].sort((a, b) => b[1] - a[1])[0];
    const current =
        chosenLine !== null && chosenLine !== undefined && lines.has(chosenLine)
            ? chosenLine
            : hottest
              ? hottest[0]
              : 0;

    const listing = el("div", {
        class: "listing",
        role: "listbox",
        tabindex: 0,
        "aria-label": `Source lines, with ${kind.text}`,
    });
    const text = source && source.text !== null ? linesOf(source) : [];
    const numbers = [...lines.keys()].filter(Boolean);
    const from = numbers.length ? Math.max(1, Math.min(...numbers) - 6) : 1,
        to = numbers.length ? Math.min(text.length || Infinity, Math.max(...numbers) + 4) : 0;
    const side = el("div", {class: "side"}, detail(of, lines, current, all));
    const rows = [];
    const choose = (number, scroll) => {
        rows.forEach(row => {
            const own = Number(row.dataset.line) === number;
            row.setAttribute("aria-selected", own);
            if (own) {
                listing.setAttribute("aria-activedescendant", row.id);
                if (scroll) listing.scrollTop = Math.max(0, row.offsetTop - listing.clientHeight / 2);
            }
        });
        side.replaceChildren(detail(of, lines, number, all));
        go({line: `${file}:${number}`}, {replace: true, quiet: true});
    };
    const add = number => {
        const weight = weights.get(number) || 0,
            share = total ? weight / total : 0;
        const row = el(
            "div",
            {
                class: lines.has(number) ? "line" : "line cold",
                role: "option",
                id: `line-${file}-${number}`,
                "data-line": number,
                "aria-selected": "false",
                style: {"--heat": most ? (weight / most).toFixed(3) : 0},
                onclick: () => choose(number),
            },
            el("span", {class: "number"}, number || ""),
            el("span", {class: "share"}, weight ? percent(share * 100) : ""),
            el("span", {class: "text"}, number ? coloured(text[number - 1] || "") : "(no line)"),
        );
        row.style.setProperty("--heat", most ? (weight / most).toFixed(3) : 0);
        rows.push(row);
        listing.append(row);
    };
    if (lines.has(0)) add(0);
    if (text.length) for (let number = from; number <= to; ++number) add(number);
    else numbers.sort((a, b) => a - b).forEach(add);
    listing.addEventListener("keydown", event => {
        const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20}[event.key];
        if (!step) return;
        event.preventDefault();
        const at = rows.findIndex(row => row.getAttribute("aria-selected") === "true");
        choose(Number(rows[Math.max(0, Math.min(rows.length - 1, at + step))].dataset.line), true);
    });
    append(view, [
        el(
            "div",
            {class: "tools"},
            files.length > 1
                ? choice(
                      "File",
                      files.map(number => [
                          String(number),
                          number < 0 ? "(no file)" : fileName(run().sources[number].file),
                      ]),
                      String(file),
                      chosen => go({line: `${chosen}:-1`}),
                  )
                : null,
            choice(
                "Heat",
                Object.entries(heats).map(([id, one]) => [id, one.text]),
                heat,
                chosen => {
                    heat = chosen;
                    go({});
                },
            ),
        ),
        source && sourceStates[source.state] ? el("p", {class: "warning"}, sourceStates[source.state]) : null,
        file < 0 && files.length === 1
            ? note("The code names no source lines: compile with -lineinfo to see them.")
            : null,
        el(
            "div",
            {class: "source"},
            card(
                source ? fileName(source.file) : "Code without lines",
                `${kind.tip} Shares are of the whole kernel.`,
                listing,
            ),
            card("Instructions", "The PTX of the chosen line, and what a GPU would issue for it.", side),
        ),
    ]);
    requestAnimationFrame(() => choose(current, true));
}
