// Elements. Text is only ever set as text: names of kernels and files may hold anything.
export function el(tag, props = {}, ...children) {
    return fill(document.createElement(tag), props, children);
}

export function svg(tag, props = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

function fill(node, props, children) {
    for (const [name, value] of Object.entries(props)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else if (name === "style" && typeof value === "object") Object.assign(node.style, value);
        else if (name === "value" || name === "checked" || name === "selected") node[name] = value;
        else node.setAttribute(name, value === true ? "" : value);
    }
    append(node, children);
    return node;
}

export function append(node, children) {
    for (const child of children.flat(Infinity)) {
        if (child === undefined || child === null || child === false) continue;
        node.append(child instanceof Node ? child : String(child));
    }
}

export function card(title, tipText, ...children) {
    return el(
        "section",
        {class: "card"},
        el("h2", {"data-tip": tipText, tabindex: tipText ? 0 : undefined}, title),
        ...children,
    );
}

export function note(...children) {
    return el("p", {class: "note"}, ...children);
}

// A share as a bar with its number.
export function bar(share, text, color) {
    const width = `${Math.max(0, Math.min(1, share || 0)) * 100}%`;
    return el(
        "span",
        {class: "bar"},
        el("span", {class: "bar-fill", style: {width, background: color || ""}}),
        el("span", {class: "bar-text"}, text),
    );
}

export function choice(label, options, chosen, change) {
    const select = el(
        "select",
        {onchange: event => change(event.target.value)},
        options.map(([value, text]) => el("option", {value, selected: value === chosen}, text)),
    );
    return el("label", {class: "choice"}, el("span", {}, label), select);
}

// A wide table or drawing scrolls within its own frame.
export function scroller(label, ...children) {
    return el("div", {class: "scroller", tabindex: 0, role: "region", "aria-label": label}, ...children);
}
