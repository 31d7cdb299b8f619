// Plots, drawn by uPlot in the colours of the theme.
import {el} from "./dom.js";
import {fixed} from "./format.js";

export function themeColor(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// An axis in the theme's colours.
export function axis(label, values) {
    const line = themeColor("line"),
        ink = themeColor("muted");
    return {
        label,
        stroke: ink,
        grid: {stroke: line, width: 1},
        ticks: {stroke: line, width: 1},
        font: "12px system-ui, sans-serif",
        labelFont: "12px system-ui, sans-serif",
        labelSize: 22,
        ...(values ? {values} : {}),
    };
}

// As "2.5 G" or "10 m": for axes that span many powers of ten.
export function powers(unit) {
    return (plot, splits) =>
        splits.map(value => {
            if (value === null || value === undefined) return "";
            if (Math.abs(Math.log10(value) % 1) > 1e-9) return "";
            for (const [size, prefix] of [
                [1e12, "T"],
                [1e9, "G"],
                [1e6, "M"],
                [1e3, "K"],
                [1, ""],
            ])
                if (value >= size) return `${fixed(value / size)} ${prefix}${unit}`;
            return `${value.toPrecision(1)} ${unit}`;
        });
}

// `text`: what the plot shows, for those who cannot see it.
export function plot(options, series, height, text) {
    const frame = el("div", {class: "plot", role: "img", "aria-label": text});
    let made = null;
    const draw = () => {
        const width = Math.floor(frame.clientWidth);
        if (!width) return;
        if (made) return made.setSize({width, height});
        made = new uPlot({...options, width, height, legend: {show: false}}, series, frame);
    };
    new ResizeObserver(draw).observe(frame);
    return frame;
}
