// Stands in for Pulumi's own Node language host, which no published Go module holds. Plain JavaScript without a loader:
// every preview pays for its start. The SDK is that of the program, found from the project's folder.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");

/** The program's exit code for "failed, and the user has already been told why". */
const ALREADY_REPORTED = 32;

/** `pulumi` passes flags (`-root=DIR`, `-tracing=URL`) and then the engine's address. */
function parseArguments(argv) {
  const flags = {};
  const positional = [];
  for (const argument of argv) {
    const match = /^--?([a-z-]+)(?:=(.*))?$/s.exec(argument);
    if (match) flags[match[1]] = match[2] ?? "true";
    else positional.push(argument);
  }
  return { root: flags.root ?? process.cwd(), tracing: flags.tracing ?? "", engine: positional[0] ?? "" };
}

const invocation = parseArguments(process.argv.slice(2));

function sdkRequire(folder) {
  return createRequire(path.join(folder, "package.json"));
}

function loadSdk() {
  for (const folder of [invocation.root, process.cwd()]) {
    try {
      const load = sdkRequire(folder);
      const grpc = createRequire(load.resolve("@pulumi/pulumi/package.json"))("@grpc/grpc-js");
      return {
        grpc,
        service: load("@pulumi/pulumi/proto/language_grpc_pb").LanguageRuntimeService,
        messages: load("@pulumi/pulumi/proto/language_pb"),
        plugin: load("@pulumi/pulumi/proto/plugin_pb"),
        version: load("@pulumi/pulumi/package.json").version,
      };
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  throw new Error(`@pulumi/pulumi is not installed in ${invocation.root}; run npm ci`);
}

/** Splits `nodeargs` as a shell would: blanks separate, single and double quotes hold together. */
function splitWords(text) {
  const words = [];
  for (const match of text.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)) {
    words.push(match[0].replace(/"([^"]*)"|'([^']*)'/g, (_all, double, single) => double ?? single ?? ""));
  }
  return words;
}

/** `ns:name` as older SDK code expects it: `ns:config:name`. */
function legacyKey(key) {
  const parts = key.split(":");
  return parts.length === 2 ? `${parts[0]}:config:${parts[1]}` : key;
}

function programConfig(request) {
  const config = {};
  request.getConfigMap().forEach((value, key) => {
    config[legacyKey(key)] = value;
  });
  return JSON.stringify(config);
}

function programEnvironment(request, options) {
  const env = {
    ...process.env,
    PULUMI_CONFIG: programConfig(request),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList().map(legacyKey)),
  };
  if (options.typescript !== false) env.PULUMI_NODEJS_TYPESCRIPT = "true";
  if (typeof options.tsconfig === "string") env.PULUMI_NODEJS_TSCONFIG_PATH = options.tsconfig;
  return env;
}

function programArguments(request, options) {
  const info = request.getInfo();
  const runner = process.env.PULUMI_LANGUAGE_NODEJS_RUN_PATH ?? "@pulumi/pulumi/cmd/run";
  const args = splitWords(typeof options.nodeargs === "string" ? options.nodeargs : "");
  if (request.getAttachDebugger()) args.push("--inspect-brk=0");
  args.push(sdkRequire(info.getProgramDirectory()).resolve(runner));
  const flag = (name, value) => value && args.push(`--${name}`, value);
  flag("monitor", request.getMonitorAddress());
  flag("engine", invocation.engine);
  flag("organization", request.getOrganization());
  flag("project", request.getProject());
  flag("stack", request.getStack());
  flag("root-directory", info.getRootDirectory());
  flag("pwd", request.getPwd());
  if (request.getDryrun()) args.push("--dry-run");
  flag("parallel", String(request.getParallel()));
  flag("tracing", invocation.tracing);
  return [...args, info.getEntryPoint() || ".", ...request.getArgsList()];
}

const running = new Set();

function stopPrograms() {
  for (const child of running) child.kill("SIGKILL");
}

function runProgram(messages, request, answer) {
  const response = new messages.RunResponse();
  const fail = (text) => {
    response.setError(text);
    answer(null, response);
  };
  const info = request.getInfo();
  const options = info.getOptions()?.toJavaScript() ?? {};
  let child;
  try {
    const args = programArguments(request, options);
    const env = programEnvironment(request, options);
    child = spawn(process.execPath, args, {
      cwd: info.getProgramDirectory(),
      env,
      stdio: ["ignore", "inherit", "inherit"],
    });
  } catch (error) {
    fail(`Problem executing program: ${error.message}`);
    return;
  }
  running.add(child);
  child.on("error", (error) => fail(`Problem executing program: ${error.message}`));
  child.on("exit", (code, signal) => {
    running.delete(child);
    if (code === ALREADY_REPORTED) response.setBail(true);
    else if (signal) response.setError(`Program was ended by ${signal}`);
    else if (code !== 0) response.setError(`Program exited with non-zero exit code: ${code}`);
    answer(null, response);
  });
}

/** Direct dependencies of the program with their installed versions. */
function programDependencies(messages, request) {
  const response = new messages.GetProgramDependenciesResponse();
  const folder = request.getInfo()?.getProgramDirectory() || request.getPwd();
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    const installed = path.join(folder, "node_modules", name, "package.json");
    if (!fs.existsSync(installed)) continue;
    const dependency = new messages.DependencyInfo();
    dependency.setName(name);
    dependency.setVersion(JSON.parse(fs.readFileSync(installed, "utf8")).version);
    response.addDependencies(dependency);
  }
  return response;
}

/** Turns a synchronous function into a gRPC handler that reports what it throws. */
function handler(work) {
  return (call, answer) => {
    try {
      answer(null, work(call.request));
    } catch (error) {
      answer({ code: 2, message: error.message });
    }
  };
}

function about(messages) {
  const response = new messages.AboutResponse();
  response.setExecutable(process.execPath);
  response.setVersion(process.version);
  return response;
}

function pluginInfo(sdk) {
  const response = new sdk.plugin.PluginInfo();
  response.setVersion(sdk.version);
  return response;
}

function handlers(sdk) {
  const { messages } = sdk;
  const { Empty } = createRequire(sdkRequire(invocation.root).resolve("@pulumi/pulumi/package.json"))(
    "google-protobuf/google/protobuf/empty_pb",
  );
  return {
    handshake: handler(() => new messages.LanguageHandshakeResponse()),
    getPluginInfo: handler(() => pluginInfo(sdk)),
    about: handler(() => about(messages)),
    // Empty: each SDK sends its plugin's version with every resource, and what cannot be downloaded need not be listed.
    getRequiredPlugins: handler(() => new messages.GetRequiredPluginsResponse()),
    getRequiredPackages: handler(() => new messages.GetRequiredPackagesResponse()),
    getProgramDependencies: handler((request) => programDependencies(messages, request)),
    run: (call, answer) => {
      call.on("cancelled", stopPrograms);
      runProgram(messages, call.request, answer);
    },
    cancel: handler(() => {
      stopPrograms();
      return new Empty();
    }),
  };
}

/** A killed engine must not leave this process or the program behind. */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid === parent) return;
    stopPrograms();
    process.exit(0);
  }, 500).unref();
}

function main() {
  const sdk = loadSdk();
  const server = new sdk.grpc.Server({ "grpc.max_receive_message_length": 400 << 20 });
  server.addService(sdk.service, handlers(sdk));
  server.bindAsync("127.0.0.1:0", sdk.grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
    endWithParent();
  });
}

process.on("exit", stopPrograms);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
main();
