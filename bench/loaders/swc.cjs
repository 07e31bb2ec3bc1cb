// @swc/core as a require hook, nothing cached.
"use strict";
const fs = require("node:fs");
const { transformSync } = require("@swc/core");

const options = {
  jsc: { parser: { syntax: "typescript" }, target: "es2022" },
  module: { type: "commonjs" },
  sourceMaps: "inline",
};
require.extensions[".ts"] = (module, filename) => {
  module._compile(transformSync(fs.readFileSync(filename, "utf8"), { ...options, filename }).code, filename);
};
