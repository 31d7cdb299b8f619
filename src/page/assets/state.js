// What is looked at: kept in the address, so that a view can be sent to somebody.
import {data} from "./data.js";

export const state = {view: "overview", run: 0, kernel: 0, line: null, step: 0, theme: null};
const listeners = [];

export const run = () => data.runs[state.run];
export const kernel = () => run() && run().kernels[state.kernel];

export function onChange(listener) {
    listeners.push(listener);
}

export function go(change, {replace = false, quiet = false} = {}) {
    Object.assign(state, change);
    if ("kernel" in change || "run" in change) if (!("line" in change)) state.line = null;
    const hash = `#/${new URLSearchParams({view: state.view, run: state.run, kernel: state.kernel, ...(state.line ? {line: state.line} : {})})}`;
    if (hash !== location.hash) history[replace ? "replaceState" : "pushState"](null, "", hash);
    if (!quiet) listeners.forEach(listener => listener());
}

export function readAddress() {
    const from = new URLSearchParams(location.hash.replace(/^#\/?/, ""));
    const number = (name, most) => Math.max(0, Math.min(most, parseInt(from.get(name), 10) || 0));
    state.view = from.get("view") || (data.runs.length ? "overview" : "sweep");
    state.run = number("run", data.runs.length - 1);
    state.kernel = data.runs.length
        ? number("kernel", Math.max(0, data.runs[state.run].kernels.length - 1))
        : 0;
    state.line = from.get("line");
}
