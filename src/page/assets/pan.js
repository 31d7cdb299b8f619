// A canvas that shows a part of some time: Ctrl or Shift and the wheel zoom, dragging moves.

// `pane`: {left: where time begins in the canvas, begin, end: of all time, least: to be shown, shown(): [from, to],
// show([from, to])}. Zooms by a factor around a pixel of the canvas, or its middle.
export function zoomAndDrag(canvas, pane) {
    const width = () => canvas.clientWidth - pane.left - 8;
    const show = (from, span) => {
        const begin = Math.max(pane.begin, Math.min(pane.end - span, from));
        pane.show([begin, begin + span]);
    };
    const zoom = (factor, px = (pane.left + canvas.clientWidth) / 2) => {
        const [from, to] = pane.shown(),
            part = (px - pane.left) / width(),
            span = Math.max(pane.least, Math.min(pane.end - pane.begin, (to - from) * factor));
        show(from + part * (to - from - span), span);
    };
    canvas.addEventListener(
        "wheel",
        event => {
            if (!event.ctrlKey && !event.shiftKey) return;
            event.preventDefault();
            zoom(event.deltaY > 0 ? 1.25 : 0.8, event.clientX - canvas.getBoundingClientRect().left);
        },
        {passive: false},
    );
    let drag = null;
    canvas.addEventListener("pointerdown", event => {
        drag = {x: event.clientX, shown: pane.shown()};
    });
    canvas.addEventListener("pointermove", event => {
        if (!drag || !(event.buttons & 1)) return;
        const [from, to] = drag.shown;
        show(from + ((drag.x - event.clientX) / width()) * (to - from), to - from);
    });
    canvas.addEventListener("pointerup", () => {
        drag = null;
    });
    return zoom;
}
