// The editor of a lab's page: saves what is written, runs lockstep's commands on it, shows what they say.
"use strict";

const token = document.querySelector('meta[name="token"]').content;
const work = document.querySelector(".work");

// What can be scrolled can be reached by keyboard.
document.querySelectorAll("main pre, main table").forEach(wide => (wide.tabIndex = 0));

if (work) {
    const byId = id => document.getElementById(id);
    const source = byId("source"), output = byId("output"), state = byId("state"), saved = byId("saved");
    const buttons = [...work.querySelectorAll("button")];
    const unsaved = () => source.value !== lastSaved;
    let lastSaved = source.value, timer = 0;

    const ask = async (what, data) => {
        const answer = await fetch(`/lab/${work.dataset.lab}/${what}`, {
            method: "POST",
            headers: {"Content-Type": "application/json", "X-Lockstep-Token": token},
            body: JSON.stringify(data),
        });
        const result = await answer.json();
        if (!answer.ok) throw new Error(result.error);
        return result;
    };

    const save = async () => {
        clearTimeout(timer);
        const text = source.value;
        try {
            await ask("save", {source: text});
            lastSaved = text;
            saved.textContent = "saved";
        } catch (error) {
            saved.textContent = `not saved: ${error.message}`;
        }
    };

    const perform = async what => {
        clearTimeout(timer);
        buttons.forEach(button => (button.disabled = true));
        const begin = performance.now(), text = source.value;
        const show = () => (state.textContent = `running … ${Math.round((performance.now() - begin) / 1000)} s`);
        state.className = "";
        show();
        output.textContent = "";
        const clock = setInterval(show, 1000);
        try {
            const result = await ask(what, {source: text});
            if (what !== "page") lastSaved = text;
            output.textContent = result.output;
            state.textContent = `It ${result.ended}, after ${result.seconds.toFixed(1)} s.`;
            state.className = result.good ? "good" : "bad";
        } catch (error) {
            state.textContent = error.message;
            state.className = "bad";
        } finally {
            clearInterval(clock);
            buttons.forEach(button => (button.disabled = false));
        }
    };

    source.addEventListener("input", () => {
        saved.textContent = "";
        clearTimeout(timer);
        timer = setTimeout(save, 1000);
    });
    // Tab writes four spaces; Escape before it leaves the field, for those who work with the keyboard.
    let leaving = false;
    source.addEventListener("keydown", event => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            if (!buttons[0].disabled) perform("run");
        } else if (event.key === "Tab" && !event.shiftKey && !leaving) {
            event.preventDefault();
            source.setRangeText("    ", source.selectionStart, source.selectionEnd, "end");
            source.dispatchEvent(new Event("input"));
        }
        leaving = event.key === "Escape";
    });
    work.addEventListener("click", event => {
        const what = event.target.dataset && event.target.dataset.do;
        if (what) perform(what);
    });
    byId("again").addEventListener("click", () => {
        if (!confirm("Begin again with the file as it was at first? What you have written goes.")) return;
        source.value = byId("start").value;
        save();
    });
    addEventListener("beforeunload", event => unsaved() && event.preventDefault());
}
