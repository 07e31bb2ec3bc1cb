// Loaded by `pulumi` before the program (Pulumi.yaml, nodeargs): TypeScript without type-checking, see docs/adr/0001.
"use strict";

require("tsx/cjs");
const util = require("node:util");

/**
 * Node 20's util.inspect with colours never ends on a stack line like `/node_modules/@scope/file.ts:1:2)` (it fills memory for
 * half a minute until a string is too long), and Pulumi inspects every error of a program that way.
 */
const inspect = util.inspect;
const endless = /node_modules[/\\]@[^/\\\n]*[/\\][^/\\\n]*$/m;

util.inspect = Object.assign((value, ...options) => {
  const text = value instanceof Error && typeof value.stack === "string" ? value.stack : "";
  return endless.test(text) ? inspect(value) : inspect(value, ...options);
}, inspect);
