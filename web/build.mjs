// SPDX-License-Identifier: Apache-2.0
// node build.mjs NODE_MODULES OUTPUT: the page's scripts and styles in one HTML file.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = resolve(process.argv[2]);
const esbuild = createRequire(join(modules, "package.json"))("esbuild");

const bundle = await esbuild.build({
  entryPoints: [join(here, "src/main.ts")],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  nodePaths: [modules],
});
const style = await esbuild.transform(readFileSync(join(here, "src/style.css"), "utf8"), { loader: "css", minify: true });

// The folder of a package, from the path of one of its files; nothing for our own.
function packageFolder(path) {
  const found = path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/);
  return found ? found[0] : undefined;
}

function licence(folder) {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${about.license}`;
  return `${about.name} ${about.version}\n\n${text}`;
}

const folders = [
  ...new Set(
    Object.keys(bundle.metafile.inputs)
      .map((path) => packageFolder(resolve(path)))
      .filter(Boolean),
  ),
];
const licences = folders
  .filter((folder) => existsSync(join(folder, "package.json")))
  .map(licence)
  .sort();
const escaped = (text) =>
  text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/https?:\/\//g, ""); // a page that is opened without a network names no address

const filled = {
  "@STYLE@": style.code,
  "@LICENCES@": escaped(licences.join("\n\n----\n\n")),
  "@SCRIPT@": bundle.outputFiles[0].text.replace(/<\/script/gi, "<\\/script"),
};
const template = readFileSync(join(here, "src/template.html"), "utf8");
writeFileSync(
  process.argv[3],
  template.replace(/@(STYLE|LICENCES|SCRIPT)@/g, (token) => filled[token]),
);
