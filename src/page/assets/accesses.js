// Where an access of a warp goes: sectors and lines of global memory, banks of shared memory.
import {append, card, choice, el, note, scroller, svg} from "./dom.js";
import {count, fileName, hex, percent, plural} from "./format.js";
import {kernel, run} from "./state.js";
import {addressesOf, bits, closeUpOf, nobodyLooked} from "./closeup.js";
import {kernelHead} from "./kernel.js";

const sector = 32,
    line = 128;

// Lanes in shades that neighbours can be told apart by.
const laneColor = lane => `hsl(${Math.round(((lane * 360) / 32) * 5) % 360} 62% ${lane % 2 ? 46 : 58}%)`;

// How the lanes' addresses follow each other, in words.
export function pattern(access) {
    const given = addressesOf(access)
        .map((address, lane) => ({address, lane}))
        .filter(one => one.address !== null);
    if (given.length < 2) return "the only one";
    if (given.every(one => one.address === given[0].address)) return "all lanes at one address";
    const steps = new Set(
        given.slice(1).map((one, i) => (one.address - given[i].address) / (one.lane - given[i].lane)),
    );
    if (steps.size > 1) return "no single stride";
    const [stride] = steps;
    const together = given.length === given.at(-1).lane - given[0].lane + 1;
    return stride === access.bytes
        ? together
            ? "consecutive"
            : "each at its own place, with others missing between"
        : `a stride of ${stride} bytes a lane`;
}

// "32 lanes load 4 bytes each"
function who(access) {
    const lanes = bits(access.lanes),
        does = {load: "load", store: "store", atomic: "update"}[access.kind];
    return `${plural(lanes, "lane", "lanes")} ${does}${lanes === 1 ? "s" : ""} ${plural(access.bytes, "byte", "bytes")}${access.memory === "shared" ? " of shared memory" : ""}${lanes === 1 ? "" : " each"}`;
}

export function accessDrawing(access) {
    return access.memory === "shared" ? bankDrawing(access) : sectorDrawing(access);
}

// A row a line of 128 bytes, four sectors each; words in their lane's colour.
export function sectorDrawing(access) {
    const given = addressesOf(access)
        .map((address, lane) => ({address, lane}))
        .filter(one => one.address !== null);
    const lines = [
        ...new Set(
            given.flatMap(one => [
                Math.floor(one.address / line),
                Math.floor((one.address + access.bytes - 1) / line),
            ]),
        ),
    ].sort((a, b) => a - b);
    const touched = new Set(
        given.flatMap(one => [
            Math.floor(one.address / sector),
            Math.floor((one.address + access.bytes - 1) / sector),
        ]),
    );
    const ideal = Math.ceil((new Set(given.map(one => one.address)).size * access.bytes) / sector);
    const shown = lines.slice(0, 32),
        cell = 3.4,
        high = 15,
        left = 96;
    const drawing = svg("svg", {
        viewBox: `0 0 ${left + line * cell + 8} ${22 + shown.length * (high + 3)}`,
        class: "drawing",
        role: "img",
        "aria-label": `${bits(access.lanes)} lanes ask for ${access.bytes} bytes each, ${pattern(access)}: ${touched.size} sectors in ${lines.length} lines`,
    });
    for (let s = 0; s < 4; ++s)
        drawing.append(
            svg("text", {x: left + s * sector * cell + 2, y: 12, class: "tiny"}, `+${s * sector}`),
        );
    shown.forEach((number, row) => {
        const y = 20 + row * (high + 3);
        const begins = row === 0 || number !== shown[row - 1] + 1;
        drawing.append(
            svg("text", {x: left - 6, y: y + 11, class: "tiny end"}, begins ? hex(number * line) : "+128"),
        );
        for (let s = 0; s < 4; ++s) {
            const moved = touched.has(number * 4 + s);
            drawing.append(
                svg("rect", {
                    x: left + s * sector * cell,
                    y,
                    width: sector * cell - 1.5,
                    height: high,
                    rx: 2,
                    class: moved ? "sector moved" : "sector",
                    "data-tip": `Sector ${hex(number * line + s * sector)}: ${moved ? "moved" : "not touched"}.`,
                }),
            );
        }
        for (const one of given) {
            const begin = Math.max(one.address, number * line),
                end = Math.min(one.address + access.bytes, (number + 1) * line);
            if (begin >= end) continue;
            drawing.append(
                svg("rect", {
                    x: left + (begin - number * line) * cell + 0.4,
                    y: y + 1.5,
                    width: Math.max(1.5, (end - begin) * cell - 0.8),
                    height: high - 3,
                    rx: 1.5,
                    fill: laneColor(one.lane),
                    "data-tip": `Lane ${one.lane}: ${access.bytes} bytes at ${hex(one.address)}.`,
                }),
            );
        }
    });
    const asked = new Set(given.map(one => one.address)).size * access.bytes;
    return el(
        "figure",
        {class: "access"},
        el(
            "figcaption",
            {},
            `${who(access)}, ${pattern(access)}: `,
            el(
                "b",
                {
                    "data-tip":
                        "32-byte pieces of memory that the access touches; the fewest that could hold the same bytes.",
                },
                `${plural(touched.size, "sector", "sectors")} where ${ideal} would do`,
            ),
            `, ${percent(Math.min(100, (asked / (touched.size * sector)) * 100), 0)} of the bytes used.`,
        ),
        drawing,
        lines.length > shown.length ? note(`The first ${shown.length} of ${lines.length} lines.`) : null,
    );
}

