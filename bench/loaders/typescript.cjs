// The TypeScript compiler without type-checking, as ts-node does it with transpile-only.
"use strict";
const fs = require("node:fs");
const ts = require("typescript");

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  esModuleInterop: true,
  inlineSourceMap: true,
};
require.extensions[".ts"] = (module, fileName) => {
  module._compile(
    ts.transpileModule(fs.readFileSync(fileName, "utf8"), { compilerOptions, fileName }).outputText,
    fileName,
  );
};
