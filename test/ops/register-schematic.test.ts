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

test("a factory that cannot be reached: what for, and what to set", async () => {
  const factoryUrl = await factory({ status: 201, body: "{}" });
  await new Promise((resolve) => server?.close(resolve));
  await expect(registerSchematic({ factoryUrl, id, text, ...quick })).rejects.toThrow(
    /^factoryUrl: POST http:.*ECONNREFUSED.*: the factory has to be told of the schematic once; nothing has been created\. Behind a proxy set HTTPS_PROXY; for a factory of your own set factoryUrl$/,
  );
});