// A column a bank; in it the words that the lanes want, each another pass.
export function bankDrawing(access) {
    const banks = Array.from({length: 32}, () => new Map());
    addressesOf(access).forEach((address, lane) => {
        if (address === null) return;
        for (let byte = 0; byte < access.bytes; byte += 4) {
            const word = Math.floor((address + byte) / 4);
            const own = banks[word % 32];
            if (!own.has(word)) own.set(word, []);
            own.get(word).push(lane);
        }
    });
    const deepest = Math.max(...banks.map(bank => bank.size)),
        shown = Math.min(deepest, 32),
        cell = 17,
        high = 15,
        left = 34;
    const passes = access.wavefronts || deepest;
    const drawing = svg("svg", {
        viewBox: `0 0 ${left + 32 * cell + 4} ${30 + shown * (high + 2)}`,
        class: "drawing",
        role: "img",
        "aria-label": `${bits(access.lanes)} lanes, ${pattern(access)}: the fullest of the 32 banks has ${deepest} different words, so it takes ${passes} passes`,
    });
    drawing.append(svg("text", {x: 2, y: 12, class: "tiny"}, "bank"));
    banks.forEach((bank, number) => {
        const x = left + number * cell;
        drawing.append(svg("text", {x: x + cell / 2, y: 12, class: "tiny mid"}, number));
        drawing.append(
            svg("rect", {
                x: x + 0.5,
                y: 18,
                width: cell - 1,
                height: Math.max(1, shown) * (high + 2),
                rx: 2,
                class: "sector",
            }),
        );
        [...bank].slice(0, shown).forEach(([word, lanes], row) =>
            drawing.append(
                svg(
                    "g",
                    {
                        "data-tip": `Bank ${number}, word at byte ${word * 4}: wanted by lane ${lanes.join(", ")}. ${row ? "Another pass." : ""}`,
                    },
                    svg("rect", {
                        x: x + 1,
                        y: 19 + row * (high + 2),
                        width: cell - 2,
                        height: high,
                        rx: 2,
                        fill: laneColor(lanes[0]),
                    }),
                    svg(
                        "text",
                        {x: x + cell / 2, y: 30 + row * (high + 2), class: "on-color"},
                        lanes.length > 1 ? `${lanes.length}×` : lanes[0],
                    ),
                ),
            ),
        );
    });
    return el(
        "figure",
        {class: "access"},
        el(
            "figcaption",
            {},
            `${who(access)}, ${pattern(access)}: `,
            el(
                "b",
                {
                    "data-tip":
                        "Each bank gives one word in a pass: lanes that want different words of one bank take turns; those that want the same word share it.",
                },
                passes > 1 ? `${passes} passes over the banks` : "one pass, no conflict",
            ),
            ".",
        ),
        drawing,
        passes > 1 && deepest > 1
            ? note(
                  `${deepest} different words are in the fullest bank. A row padded by one word (or an index that is XORed with the row) puts them into different banks.`,
              )
            : null,
        deepest > shown ? note(`The first ${shown} of ${deepest} words a bank.`) : null,
    );
}

