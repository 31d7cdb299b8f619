// The labs as pages (`lockstep lab serve`): who is answered, what a learner can do, and what a program may not.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {existsSync, mkdtempSync, readFileSync, rmSync} from "node:fs";
import {request} from "node:http";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {after, before, test} from "node:test";
import {fileURLToPath} from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "lockstep-labs-"));
const solution = readFileSync(join(here, "../labs/divergence-solution.cu"), "utf8");
const start = readFileSync(join(here, "../../labs/divergence/start.cu"), "utf8");
let browser, address, port, token;
const children = [];

// Starts a server; what it prints first.
async function serve(command, ...words) {
    const child = spawn(command, words, {cwd: folder, stdio: ["ignore", "pipe", "inherit"]});
    children.push(child);
    let text = "";
    for await (const data of child.stdout) if ((text += data).includes("Ctrl+C")) break;
    const url = new URL(text.match(/http:\S+/)[0]);
    return {child, text, address: url.href, port: url.port, token: url.searchParams.get("token")};
}

// A request with any header, Host too; its status and body.
const ask = (to, {method = "GET", headers = {}, body = ""} = {}) =>
    new Promise((resolve, reject) => {
        const sent = request(to, {method, headers}, answer => {
            let text = "";
            answer.on("data", data => (text += data));
            answer.on("end", () => resolve({status: answer.statusCode, headers: answer.headers, text}));
        });
        sent.on("error", reject);
        sent.end(body);
    });
const act = (server, lab, what, data) =>
    ask(`http://127.0.0.1:${server.port}/lab/${lab}/${what}`, {
        method: "POST",
        headers: {"X-Lockstep-Token": server.token},
        body: JSON.stringify(data),
    });

before(async () => {
    ({address, port, token} = await serve(process.env.LOCKSTEP, "lab", "serve", folder));
    const {chromium} = require("playwright-core");
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
        args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
});

after(async () => {
    if (browser) await browser.close();
    for (const child of children) child.kill();
    rmSync(folder, {recursive: true, force: true});
});

test("answers who has the token, at its own address, from its own pages, and nobody else", async () => {
    const page = `http://127.0.0.1:${port}/`;
    assert.equal((await ask(page)).status, 403);
    assert.equal((await ask(`${page}?token=${"0".repeat(32)}`)).status, 403);
    const good = await ask(address);
    assert.equal(good.status, 200);
    assert.match(good.headers["content-security-policy"], /default-src 'self'/);
    assert.equal((await ask(address, {headers: {Host: `labs.example:${port}`}})).status, 403);
    assert.equal((await ask(address, {headers: {Origin: "http://labs.example"}})).status, 403);
    // Neither the cookie nor the address is enough to change something.
    const cookie = good.headers["set-cookie"][0].split(";")[0];
    assert.equal((await ask(`${page}lab/divergence`, {headers: {Cookie: cookie}})).status, 200);
    const body = JSON.stringify({source: "int main() {}"});
    for (const to of [`${page}lab/divergence/run`, `${page}lab/divergence/run?token=${token}`])
        assert.equal((await ask(to, {method: "POST", headers: {Cookie: cookie}, body})).status, 403);
    assert.equal(existsSync(join(folder, "divergence.cu")), false);
    // And no other address of this machine listens.
    await assert.rejects(ask(`http://[::1]:${port}/?token=${token}`));
});

test("what is asked for wrongly is told", async () => {
    const server = {port, token};
    assert.equal((await act(server, "no-such-lab", "run", {source: ""})).status, 404);
    assert.match((await act(server, "divergenc", "run", {source: ""})).text, /did you mean divergence\?/);
    assert.equal((await act(server, "divergence", "delete", {source: start})).status, 404);
    assert.equal((await act(server, "divergence", "run", {})).status, 400);
    assert.notEqual((await act(server, "divergence", "run", {source: "x".repeat(2 << 20)})).status, 200);
    assert.match((await act(server, "divergence", "run", {source: "nonsense"})).text, /does not compile/);
});

