// The report page in Chromium: that it is there, works, says what it should, and can be used by everybody.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {after, before, test} from "node:test";
import {fileURLToPath} from "node:url";

const here = dirname(fileURLToPath(import.meta.url)), lockstep = process.env.LOCKSTEP;
const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "lockstep-page-"));
const at = name => join(folder, name);
const program = at("a'b<img src=x onerror=window.broken=1>&.cu");
const run = (...words) => execFileSync(lockstep, words, {cwd: folder, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8"});

let browser;
const errors = [];

before(async () => {
    const {chromium} = require("playwright-core");
    browser = await chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
                                     args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]});
    copyFileSync(join(here, "kernels.cu"), program);
    run("explain", "-o", "a.lockstep", program);
    run("explain", "-o", "b.lockstep", "--gpu", "gtx1650", program, "--", "</script><b>");
    run("report", "a.lockstep", "-o", "one.html");
    run("report", "a.lockstep", "b.lockstep", "-o", "two.html");
});

after(async () => {
    if (browser) await browser.close();
    rmSync(folder, {recursive: true, force: true});
});

// A page in a profile of its own; what the console says is an error.
async function open(file, hash = "", options = {}) {
    const context = await browser.newContext({viewport: {width: 1300, height: 900}, ...options});
    const page = await context.newPage();
    page.on("console", message => ["error", "warning"].includes(message.type()) && errors.push(`${file}#${hash}: ${message.text()}`));
    page.on("pageerror", error => errors.push(`${file}#${hash}: ${error.stack}`));
    page.on("request", request => request.url().startsWith("file:") || errors.push(`${file} asks for ${request.url()}`));
    await page.goto(`file://${at(file)}${hash && `#${hash}`}`);
    return page;
}

const names = page => page.locator(".kernels tbody th").allInnerTexts();
const views = async page => (await page.locator("nav a").evaluateAll(links => links.map(link => new URLSearchParams(link.hash.slice(1)).get("view"))));

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
    assert.ok(kernels.some(name => name.includes("strided<const int &>") || name.includes("strided<const int&>")), kernels.join());
    await page.context().close();
});

test("the table sorts and filters", async () => {
    const page = await open("one.html");
    const first = await names(page);
    await page.getByRole("button", {name: "Kernel", exact: true}).click();
    const sorted = await names(page);
    assert.deepEqual(sorted, [...first].sort((a, b) => a.localeCompare(b)));
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
    assert.match(await page.locator(".finding", {hasText: "division"}).innerText(), /own\[threadIdx\.x\] \+= own/);
    await page.locator(".finding a").first().click();
    await page.waitForSelector(".line[aria-selected=true]");
    assert.match(await page.locator(".line[aria-selected=true]").innerText(), /threadIdx\.x % \(2 \* stride\)/);
    assert.match(await page.locator(".side").innerText(), /rem\.u32[\s\S]*bra/);
    await page.context().close();
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
    for (const [theme, width] of [["light", 1300], ["dark", 1300], ["dark", 390]]) {
        const page = await open("two.html", "", {viewport: {width, height: 844}, colorScheme: theme});
        await page.evaluate(axe);
        for (const view of await views(page)) {
            await page.evaluate(to => { location.hash = `view=${to}&run=0&kernel=0`; }, view);
            await page.waitForSelector(`main[data-view=${view}]`);
            await page.waitForTimeout(60);
            const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wider <= 0, `${view} is ${wider} pixels wider than a window of ${width}`);
            const found = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
            const told = found.violations.map(one => `${one.id}: ${one.nodes.slice(0, 3).map(node => `${node.html} ${node.failureSummary}`).join("; ")}`);
            assert.deepEqual(told, [], `${view}, ${theme}, ${width}`);
        }
        await page.context().close();
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
