import { Metadata, type ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { readRecordings } from "../../support/recordings";
import { make, startAccount, token, type Account } from "./account";

let account: Account;

beforeEach(async () => {
  account = await startAccount();
});

afterEach(() => account.stop());

/** The recorded message; the correlation id differs each time. */
function recorded(name: string): string {
  const [recording] = readRecordings("errors", new RegExp(`^${name}$`));
  return (recording?.errors?.[0] ?? "").replace("rpc error: code = Unknown desc = ", "");
}

const withoutCorrelation = (message: string): string => message.replace(/, [0-9a-f]+\)/g, ", <id>)");

async function failure(work: Promise<unknown>): Promise<ServiceError> {
  return work.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => error as ServiceError,
  );
}

const server = { name: "s", image: "debian-13", serverType: "cpx22", location: "nbg1" };

const cases = [
  ["hcloud-unknown-type", { ...server, serverType: "cpx99" }],
  ["hcloud-unknown-image", { ...server, image: "999999" }],
  ["hcloud-user-data-too-long", { ...server, userData: "x".repeat(33000) }],
] as const;

test.each(cases)("%s", async (name, inputs) => {
  const error = await failure(make(account.client, "server:Server", inputs));
  expect(withoutCorrelation(error.details)).toBe(withoutCorrelation(recorded(name)));
  expect(account.hetzner.inventory().servers).toEqual([]);
});

test("hcloud-no-capacity", async () => {
  account.hetzner.setStock("cpx22", "nbg1", 0);
  const error = await failure(make(account.client, "server:Server", server));
  expect(withoutCorrelation(error.details)).toBe(withoutCorrelation(recorded("hcloud-no-capacity")));
});

test("hcloud-name-taken: nothing is adopted", async () => {
  const network = { name: "same", ipRange: "10.0.0.0/16" };
  await make(account.client, "network:Network", network);
  const error = await failure(make(account.client, "network:Network", network));
  expect(withoutCorrelation(error.details)).toBe(withoutCorrelation(recorded("hcloud-name-taken")));
});

test("hcloud-wrong-token", async () => {
  await account.configure({ token: token.replaceAll("t", "u") });
  const error = await failure(make(account.client, "network:Network", { name: "n", ipRange: "10.0.0.0/16" }));
  expect(withoutCorrelation(error.details)).toBe(withoutCorrelation(recorded("hcloud-wrong-token")));
});

const partOf = (metadata: Metadata) => {
  const [bytes] = metadata.get("grpc-status-details-bin");
  const [detail] = Status.deserializeBinary(bytes as Buffer).getDetailsList();
  return ErrorResourceInitFailed.deserializeBinary(detail!.getValue_asU8());
};

test("a server whose create action failed stays in the state", async () => {
  account.hetzner.faults.add({
    method: "POST",
    path: /^\/servers$/,
    actionError: { code: "unknown_error", message: "server is locked" },
  });
  const error = await failure(make(account.client, "server:Server", server));
  expect(error.details).toMatch(
    /^creating urn:pulumi:.*: 1 error occurred:\n\t\* server is locked \(unknown_error, \d+\)\n\n$/,
  );
  const part = partOf(error.metadata);
  expect(Number(part.getId())).toBeGreaterThan(0);
  expect(part.getReasonsList()).toEqual([error.details]);
  expect(part.getProperties()?.toJavaScript()["name"]).toBe("s");
});

test("conflicts are retried, an outage of the service is not", async () => {
  account.hetzner.faults.add({
    path: /^\/networks$/,
    status: 409,
    code: "conflict",
    message: "busy",
    times: 3,
  });
  await make(account.client, "network:Network", { name: "n", ipRange: "10.0.0.0/16" });
  account.hetzner.faults.add({
    path: /^\/networks$/,
    status: 503,
    code: "unavailable",
    message: "service unavailable",
  });
  const error = await failure(make(account.client, "network:Network", { name: "m", ipRange: "10.0.0.0/16" }));
  expect(error.details).toContain("service unavailable (unavailable");
});