let chosenSite = {kernel: null, position: null, index: 0};

export function memoryView(view) {
    const of = kernel(),
        seen = closeUpOf(of);
    append(view, [kernelHead(of)]);
    if (!seen) return append(view, [note(nobodyLooked)]);
    const sites = new Map();
    for (const step of seen.steps)
        if (step.access) {
            if (!sites.has(step.position)) sites.set(step.position, []);
            sites.get(step.position).push(step);
        }
    if (!sites.size) return append(view, [note("The steps that were kept of this kernel access no memory.")]);
    const order = [...sites.keys()].sort((a, b) => a - b);
    if (chosenSite.kernel !== of) {
        // The worst first.
        const waste = steps =>
            Math.max(
                ...steps.map(step =>
                    step.access.memory === "shared"
                        ? step.access.wavefronts - 1
                        : step.access.sectors -
                          Math.ceil((bits(step.access.lanes) * step.access.bytes) / sector),
                ),
            );
        chosenSite = {
            kernel: of,
            position: order.reduce(
                (best, one) => (waste(sites.get(one)) > waste(sites.get(best)) ? one : best),
                order[0],
            ),
            index: 0,
        };
    }
    const place = el("div");
    const label = position => {
        const {instruction, access} = sites.get(position)[0];
        const source =
            instruction.file >= 0 && instruction.line
                ? `${fileName(run().sources[instruction.file].file)}:${instruction.line}  `
                : "";
        return `${source}${access.memory} ${access.kind}: ${instruction.ptx}`;
    };
    function draw() {
        const steps = sites.get(chosenSite.position),
            step = steps[chosenSite.index],
            access = step.access;
        const turn = (text, tip, by, id) =>
            el(
                "button",
                {
                    type: "button",
                    id,
                    "data-tip": tip,
                    disabled: !steps[chosenSite.index + by],
                    onclick: () => {
                        chosenSite.index += by;
                        draw();
                    },
                },
                text,
            );
        const rows = addressesOf(access)
            .map((address, lane) => ({address, lane}))
            .filter(one => one.address !== null);
        place.replaceChildren();
        append(place, [
            el(
                "div",
                {class: "tools"},
                turn("◀", "The access before", -1, "access-back"),
                turn("▶", "The next access of this instruction", 1, "access-on"),
                el(
                    "span",
                    {class: "muted", role: "status"},
                    `${chosenSite.index + 1} of ${steps.length}: warp ${step.warp}, cycle ${count(step.cycle)}`,
                ),
            ),
            accessDrawing(access),
            el(
                "details",
                {},
                el("summary", {}, "Addresses"),
                scroller(
                    "Addresses of the lanes",
                    el(
                        "table",
                        {class: "plain"},
                        el(
                            "tbody",
                            {},
                            rows.map(one =>
                                el(
                                    "tr",
                                    {},
                                    el("th", {scope: "row"}, `lane ${one.lane}`),
                                    el("td", {}, el("code", {}, hex(one.address))),
                                    el(
                                        "td",
                                        {},
                                        access.memory === "shared"
                                            ? `bank ${Math.floor(one.address / 4) % 32}`
                                            : `sector ${hex(Math.floor(one.address / sector) * sector)}`,
                                    ),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ]);
    }
    append(view, [
        card(
            "An access of a warp",
            "One memory instruction as one warp executes it, recorded from the first block of the kernel's first launch: each lane's address, and what has to move for it.",
            choice(
                "Instruction",
                order.map(position => [String(position), label(position)]),
                String(chosenSite.position),
                value => {
                    chosenSite.position = Number(value);
                    chosenSite.index = 0;
                    draw();
                },
            ),
            place,
        ),
    ]);
    draw();
}
