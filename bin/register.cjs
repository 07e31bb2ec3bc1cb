// Loaded by `pulumi` before the program (Pulumi.yaml, nodeargs) and by `talos-fleet`: TypeScript without type-checking, each
// file translated once and kept under node_modules/.cache. Why not a ready-made loader: docs/adr/0001-typescript-loading.md.
"use strict";

const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const sourceMaps = require("source-map-support");

require("./lazy-modules.cjs");

const FORMAT = "2";
const cache = path.join(__dirname, "../node_modules/.cache/talos-fleet");
const translated = new Map();

let stopping = false;

/** esbuild keeps a process of its own running; it goes as soon as the modules of this turn are loaded. */
function stopLater(esbuild) {
  if (stopping) return;
  stopping = true;
  setImmediate(() => {
    stopping = false;
    void esbuild.stop();
  });
}

function translate(source, file) {
  const esbuild = require("esbuild");
  stopLater(esbuild);
  const { code, map } = esbuild.transformSync(source, {
    loader: "ts",
    format: "cjs",
    target: "node20",
    // An import() that stays one would look for JavaScript.
    supported: { "dynamic-import": false },
    sourcemap: "external",
    sourcefile: file,
  });
  return { code, map };
}

function read(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written costs time only. Written aside and renamed, since several runs may do this at once. */
function keep(file, text) {
  try {
    fs.mkdirSync(cache, { recursive: true });
    const draft = `${file}.${process.pid}`;
    fs.writeFileSync(draft, text);
    fs.renameSync(draft, file);
  } catch {
    return;
  }
}

/** JavaScript of a TypeScript file. The path is part of the key: it stands in the source map. */
function javascript(file) {
  const source = fs.readFileSync(file, "utf8");
  const key = createHash("sha256").update(`${FORMAT}\0${file}\0${source}`).digest("hex").slice(0, 32);
  const kept = path.join(cache, `${key}.js`);
  translated.set(file, `${kept}.map`);
  const code = read(kept);
  if (code !== undefined && fs.existsSync(`${kept}.map`)) return code;
  const fresh = translate(source, file);
  keep(`${kept}.map`, fresh.map);
  keep(kept, fresh.code);
  return fresh.code;
}

// Before .json: of `keys.ts` and `keys.json` an import of "./keys" means the module.
const { ".json": json, ".node": native } = require.extensions;
delete require.extensions[".json"];
delete require.extensions[".node"];
require.extensions[".ts"] = (module, file) => module._compile(javascript(file), file);
Object.assign(require.extensions, { ".json": json, ".node": native });

// Handed a handler of its own, source-map-support leaves what is put in Error.prepareStackTrace afterwards alone.
sourceMaps.install({
  environment: "node",
  handleUncaughtExceptions: false,
  retrieveSourceMap: (file) => {
    const map = translated.has(file) ? read(translated.get(file)) : undefined;
    return map === undefined ? null : { url: file, map };
  },
});

/**
 * Pulumi takes a nameless error's stack for every promise and resource, to tell of leaks: a sixth of a preview. Those get none
 * unless its leak debugging is on. Else only lines of our own files are mapped: Pulumi's maps give lines such as
 * `/node_modules/@scope/file.ts:1:2`, on which Node 20's util.inspect with colours runs for half a minute.
 */
Error.prepareStackTrace = (error, frames) => {
  if (
    error.message === "" &&
    error.constructor === Error &&
    process.env.PULUMI_DEBUG_PROMISE_LEAKS === undefined
  )
    return "Error";
  const lines = frames.map((frame) =>
    translated.has(frame.getFileName()) ? sourceMaps.wrapCallSite(frame) : frame,
  );
  return [String(error), ...lines.map((line) => `    at ${line}`)].join("\n");
};
