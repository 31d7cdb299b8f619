// Numbers for people.
const digits = new Intl.NumberFormat("en", {maximumSignificantDigits: 4});
const whole = new Intl.NumberFormat("en");

export function count(value) {
    if (value === null || value === undefined) return "–";
    if (Math.abs(value) < 100000) return Number.isInteger(value) ? whole.format(value) : fixed(value);
    for (const [unit, suffix] of [
        [1e12, "T"],
        [1e9, "G"],
        [1e6, "M"],
        [1e3, "K"],
    ])
        if (Math.abs(value) >= unit) return `${fixed(value / unit)}${suffix}`;
    return fixed(value);
}

export function fixed(value) {
    return Math.abs(value) >= 100
        ? value.toFixed(0)
        : Math.abs(value) >= 10
          ? value.toFixed(1)
          : digits.format(+value.toFixed(3));
}

export function percent(value, places = 1) {
    return value === null || value === undefined ? "–" : `${value.toFixed(places)} %`;
}

export function duration(nanoseconds) {
    if (nanoseconds === null || nanoseconds === undefined) return "–";
    for (const [unit, suffix] of [
        [1e9, "s"],
        [1e6, "ms"],
        [1e3, "µs"],
    ])
        if (Math.abs(nanoseconds) >= unit) return `${(nanoseconds / unit).toFixed(2)} ${suffix}`;
    return `${nanoseconds.toFixed(nanoseconds < 10 ? 1 : 0)} ns`;
}

export function bytes(value) {
    if (value === null || value === undefined) return "–";
    for (const [unit, suffix] of [
        [1e12, "TB"],
        [1e9, "GB"],
        [1e6, "MB"],
        [1e3, "KB"],
    ])
        if (Math.abs(value) >= unit) return `${fixed(value / unit)} ${suffix}`;
    return `${fixed(value)} B`;
}

export function withUnit(value, unit) {
    if (value === null || value === undefined) return "–";
    switch (unit) {
        case "%":
            return percent(value, 2);
        case "ns":
            return duration(value);
        case "bytes":
            return bytes(value);
        case "bytes/s":
            return `${bytes(value)}/s`;
        case "cycles":
            return `${count(value)} cycles`;
        default:
            return count(value);
    }
}

export function shape(extents) {
    if (!extents) return "–";
    const used = extents[2] > 1 ? 3 : extents[1] > 1 ? 2 : 1;
    return extents
        .slice(0, used)
        .map(n => whole.format(n))
        .join("×");
}

export function plural(number, one, many) {
    return `${count(number)} ${number === 1 ? one : many}`;
}

export function hex(value) {
    return `0x${value.toString(16)}`;
}

export const fileName = path => path.slice(path.lastIndexOf("/") + 1);
