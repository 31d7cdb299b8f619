// The report page in Chromium: that it is there, works, says what it should, and can be used by everybody.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {after, before, test} from "node:test";
import {fileURLToPath} from "node:url";
import {makePages, pictures, take} from "./gallery.mjs";

const here = dirname(fileURLToPath(import.meta.url)),
    lockstep = process.env.LOCKSTEP;
const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "lockstep-page-"));
const at = name => join(folder, name);
const program = at("a'b<img src=x onerror=window.broken=1>&.cu");
const run = (...words) =>
    execFileSync(lockstep, words, {cwd: folder, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8"});

let browser;
const errors = [];

before(async () => {
    const {chromium} = require("playwright-core");
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
        args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
    copyFileSync(join(here, "kernels.cu"), program);
    copyFileSync(join(here, "kernels.cu"), at("kernels.cu"));
    run("explain", "-o", "a.lockstep", program);
    run("explain", "-o", "b.lockstep", "--gpu", "gtx1650", program, "--", "</script><b>");
    run("report", "a.lockstep", "-o", "one.html");
    run("sweep", program, "--kernel", "strided", "--block", "32,64,128", "--json", "sweep.json");
    run("report", "a.lockstep", "b.lockstep", "--sweep", "sweep.json", "-o", "two.html");
});

after(async () => {
    if (browser) await browser.close();
    rmSync(folder, {recursive: true, force: true});
});

// A page in a profile of its own; what the console says is an error.
async function open(file, hash = "", options = {}) {
    const context = await browser.newContext({viewport: {width: 1300, height: 900}, ...options});
    const page = await context.newPage();
    page.on(
        "console",
        message =>
            ["error", "warning"].includes(message.type()) &&
            errors.push(`${file}#${hash}: ${message.text()}`),
    );
    page.on("pageerror", error => errors.push(`${file}#${hash}: ${error.stack}`));
    page.on(
        "request",
        request => request.url().startsWith("file:") || errors.push(`${file} asks for ${request.url()}`),
    );
    await page.goto(`file://${at(file)}${hash && `#${hash}`}`);
    return page;
}

const names = page => page.locator(".kernels tbody th").allInnerTexts();
const views = async page =>
    await page
        .locator("nav a")
        .evaluateAll(links => links.map(link => new URLSearchParams(link.hash.slice(2)).get("view")));

test("loads quickly, and asks for nothing", async () => {
    const page = await open("one.html");
    await page.waitForSelector(".kernels tbody tr");
    const loaded = await page.evaluate(() => performance.now());
    assert.ok(loaded < 2000, `it took ${loaded} ms`);
    assert.equal((await names(page)).length, 4);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    await page.context().close();
});

test("names of kernels and files are text, whatever they are", async () => {
    const html = readFileSync(at("one.html"), "utf8");
    assert.ok(!html.includes("<img src=x"));
    assert.equal(html.match(/<\/script>/g).length, 3);
    const page = await open("two.html", "view=source&kernel=0");
    await page.waitForSelector(".listing .line");
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("img").count(), 0);
    const kernels = await page.locator("#kernel option").allInnerTexts();
    assert.ok(
        kernels.some(name => name.includes("strided<const int &>") || name.includes("strided<const int&>")),
        kernels.join(),
    );
    await page.context().close();
});

test("the table sorts and filters", async () => {
    const page = await open("one.html");
    const first = await names(page);
    await page.getByRole("button", {name: "Kernel", exact: true}).click();
    const sorted = await names(page);
    assert.deepEqual(
        sorted,
        [...first].sort((a, b) => a.localeCompare(b)),
    );
    await page.getByRole("button", {name: "Kernel", exact: true}).click();
    assert.deepEqual(await names(page), sorted.reverse());
    await page.keyboard.press("/");
    await page.keyboard.type("transp");
    assert.deepEqual(await names(page), ["transpose"]);
    await page.context().close();
});

test("numbers have definitions", async () => {
    const page = await open("one.html");
    await page.getByRole("button", {name: "Occupancy"}).hover();
    await page.waitForSelector("#tip:not([hidden])");
    assert.match(await page.locator("#tip").innerText(), /achieved_occupancy/);
    await page.context().close();
});

test("findings, with the line that they are about", async () => {
    const page = await open("one.html");
    await page.getByRole("link", {name: "reduce", exact: true}).click();
    await page.waitForSelector(".finding");
    assert.match(
        await page.locator(".finding", {hasText: "division"}).innerText(),
        /own\[threadIdx\.x\] \+= own/,
    );
    await page.locator(".finding a").first().click();
    await page.waitForSelector(".line[aria-selected=true]");
    assert.match(
        await page.locator(".line[aria-selected=true]").innerText(),
        /threadIdx\.x % \(2 \* stride\)/,
    );
    assert.match(await page.locator(".side").innerText(), /rem\.u32[\s\S]*bra/);
    await page.context().close();
});

test("steps through a warp, forwards and back, with the source line lit", async () => {
    const page = await open("one.html");
    await page.getByRole("link", {name: "reduce", exact: true}).click();
    await page.getByRole("link", {name: "Warps"}).click();
    await page.waitForSelector("#step-ptx");
    const at = () => page.locator("#step-position").innerText();
    assert.match(await at(), /^step 1 of [\d,]+, cycle/);
    await page.keyboard.press("ArrowRight");
    await page.locator("#step-on").click();
    assert.match(await at(), /^step 3 of/);
    await page.keyboard.press("ArrowLeft");
    assert.match(await at(), /^step 2 of/);
    // Where lanes part for the first time: every second thread adds.
    for (let i = 0; i < 60 && !(await page.locator(".step-detail h3").innerText()).includes("16 of 32"); ++i)
        await page.locator("#split-on").click();
    assert.match(await page.locator(".step-detail h3").innerText(), /^Warp \d: 16 of 32 lanes/);
    assert.deepEqual(
        await page.locator(".lanes .on").allInnerTexts(),
        Array.from({length: 16}, (_, i) => String(2 * i)),
    );
    assert.match(await page.locator(".lit-line.now").innerText(), /threadIdx\.x % \(2 \* stride\)/);
    await page.context().close();
});

test("an access against sectors, and against banks", async () => {
    const page = await open("one.html");
    const show = async name => {
        await page.evaluate(() => {
            location.hash = "view=overview";
        });
        await page.getByRole("link", {name, exact: true}).click();
        await page.getByRole("link", {name: "Accesses"}).click();
        await page.waitForSelector(".access figcaption");
        return page.locator(".access figcaption").innerText();
    };
    assert.match(
        await show("strided<const int &>"),
        /32 lanes store 4 bytes each, a stride of 128 bytes a lane: 32 sectors where 4 would do, 13 % of the bytes used/,
    );
    assert.equal(await page.locator(".sector.moved").count(), 32);
    assert.match(await show("strided<char *&>"), /consecutive: 4 sectors where 4 would do, 100 %/);
    assert.match(
        await show("transpose"),
        /32 lanes load 4 bytes of shared memory each, a stride of 128 bytes a lane: 32 passes over the banks/,
    );
    await page.context().close();
});

test("the tree of a reduction", async () => {
    const page = await open("one.html");
    await page.getByRole("link", {name: "reduce", exact: true}).click();
    await page.getByRole("link", {name: "Threads"}).click();
    const told = await page.locator(".scroller canvas").getAttribute("aria-label");
    assert.deepEqual(
        told.match(/\d+ of 128/g).map(text => parseInt(text, 10)),
        [64, 32, 16, 8, 4, 2, 1, 1],
    );
    await page.context().close();
});

test("compares two runs", async () => {
    const page = await open("two.html", "view=compare");
    assert.equal(await page.locator(".pairs tbody tr").count(), 4);
    await page.locator(".pairs").getByRole("link", {name: "transpose", exact: true}).click();
    await page.waitForSelector("section h2:text-is('transpose')");
    await page.getByLabel("Filter metrics").fill("launch__block_size");
    const row = page
        .locator("section", {has: page.locator("h2:text-is('transpose')")})
        .locator("tbody tr")
        .first();
    assert.match(await row.innerText(), /1,024\s+1,024\s+1\.00×\s+same/);
    await page.context().close();
});

test("a sweep, a run without pictures, and thousands of kernels", async () => {
    let page = await open("two.html", "view=sweep");
    assert.equal(await page.locator("main table").first().locator("tbody tr").count(), 3);
    await page.waitForSelector(".plot canvas");
    await page.context().close();
    run("report", "--sweep", "sweep.json", "-o", "sweep.html");
    page = await open("sweep.html");
    await page.waitForSelector(".plot canvas");
    await page.context().close();

    const html = readFileSync(at("one.html"), "utf8"),
        open_ = '<script id="data" type="application/json">',
        from = html.indexOf(open_) + open_.length,
        to = html.indexOf("</script>", from);
    const data = JSON.parse(html.slice(from, to)),
        first = data.runs[0].kernels[0];
    data.runs[0].kernels = Array.from({length: 5000}, (_, i) => ({
        ...first,
        name: `kernel${i}()`,
        function: `kernel${i}`,
        instructions: undefined,
        close_up: undefined,
    }));
    writeFileSync(
        at("many.html"),
        html.slice(0, from) + JSON.stringify(data).replaceAll("<", "\\u003c") + html.slice(to),
    );
    page = await open("many.html");
    await page.waitForSelector(".kernels tbody tr");
    const took = await page.evaluate(() => {
        const begin = performance.now();
        document.querySelector(".kernels .sort").click();
        const box = document.querySelector(".filter");
        box.value = "kernel4999";
        box.dispatchEvent(new Event("input"));
        return performance.now() - begin;
    });
    assert.deepEqual(await names(page), ["kernel4999"]);
    assert.ok(took < 2000, `sorting and filtering 5000 kernels took ${took} ms`);
    await page.evaluate(() => {
        location.hash = "view=warps&kernel=4999";
    });
    await page.getByText("This run has no steps of this kernel").waitFor();
    await page.context().close();
});

test("profile --open makes a page and opens it", async () => {
    writeFileSync(
        at("browser"),
        `#!/bin/sh\ncp "$1" ${at("opened.html")}.part && mv ${at("opened.html")}.part ${at("opened.html")}\n`,
        {mode: 0o755},
    );
    execFileSync(
        lockstep,
        ["profile", "--open", "--kernels", "transpose", "--log", "log.txt", "kernels.cu"],
        {cwd: folder, stdio: "ignore", env: {...process.env, BROWSER: at("browser"), TMPDIR: folder}},
    );
    for (let i = 0; i < 100 && !existsSync(at("opened.html")); ++i)
        await new Promise(done => setTimeout(done, 50));
    const page = await open("opened.html");
    assert.deepEqual(await names(page), ["transpose"]);
    assert.match(await page.locator(".kernels tbody tr").innerText(), /% Lanes|% [A-Z]/);
    await page.context().close();
});

test("wrong input is told", () => {
    const fails = (...words) => {
        try {
            run(...words);
        } catch (error) {
            return `${error.status} ${error.stderr}`;
        }
        return "it succeeds";
    };
    writeFileSync(at("text.txt"), "nothing");
    assert.match(
        fails("report", "none.lockstep", "-o", "x.html"),
        /^1 lockstep: none\.lockstep: no such run file/,
    );
    assert.match(fails("report", "text.txt", "-o", "x.html"), /^1 .*text\.txt.*no run file/);
    assert.match(fails("report"), /^2 .*nothing to show/);
    assert.match(fails("report", "a.lockstep", "-o", "a.lockstep"), /^2 /);
    assert.match(fails("report", "a.lockstep", "-o", "none/x.html"), /^2 .*none/);
    assert.match(
        fails("report", "--sweep", "text.txt", "-o", "x.html"),
        /text\.txt.*not what lockstep sweep --json writes/,
    );
    assert.match(
        fails("report", "a.lockstep", "--kernels", "nothing", "-o", "x.html"),
        /no kernel is in this run that --kernels lets through/,
    );
});

test("a changed, a gone and a missing source are said", async () => {
    writeFileSync(program, `${readFileSync(program, "utf8")}\n// changed\n`);
    run("report", "a.lockstep", "-o", "changed.html");
    let page = await open("changed.html", "view=source");
    assert.match(await page.locator(".warning").innerText(), /has changed since/);
    await page.context().close();
    rmSync(program);
    run("report", "a.lockstep", "-o", "gone.html");
    page = await open("gone.html", "view=source");
    assert.match(await page.locator(".warning").innerText(), /not there any more/);
    await page.context().close();
});

test("every view in both themes and on a phone: no errors, nothing cut off, axe's rules", async () => {
    const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    for (const [theme, width] of [
        ["light", 1300],
        ["dark", 390],
    ]) {
        const page = await open("two.html", "", {viewport: {width, height: 844}, colorScheme: theme});
        await page.evaluate(axe);
        for (const view of await views(page)) {
            await page.evaluate(to => {
                location.hash = `view=${to}&run=0&kernel=0`;
            }, view);
            await page.waitForSelector(`main[data-view=${view}]`);
            await page.waitForTimeout(60);
            const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wider <= 0, `${view} is ${wider} pixels wider than a window of ${width}`);
            const found = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
            const told = found.violations.map(
                one =>
                    `${one.id}: ${one.nodes
                        .slice(0, 3)
                        .map(node => `${node.html} ${node.failureSummary}`)
                        .join("; ")}`,
            );
            assert.deepEqual(told, [], `${view}, ${theme}, ${width}`);
        }
        await page.context().close();
    }
});

test("every picture of the gallery shows something, and stands in its page", async () => {
    makePages(lockstep, folder);
    const text = readFileSync(join(here, "../../docs/gallery.md"), "utf8");
    for (const picture of pictures) {
        assert.ok((await take(browser, folder, picture)).length > 12000, `${picture.name} is nearly empty`);
        assert.ok(text.includes(`images/gallery/${picture.name}.png`), `${picture.name} is not in docs/gallery.md`);
        assert.ok(existsSync(join(here, `../../docs/images/gallery/${picture.name}.png`)), picture.name);
    }
});

test("prints", async () => {
    const page = await open("one.html", "view=kernel", {colorScheme: "dark"});
    const pdf = await page.pdf({format: "A4"});
    assert.ok(pdf.length > 20000);
    assert.equal(pdf.subarray(0, 4).toString(), "%PDF");
    await page.context().close();
});

test("nothing was said on the console", () => assert.deepEqual(errors, []));