test("programs that take too long or too much are stopped, and the server goes on", async () => {
    const server = await serve(
        join(dirname(process.env.LOCKSTEP), "lib/lockstep-serve"),
        "--command",
        process.env.LOCKSTEP,
        "--folder",
        folder,
        "--seconds",
        "12",  // in which a program is compiled on a machine that does other things as well
    );
    const endless = act(server, "divergence", "run", {source: "int main() { for (volatile int i = 0;; i = i + 1) {} }"});
    await new Promise(resolve => setTimeout(resolve, 2000));
    const busy = await act(server, "divergence", "run", {source: "int main() {}"});
    assert.equal(busy.status, 429);
    assert.match(JSON.parse((await endless).text).ended, /was stopped after 12 seconds|signal 24/);
    const greedy = "#include <vector>\nint main() { std::vector<char*> v; for (;;) v.push_back(new char[1 << 28]); }";
    assert.match(JSON.parse((await act(server, "divergence", "run", {source: greedy})).text).output, /bad_alloc/);
    const chatty = '#include <cstdio>\nint main() { for (int i = 0; i < 1000000; ++i) std::puts("0123456789"); }';
    const {output} = JSON.parse((await act(server, "divergence", "run", {source: chatty})).text);
    assert.ok(output.length < 600000 && output.includes("bytes are left out"), `${output.length}`);
    const ended = new Promise(resolve => server.child.on("exit", resolve));
    server.child.kill("SIGINT");
    assert.equal(await ended, 0);
});

test("a learner reads, runs, is told what is missing, and solves it; everybody can", async () => {
    rmSync(join(folder, "divergence.cu"), {force: true});
    const context = await browser.newContext({viewport: {width: 1300, height: 900}});
    const page = await context.newPage();
    const errors = [];
    page.on("console", message => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", error => errors.push(error.stack));
    await page.goto(address);
    assert.equal(await page.locator("ol a").count(), 20);
    await page.getByRole("link", {name: /^Divergence/}).click();
    assert.ok((await page.locator("main table").count()) > 0);
    const source = page.locator("#source");
    assert.equal(await source.inputValue(), start);

    const perform = async name => {
        await page.getByRole("button", {name, exact: true}).click();
        await page.waitForFunction(() => document.getElementById("state").textContent.startsWith("It "), null, {
            timeout: 60000,
        });
        return await page.locator("#output").innerText();
    };
    assert.match(await perform("Run"), /0 of 16384 results are wrong/);
    assert.match(await perform("Check my solution"), /missing +treat: branch_efficiency >= 99/);
    await source.fill(solution);
    assert.match(await perform("Check my solution"), /the exercise is done/);
    assert.equal(readFileSync(join(folder, "divergence.cu"), "utf8"), solution);
    assert.match(await perform("Explain"), /treat/);
    await page.reload();
    assert.equal(await source.inputValue(), solution);

    // By keyboard: a tab is written, and left with Escape.
    await source.focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Tab");
    assert.ok((await source.inputValue()).startsWith("    "));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => document.activeElement.id), "source");
    await page.waitForFunction(() => document.getElementById("saved").textContent === "saved");
    assert.equal(readFileSync(join(folder, "divergence.cu"), "utf8"), `    ${solution}`);

    const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    for (const scheme of ["light", "dark"])
        for (const width of [1300, 390]) {
            await page.emulateMedia({colorScheme: scheme});
            await page.setViewportSize({width, height: 800});
            await page.evaluate(axe);
            const found = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
            assert.deepEqual(
                found.violations.map(one => `${one.id}: ${one.nodes.map(node => node.html).join("; ")}`),
                [],
                `${scheme}, ${width}`,
            );
            const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);
            assert.equal(wide, false, `${scheme}, ${width}: wider than the window`);
        }
    assert.deepEqual(errors, []);
    await context.close();
});
