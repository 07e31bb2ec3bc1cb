// Pulumi loads a compiler and npm's tree reader for functions that are sent into the cloud. This program has none: these two
// load when somebody first asks for a part of them (docs/adr/0001-typescript-loading.md).
"use strict";

const Module = require("node:module");

/** What is asked for, and the file of Pulumi that asks for it whether it needs it or not. */
const askers = new Map([
  ["typescript", /@pulumi[\\/]pulumi[\\/]typescript-shim\.js$/],
  ["@npmcli/arborist", /@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]codePaths\.js$/],
]);

const load = Module._load;

/** Stands for the module's exports. `__esModule` keeps the asker's import helper from copying them, which would load all. */
function later(whole) {
  let loaded;
  const exports = () => (loaded ??= whole());
  return new Proxy(
    {},
    {
      get: (_, name) => (name === "__esModule" ? true : exports()[name]),
      has: (_, name) => name in exports(),
    },
  );
}

Module._load = function (request, parent, ...rest) {
  const whole = () => load.call(this, request, parent, ...rest);
  return askers.get(request)?.test(parent?.filename ?? "") === true ? later(whole) : whole();
};
