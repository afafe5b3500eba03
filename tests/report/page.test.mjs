// SPDX-License-Identifier: Apache-2.0
// node page.test.mjs REPORT_SAMPLES WEB_BUILD OUTPUT CHROMIUM: the page in a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [samples, web, output, chromium] = process.argv.slice(2);

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}
if (!chromium || chromium.includes("NOTFOUND")) skip("no Chromium (package chromium)");
if (Number(process.versions.node.split(".")[0]) < 20) skip("driving a browser needs Node.js 20 or later");
if (!existsSync(join(web, "node_modules", "playwright-core"))) skip("the page was built without what its tests need (package npm, and a network)");
if (!existsSync(join(web, "template.html")) || statSync(join(web, "template.html")).size === 0) skip("the page was not built");

const require = createRequire(join(web, "package.json"));
const { chromium: browserOf } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
execFileSync(samples, [output], { stdio: "inherit" });
const browser = await browserOf.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu"] });

async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.said = [];
  page.asked = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) page.said.push(message.text()); });
  page.on("pageerror", (error) => page.said.push(String(error)));
  page.on("request", (request) => { if (!/^(data|blob):/.test(request.url())) page.asked.push(request.url()); });
  await page.goto(pathToFileURL(join(output, `${name}.html`)).href);
  if (options.javaScriptEnabled !== false) await page.waitForFunction(() => document.documentElement.dataset.ready === "1");
  page.done = async () => {
    assert.deepEqual(page.said, []);
    assert.equal(page.asked.length, 1, `requests: ${page.asked}`);
    await context.close();
  };
  return page;
}

/** Every chart is drawn, by scrolling through the page as a reader does. */
async function readThrough(page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 500) {
      scrollTo({ top: y, behavior: "instant" });
      await new Promise((done) => setTimeout(done, 25));
    }
    scrollTo({ top: 0, behavior: "instant" });
  });
  await page.waitForTimeout(200);
}

async function charts(page) {
  return page.$$eval("figure", (figures) => figures.map((figure) => ({
    title: figure.querySelector("h3").textContent,
    marks: figure.querySelectorAll(".drawing path, .drawing rect, .drawing circle, .drawing line").length + 9 * figure.querySelectorAll("canvas").length,
    finite: !/NaN|Infinity/.test(figure.querySelector(".drawing").innerHTML),
    named: figure.querySelector(".drawing [role=img]")?.getAttribute("aria-label") ?? "",
  })));
}

const tests = {
  async "charts are there, not empty, and named"() {
    const page = await open("points_400");
    await readThrough(page);
    const found = await charts(page);
    for (const title of ["imb-mpi1/PingPong", "imb-ext/Unidir_Put", "imb-io/S_Write_indv", "b_eff_io, scatter",
      "What the time goes into", "Batches over time", "Interruptions of alpha", "Time over length of every point", "imb-nbc/Ibcast",
      "imb-mpi1/Allreduce over processes", "Latency of pairs, alpha"])
      assert.ok(found.some((one) => one.title === title), `no chart ${title}`);
    assert.ok(found.some((one) => one.title.startsWith("Bandwidth per process by pattern")));
    for (const one of found) {
      assert.ok(one.marks > 3, `${one.title} is empty`);
      assert.ok(one.finite, `${one.title} draws a number that is none`);
      assert.ok(one.named.includes(one.title), `${one.title} has no name`);
    }
    assert.equal(await page.getAttribute("html", "data-errors"), "0");
    await page.done();
  },

  async "legend, switch and filter work by keyboard"() {
    const page = await open("points_400");
    await readThrough(page);
    const first = page.locator("figure", { hasText: "imb-mpi1/PingPong" }).first();
    const before = await first.locator(".drawing path").count();
    await first.locator(".legend button").first().focus();
    await page.keyboard.press("Enter");
    assert.equal(await first.locator(".legend button").first().getAttribute("aria-pressed"), "false");
    assert.ok(await first.locator(".drawing path").count() < before);
    await page.locator("#messages .choice button", { hasText: "bandwidth" }).focus();
    await page.keyboard.press("Space");
    assert.match(await first.locator(".drawing").textContent(), /bandwidth/);
    await page.locator("input[type=search]").focus();
    await page.keyboard.type("pingpong processes=4");
    await page.waitForFunction(() => /^1\d of/.test(document.querySelector("[role=status]").textContent));
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle !== "none"), "focus is visible");
    await page.done();
  },

  async "two machines stand side by side and are compared"() {
    const page = await open("two");
    await readThrough(page);
    const found = await charts(page);
    for (const title of ["Normalised columns", "imb-mpi1/PingPong, new over base", "Random ring over HPL", "Interruptions of beta"])
      assert.ok(found.some((one) => one.title === title && one.marks > 3 && one.finite), `no chart ${title}`);
    await page.done();
  },

  async "light and dark differ and are accessible"() {
    const grounds = new Set();
    for (const colorScheme of ["light", "dark"]) {
      const page = await open("two", { colorScheme, bypassCSP: true });
      await readThrough(page);
      grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      await page.evaluate(axe);
      const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      assert.deepEqual(result.violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 200)}`), [], colorScheme);
        await page.done();
    }
    assert.equal(grounds.size, 2);
    const page = await open("points_400", { colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.click("text=Light or dark");
    assert.notEqual(await ground(), light);
    await page.done();
  },

  async "a telephone does not scroll sideways"() {
    const page = await open("two", { viewport: { width: 390, height: 800 } });
    await readThrough(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${width} pixels wide`);
    await page.done();
  },

  async "printing draws every chart and bounds the pages"() {
    const page = await open("points_10000");
    const pdf = await page.pdf({ format: "A4" });
    const pages = (pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g) ?? []).length;
    assert.ok(pages > 3 && pages < 60, `${pages} pages`);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    for (const one of await charts(page)) assert.ok(one.marks > 3, `${one.title} is empty in print`);
    await page.done();
  },

  async "hostile texts do nothing and are shown"() {
    const page = await open("hostile");
    await readThrough(page);
    assert.equal(await page.evaluate(() => globalThis.hurt), undefined);
    assert.equal(await page.locator("img").count(), 0);
    assert.ok((await page.textContent("h1")).includes("<script>window.hurt=1</script>"));
    await page.done();
  },

  async "without scripts the tables are there"() {
    const page = await open("points_400", { javaScriptEnabled: false });
    assert.ok(await page.locator("table").count() > 10);
    assert.match(await page.textContent("#merit"), /HPL/);
    await page.done();
  },

  async "many points are thinned where they are drawn, not lost"() {
    const page = await open("points_100000");
    await readThrough(page);
    assert.match(await page.locator("figure", { hasText: "imb-mpi1/PingPong" }).first().locator("figcaption").textContent(), /bins/);
    assert.match(await page.locator("[role=status]").textContent(), /^10\d{4} of/);
    assert.ok(await page.locator(".all-points tbody tr").count() < 120);
    const ready = await page.evaluate(() => Math.round(performance.getEntriesByName("ready")[0]?.startTime ?? -1));
    console.log(`    100 000 points ready after ${ready} ms, file of ${statSync(join(output, "points_100000.html")).size} byte`);
    await page.done();
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests))
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}\n${error.stack ?? error}`);
  }
await browser.close();
process.exit(failed ? 1 : 0);
