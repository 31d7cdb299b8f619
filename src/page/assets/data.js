// What the page is about: the runs as `lockstep report` has written them (src/page/*-data.cc).
export const data = JSON.parse(document.getElementById("data").textContent);

export const states = data.words.states;

// Colours of warp states: what works is green, what waits for memory red.
export const stateColors = [
    "#2f9e62",
    "#a3d9b8",
    "#cf4457",
    "#e8894a",
    "#8b5fd0",
    "#8fa5c4",
    "#d9b13b",
    "#a93a72",
    "#cc86b8",
    "#4aa0c4",
    "#a08f7c",
    "#6d7d8e",
    "#5a49a6",
    "#3bb0a0",
];

const numbers = new Map();
data.metrics.forEach((metric, index) =>
    metric.names.forEach(name => numbers.has(name) || numbers.set(name, index)),
);

export const time = "gpu__time_duration.sum";

export function metric(name) {
    return data.metrics[numbers.get(name)];
}

export function value(kernel, name) {
    const index = numbers.get(name);
    return index === undefined ? null : (kernel.values[index] ?? null);
}

export function spread(kernel, name) {
    return kernel.spreads[numbers.get(name)];
}

export function metricTip(name) {
    const of = metric(name);
    if (!of) return undefined;
    return `${of.title ? of.title + ". " : ""}${of.definition} — ${of.kind}; ${of.names.join(", ")}`;
}

const columns = [
    "file",
    "line",
    "ptx",
    "machine",
    "executed",
    "active",
    "on",
    "branches",
    "divergent",
    "requests",
    "sectors",
    "idealSectors",
    "wavefronts",
    "idealWavefronts",
    "cycles",
];
const decoded = new WeakMap();

// A kernel's instructions, in the order of its code.
export function instructionsOf(kernel) {
    if (!kernel.instructions) return [];
    if (!decoded.has(kernel))
        decoded.set(
            kernel,
            kernel.instructions.map((row, position) => {
                const one = {position};
                columns.forEach((name, i) => (one[name] = row[i]));
                one.allCycles = one.cycles.reduce((sum, n) => sum + n, 0);
                return one;
            }),
        );
    return decoded.get(kernel);
}

const summed = [
    "executed",
    "active",
    "on",
    "branches",
    "divergent",
    "requests",
    "sectors",
    "idealSectors",
    "wavefronts",
    "idealWavefronts",
    "allCycles",
];

export function sumOf(instructions) {
    const sum = {cycles: new Array(states.length).fill(0)};
    for (const name of summed) sum[name] = 0;
    for (const one of instructions) {
        for (const name of summed) sum[name] += one[name];
        one.cycles.forEach((n, s) => (sum.cycles[s] += n));
    }
    return sum;
}

export const mainBound = kernel => (kernel.bounds.length ? kernel.bounds[0].bound : null);
export const boundText = bound => (bound && data.words.bounds[bound] ? data.words.bounds[bound].text : "–");
export const boundTip = bound =>
    bound && data.words.bounds[bound] ? data.words.bounds[bound].explanation : undefined;

export function modelOf(run, kernel) {
    const device = run.devices[kernel.device];
    return device ? device.model : undefined;
}

const lineCache = new WeakMap();
export function linesOf(source) {
    if (!lineCache.has(source)) lineCache.set(source, (source.text || "").split("\n"));
    return lineCache.get(source);
}

export function sourceLine(run, file, line) {
    const source = run.sources[file];
    return source && source.text !== null ? (linesOf(source)[line - 1] || "").trim() : "";
}
