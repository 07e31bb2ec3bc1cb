import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { FactoryClient, FactoryError } from "../../../ops/clients/factory";
import { type Factory, type FactoryOptions, startFactory } from "../../image-factory";

let factory: Factory;
afterEach(() => factory.stop());

async function client(options: FactoryOptions = {}, timeout = 2000): Promise<FactoryClient> {
  factory = await startFactory(options);
  return new FactoryClient({ factoryUrl: factory.url, timeout, retries: 2, pause: 5 });
}

const vanilla = "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba";
const text = "customization: {}\n";

test("posts the very bytes and gives id, text and server", async () => {
  const created = await (await client()).createSchematic(text);
  expect(created).toEqual({ id: vanilla, text, server: "Image Factory v1.5.0" });
  expect(factory.requests.map(({ body }) => body)).toEqual([text]);
});

test("an older factory tells no text", async () => {
  expect(await (await client({ release: "v1.0.0" })).createSchematic(text)).toEqual({
    id: vanilla,
    server: "Image Factory v1.0.0",
  });
});

test("lists and stored text", async () => {
  const http = await client();
  expect(await http.versions()).toContain("v1.13.10");
  expect(await http.extensions("v1.13.10")).toContain("siderolabs/iscsi-tools");
  expect(await http.overlays("v1.13.10")).toContain("rpi_generic");
  await http.createSchematic(text);
  expect(await http.schematic(vanilla)).toBe(text);
});

test("5xx and cut connections are tried again", async () => {
  const http = await client({
    faults: [
      { path: /./, status: 503 },
      { path: /./, drop: true },
    ],
  });
  expect((await http.createSchematic(text)).id).toBe(vanilla);
  expect(factory.requests.map(({ status }) => status)).toEqual([503, undefined, 201]);
});

test("not for ever: the last answer reaches the user", async () => {
  const http = await client({
    faults: [{ path: /./, times: 9, status: 500, body: "internal server error\n" }],
  });
  await expect(http.createSchematic(text)).rejects.toThrow(
    /^POST http:\/\/127\.0\.0\.1:\d+\/schematics: 500: internal server error \(request rehearsal-\d\)$/,
  );
  expect(factory.requests).toHaveLength(3);
});

test("4xx is never tried again, and its body reaches the user", async () => {
  const http = await client();
  const failure = await http.createSchematic("something: 1").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(FactoryError);
  expect(failure).toMatchObject({ status: 400 });
  expect(String(failure)).toContain("400: yaml: construct errors: line 1: field something not found");
  expect(factory.requests).toHaveLength(1);
});

test("a factory that never answers runs into the time-out", async () => {
  const http = await client({ faults: [{ path: /./, times: 9, hang: true }] }, 400);
  await expect(http.createSchematic(text)).rejects.toThrow(/timeout of 400ms exceeded/);
  expect(factory.requests).toHaveLength(3);
});

test("an answer of something else than a factory is refused", async () => {
  const http = await client({ faults: [{ path: /./, status: 200, body: "<html>proxy login</html>" }] });
  await expect(http.createSchematic(text)).rejects.toThrow(
    /not what an Image Factory sends: <html>proxy login/,
  );
});

test("no factory at all", async () => {
  const http = await client();
  await factory.stop();
  await expect(http.createSchematic(text)).rejects.toThrow(/ECONNREFUSED/);
});

describe("behind a proxy", () => {
  const variables = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
  const before = variables.map((name) => [name, process.env[name]] as const);
  let proxy: Server;
  let seen: string[];

  beforeEach(async () => {
    for (const name of variables) Reflect.deleteProperty(process.env, name);
    seen = [];
    proxy = createServer((request, response) => {
      seen.push(`${request.method ?? ""} ${request.url ?? ""}`);
      const target = new URL(request.url ?? "");
      const upstream = connect(Number(new URL(factory.url).port), "127.0.0.1", () => {
        upstream.write(`${request.method ?? ""} ${target.pathname} HTTP/1.0\r\nHost: factory\r\n\r\n`);
      });
      upstream.pipe(response.socket!);
    });
    proxy.on("connect", (request, socket) => {
      seen.push(`CONNECT ${request.url ?? ""}`);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    process.env["HTTP_PROXY"] = url;
    process.env["HTTPS_PROXY"] = url;
  });

  afterEach(async () => {
    await new Promise((resolve) => {
      proxy.close(resolve);
      proxy.closeAllConnections();
    });
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });

  const through = (factoryUrl: string) => new FactoryClient({ factoryUrl, timeout: 2000, retries: 0 });

  test("http goes through HTTP_PROXY", async () => {
    await client();
    expect(await through("http://factory.example.net").versions()).toContain("v1.13.10");
    expect(seen).toEqual(["GET http://factory.example.net/versions"]);
  });

  test("https asks HTTPS_PROXY for a tunnel, never for the page", async () => {
    await client();
    await expect(through("https://factory.example.net").versions()).rejects.toThrow(FactoryError);
    expect(seen).toEqual(["CONNECT factory.example.net:443"]);
  });

  test("NO_PROXY goes around it", async () => {
    process.env["NO_PROXY"] = "127.0.0.1,.example.net";
    await client();
    expect(await through(factory.url).versions()).toContain("v1.13.10");
    expect(seen).toEqual([]);
  });
});
