// Definitions: whatever has data-tip shows it under the pointer, when it is tapped, and when it has the focus.
import {el} from "./dom.js";

const box = document.getElementById("tip");

function show(target) {
    box.textContent = target.dataset.tip;
    box.hidden = false;
    target.setAttribute("aria-describedby", "tip");
    const from = target.getBoundingClientRect(),
        own = box.getBoundingClientRect();
    const left = Math.max(8, Math.min(innerWidth - own.width - 8, from.left));
    const below = from.bottom + 8 + own.height < innerHeight;
    box.style.left = `${left}px`;
    box.style.top = `${below ? from.bottom + 6 : Math.max(4, from.top - own.height - 6)}px`;
}

export function hideTip() {
    box.hidden = true;
    document
        .querySelectorAll("[aria-describedby=tip]")
        .forEach(node => node.removeAttribute("aria-describedby"));
}

export function showTipAt(x, y, ...lines) {
    box.replaceChildren(...lines.map(line => el("div", {}, line)));
    box.hidden = false;
    const own = box.getBoundingClientRect();
    box.style.left = `${Math.max(4, Math.min(innerWidth - own.width - 8, x + 14))}px`;
    box.style.top = `${y + 18 + own.height < innerHeight ? y + 18 : Math.max(4, y - own.height - 10)}px`;
}

export function startTips() {
    const over = event => {
        const target = event.target.closest && event.target.closest("[data-tip]");
        hideTip();
        if (target) show(target);
    };
    document.addEventListener("mouseover", over);
    document.addEventListener("focusin", over);
    document.addEventListener("focusout", hideTip);
    document.addEventListener("scroll", hideTip, {passive: true, capture: true});
    document.addEventListener("keydown", event => event.key === "Escape" && hideTip());
}
