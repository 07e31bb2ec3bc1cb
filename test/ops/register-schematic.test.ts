import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { registerSchematic } from "../../ops/register-schematic/run";

let server: Server | undefined;
const seen: string[] = [];

/** Answers POST /schematics as told, one answer a request; the last one stays. */
async function factory(...answers: { status: number; body: string }[]): Promise<string> {
  seen.length = 0;
  const started = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      seen.push(`${request.method ?? ""} ${request.url ?? ""} ${body}`);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      response.writeHead(answer?.status ?? 500, { Server: "Image Factory v1.5.0" }).end(answer?.body);
    });
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

afterEach(() => server?.close());

const id = "a".repeat(64);
const text = 'customization:\n    extraKernelArgs:\n        - "10:20"\n';
const quick = { pause: 1, timeout: 1000 };

test("posts the canonical bytes once and believes our id", async () => {
  const factoryUrl = await factory({ status: 201, body: JSON.stringify({ id }) });
  await expect(registerSchematic({ factoryUrl, id, text, ...quick })).resolves.toBe(
    `schematic ${id} registered at ${factoryUrl}`,
  );
  expect(seen).toEqual([`POST /schematics ${text}`]);
});

test("another id fails with a text diff", async () => {
  const theirs = { id: "b".repeat(64), schematic: text.replaceAll('"', "'") };
  const factoryUrl = await factory({ status: 201, body: JSON.stringify(theirs) });
  await expect(registerSchematic({ factoryUrl, id, text, ...quick })).rejects.toThrow(
    [
      `schematic: ${theirs.id}: the factory at ${factoryUrl} (Image Factory v1.5.0) gives another id than the ${id} computed here; nothing has been created. Write the lines that differ so that every factory reads them alike, or use the factory whose version wrote the id`,
      "- ours, + the factory's:",
      "  customization:",
      "      extraKernelArgs:",
      '-         - "10:20"',
      "+         - '10:20'",
    ].join("\n"),
  );
});

test("a broken factory is asked again, a refusal is final and says why", async () => {
  const healed = await factory({ status: 503, body: "busy" }, { status: 201, body: JSON.stringify({ id }) });
  await expect(registerSchematic({ factoryUrl: healed, id, text, ...quick })).resolves.toContain(
    "registered",
  );
  expect(seen).toHaveLength(2);
  server?.close();
  const refused = await factory({
    status: 400,
    body: "field something not found in type schematic.Schematic",
  });
  await expect(registerSchematic({ factoryUrl: refused, id, text, ...quick })).rejects.toThrow(
    "400: field something not found in type schematic.Schematic",
  );
  expect(seen).toHaveLength(1);
});

const secretive = [
  "customization:",
  "    extraKernelArgs:",
  "        - quiet",
  "        - siderolink.api=https://omni.example/?jointoken=sesame",
  '        - "10:20"',
  "",
].join("\n");

const failure = (run: Promise<string>): Promise<string> =>
  run.then(
    () => "registered",
    (error: unknown) => String(error),
  );

test.each([
  ["with the other id", (theirs: string) => ({ id: "b".repeat(64), schematic: theirs })],
  ["at its own address", () => ({ id: "b".repeat(64) })],
])("of a secret schematic only the numbers of the lines that differ are told: text %s", async (_, answer) => {
  const theirs = secretive.replaceAll('"', "'");
  const body = JSON.stringify(answer(theirs));
  const factoryUrl = await factory({ status: 201, body }, { status: 200, body: theirs });
  const told = await failure(registerSchematic({ factoryUrl, id, text: secretive, secret: true, ...quick }));
  expect(told).toContain("gives another id than the");
  expect(told).toContain("lines that differ (the text is secret, and not shown): ours 5; the factory's 5");
  for (const word of ["sesame", "quiet", "10:20", "customization"]) expect(told).not.toContain(word);
});

test("a factory that does not show what it made of a secret schematic is said to", async () => {
  const factoryUrl = await factory(
    { status: 201, body: JSON.stringify({ id: "b".repeat(64) }) },
    { status: 404, body: secretive },
  );
  const told = await failure(registerSchematic({ factoryUrl, id, text: secretive, secret: true, ...quick }));
  expect(told).toContain("the factory does not show its own");
  expect(told).not.toContain("sesame");
});

const refusal =
  'yaml: unmarshal errors:\n  line 4: cannot unmarshal !!str `siderolink.api=https://omni.example/?jointoken=sesame` into "quiet"';

test.each([
  ["refuses it", 400],
  ["is broken", 503],
])("a factory that %s tells nothing of a secret schematic but lines", async (_, status) => {
  const factoryUrl = await factory({ status, body: refusal });
  const call = { factoryUrl, id, text: secretive, secret: true, ...quick, retries: 0 };
  const told = await failure(registerSchematic(call));
  expect(told).toContain(`${status}: line 4 (the schematic is secret: what the factory says is not shown)`);
  for (const word of ["sesame", "quiet", "siderolink", "unmarshal"]) expect(told).not.toContain(word);
});

test("an answer that is none tells nothing of a secret schematic", async () => {
  const factoryUrl = await factory({ status: 200, body: secretive });
  const told = await failure(registerSchematic({ factoryUrl, id, text: secretive, secret: true, ...quick }));
  expect(told).toContain("the answer is not what an Image Factory sends");
  for (const word of ["sesame", "quiet"]) expect(told).not.toContain(word);
});

test("a kernel argument that may hold a token is never shown, the others are", async () => {
  const theirs = { id: "b".repeat(64), schematic: secretive.replaceAll('"', "'") };
  const other = await factory({ status: 201, body: JSON.stringify(theirs) });
  const diff = await failure(registerSchematic({ factoryUrl: other, id, text: secretive, ...quick }));
  expect(diff).toContain(
    "          - quiet\n  (value not shown)\n-         - \"10:20\"\n+         - '10:20'",
  );
  server?.close();
  const refused = await factory({ status: 400, body: `${refusal} of sesame, join` });
  const told = await failure(registerSchematic({ factoryUrl: refused, id, text: secretive, ...quick }));
  expect(told).toContain("400: yaml: unmarshal errors:\n  line 4: cannot unmarshal !!str `(not shown)`");
  expect(told).toContain("quiet");
  server?.close();
  const none = await factory({ status: 200, body: secretive });
  const said = await failure(registerSchematic({ factoryUrl: none, id, text: secretive, ...quick }));
  for (const text of [diff, told, said]) expect(text).not.toContain("sesame");
});

test("a factory that cannot be reached: what for, and what to set", async () => {
  const factoryUrl = await factory({ status: 201, body: "{}" });
  await new Promise((resolve) => server?.close(resolve));
  await expect(registerSchematic({ factoryUrl, id, text, ...quick })).rejects.toThrow(
    /^factoryUrl: POST http:.*ECONNREFUSED.*: the factory has to be told of the schematic once; nothing has been created\. Behind a proxy set HTTPS_PROXY; for a factory of your own set factoryUrl$/,
  );
});
