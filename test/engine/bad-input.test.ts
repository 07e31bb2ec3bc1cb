/** Bad input on the real engine: what is on the screen is the fixture's text, once, and nothing has been created. */
import type { Session } from "../../rehearsal/session";
import { fixtures } from "../config/fixtures";
import { bareSession, configure, timesIn } from "./support/bad-config";
import { failed } from "./support/open";
import { inState } from "./support/state";

jest.setTimeout(120_000);

let lab: Session;
let fleet: Session;

beforeAll(async () => {
  lab = await bareSession("lab");
  fleet = await bareSession("hetzner");
});
afterAll(async () => Promise.all([lab.close(), fleet.close()]));

/** The diagnostics at the end: what came as progress before them is the same text on its way. */
const diagnostics = (printed: string): string => printed.slice(printed.lastIndexOf("Diagnostics:"));

const header = (count: number): string =>
  `The configuration has ${count === 1 ? "1 fault" : `${count} faults`}; nothing has been created:`;

const named = (name: string) => {
  const fixture = fixtures().find((one) => one.name === `${name}.yaml`);
  if (fixture === undefined) throw new Error(`test/config/invalid/${name}.yaml: there is no such fixture`);
  return fixture;
};

async function refuses(session: Session, run: "preview" | "up", expected: readonly string[]): Promise<void> {
  const shown = diagnostics(failed(await session[run]({ env: { HCLOUD_TOKEN: "" } })));
  const text = [header(expected.length), ...expected].join("\n");

  expect(shown.replace(/^ +/gm, "")).toContain(`error: ${text}\n`);
  for (const line of expected) expect([line, timesIn(shown, line)]).toEqual([line, 1]);
  // No stack trace, no inspected object: the words alone.
  expect(shown).not.toMatch(/ at \S+ \(|faults: \[/);
  expect(await inState(session)).toEqual([]);
}

test.each(["unknown-key", "patch-owned-key"])("lab: preview and up refuse %s.yaml", async (name) => {
  const { raw, expected } = named(name);
  configure(lab, raw);

  await refuses(lab, "preview", expected);
  await refuses(lab, "up", expected);
});

test("fleet: up with the committed stack file says all that is missing, at once", async () => {
  const [token, image, range] = ["token-missing", "image-missing", "admin-cidrs-documentation"].map(
    (name) => named(name).expected[0],
  );
  const shown = diagnostics(failed(await fleet.up()));

  expect(shown.replace(/^ +/gm, "")).toContain(header(3));
  for (const line of [token, image, range]) expect([line, timesIn(shown, line ?? "")]).toEqual([line, 1]);
  expect(await inState(fleet)).toEqual([]);
});

test("fleet: up shows the eighteen faults of many-at-once.yaml in one error", async () => {
  const { raw, expected } = named("many-at-once");
  configure(fleet, raw);

  expect(expected.length).toBeGreaterThan(15);
  const shown = diagnostics(failed(await fleet.up({ env: { HCLOUD_TOKEN: "t".repeat(64) } })));
  for (const line of expected) expect([line, timesIn(shown, line)]).toEqual([line, 1]);
  expect(shown).toContain(header(expected.length));
  expect(await inState(fleet)).toEqual([]);
});
