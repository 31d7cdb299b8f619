// Pictures of the report page, for docs/gallery.md. `make gallery` makes them anew; the page's tests take them too, and
// look that each shows something.
import {execFileSync} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

// What is shown, of which page, and where; `wants` must be there.
export const pictures = [
    {name: "overview", page: "ladder", hash: "view=overview", wants: ".kernels tbody tr"},
    {name: "kernel", page: "ladder", hash: "view=kernel&kernel=0", wants: "main[data-view=kernel]"},
    {name: "source", page: "ladder", hash: "view=source&kernel=0", wants: "main[data-view=source]"},
    {name: "warps", page: "ladder", hash: "view=warps&kernel=0", wants: "main[data-view=warps] canvas"},
    {name: "threads", page: "ladder", hash: "view=tree&kernel=0", wants: "main[data-view=tree] canvas"},
    {name: "blocks", page: "ladder", hash: "view=schedule&kernel=0", wants: "main[data-view=schedule]"},
    {name: "accesses", page: "small", hash: "view=memory&kernel=0", wants: "main[data-view=memory]"},
    {name: "streams", page: "small", hash: "view=timeline", wants: "main[data-view=timeline]"},
    {name: "compare", page: "small", hash: "view=compare", wants: "main[data-view=compare]"},
    {name: "sweep", page: "small", hash: "view=sweep", wants: "main[data-view=sweep]"},
    {name: "amd", page: "amd", hash: "view=kernel&kernel=0", wants: "main[data-view=kernel]"},
    {name: "dark", page: "ladder", hash: "view=warps&kernel=0", wants: "main[data-view=warps] canvas", theme: "dark"},
    {name: "phone", page: "ladder", hash: "view=kernel&kernel=0", wants: "main[data-view=kernel]", width: 390, height: 800},
];

// The pages that they are of, made in `folder`.
export function makePages(lockstep, folder) {
    const run = (...words) => execFileSync(lockstep, words, {cwd: folder, stdio: ["ignore", "pipe", "pipe"]});
    const root = join(here, "../..");
    run("explain", "-o", "ladder.lockstep", join(root, "examples/reduce-integer.cu"));
    run("report", "ladder.lockstep", "-o", "ladder.html");
    run("explain", "-o", "small.lockstep", join(here, "kernels.cu"));
    run("explain", "-o", "other.lockstep", "--gpu", "gtx1650", join(here, "kernels.cu"));
    run("sweep", join(here, "kernels.cu"), "--kernel", "strided", "--block", "32,64,128,256", "--json", "sweep.json");
    run("report", "small.lockstep", "other.lockstep", "--sweep", "sweep.json", "-o", "small.html");
    run("explain", "-o", "amd.lockstep", join(root, "labs/reduction-wavefront/start.hip"));
    run("report", "amd.lockstep", "-o", "amd.html");
}

// Takes one; its bytes.
export async function take(browser, folder, picture, path) {
    const context = await browser.newContext({
        viewport: {width: picture.width || 1200, height: picture.height || 720},
        colorScheme: picture.theme || "light",
        reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(`file://${join(folder, picture.page)}.html#${picture.hash}`);
    await page.waitForSelector(picture.wants, {timeout: 10000});
    await page.waitForTimeout(100);
    const bytes = await page.screenshot(path ? {path} : {});
    await context.close();
    return bytes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const {chromium} = createRequire(import.meta.url)("playwright-core");
    const folder = mkdtempSync(join(tmpdir(), "lockstep-gallery-"));
    const into = process.argv[2] || join(here, "../../docs/images/gallery");
    mkdirSync(into, {recursive: true});
    makePages(process.env.LOCKSTEP, folder);
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
        args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    });
    for (const picture of pictures) await take(browser, folder, picture, join(into, `${picture.name}.png`));
    await browser.close();
    rmSync(folder, {recursive: true, force: true});
}
