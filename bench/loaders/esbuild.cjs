// esbuild as a require hook, nothing cached.
"use strict";
const fs = require("node:fs");
const { transformSync } = require("esbuild");

require.extensions[".ts"] = (module, sourcefile) => {
  const { code } = transformSync(fs.readFileSync(sourcefile, "utf8"), {
    loader: "ts",
    format: "cjs",
    target: "node20",
    sourcemap: "inline",
    sourcefile,
  });
  module._compile(code, sourcefile);
};
