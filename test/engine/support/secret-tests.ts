import { statSync } from "node:fs";
import { join } from "node:path";

import { filesIn, isWide } from "./files";
import type { Life } from "./life";
import { checkout } from "./open";
import { secretsOf, seeker } from "./secrets";
import type { Secrets } from "./secrets";

/** The file that this test's own talosctl reads. */
const OWN = /^verify\/talosconfig$/;
/** Files that have to hold secrets: the lab's two for its user, and what the simulated nodes keep as real ones do. */
const PLACES: Readonly<Record<string, readonly RegExp[]>> = {
  lab: [OWN, /^project\/\.lab\/(kubeconfig|talosconfig)$/, /^w\/engine\/(volumes|containers)\//],
  hetzner: [OWN, /^w\/hetzner\/servers\/\d+\/(state|data)\//],
};

/** Looks for the actual bytes of every secret of a stack that is up, wherever somebody else could read them. */
export function describeSecrets(life: () => Life): void {
  describe("secrets", () => {
    let secrets: Secrets;
    let found: (text: string) => string[];

    beforeAll(async () => {
      secrets = await secretsOf(life().session);
      found = seeker(secrets);
    });

    test("there are CA keys, client keys and tokens to look for, and the search finds each form", () => {
      const kinds = [/certs.*\.key$/, /kubeconfig.*key-data$/, /talosconfig.*key$/, /token$/i, /secret$/i];
      const names = [...secrets.keys()];
      for (const kind of kinds) expect(names.filter((name) => kind.test(name))).not.toEqual([]);
      for (const [name, secret] of secrets) {
        expect(found(`<${secret}>`)).toContain(name);
        expect(found(Buffer.from(secret).toString("base64"))).toContain(name);
      }
    });

    test("none in the state as it lies on disk, nor in its export", async () => {
      const { session } = life();
      const state = filesIn(join(session.folder, "state"));
      expect(state.filter(({ path }) => path.endsWith(`${session.stack}.json`))).toHaveLength(1);
      expect(state.filter((file) => found(file.read()).length > 0).map(({ path }) => path)).toEqual([]);
      expect(found(JSON.stringify(await session.exportState()))).toEqual([]);
    });

    test("none in what pulumi printed: up, previews as text, as JSON and with --diff, refresh, outputs", async () => {
      const { session, printed } = life();
      expect(printed.length).toBeGreaterThan(10_000);
      expect(found(printed)).toEqual([]);
      expect(found(JSON.stringify(await session.outputs()))).toEqual([]);
    });

    test("none in any command line of any process while all this ran", () => {
      const { seen } = life().sampler;
      expect([...seen].filter((command) => command.includes("talos-fleet wait")).length).toBeGreaterThan(0);
      expect([...seen].filter((command) => found(command).length > 0)).toEqual([]);
    });

    test("none in a file that others may read, and in private ones only where they belong", () => {
      const { session } = life();
      const holding = filesIn(session.folder).filter((file) => found(file.read()).length > 0);
      expect(holding.filter(isWide).map(({ path, mode }) => `${mode.toString(8)} ${path}`)).toEqual([]);
      const places = PLACES[session.stack] ?? [];
      const elsewhere = holding.filter(({ path }) => !places.some((place) => place.test(path)));
      expect(elsewhere.map(({ path }) => path)).toEqual([]);
      expect(holding.length).toBeGreaterThan(0);
    });

    test("none in a file of the checkout that has changed since, and no file left in the temporary folder", () => {
      const { startedAt, temporary } = life();
      const changed = filesIn(checkout, /^(\.git|node_modules\/(?!\.cache)[^/]+)$/).filter(
        ({ path }) => (statSync(join(checkout, path), { throwIfNoEntry: false })?.mtimeMs ?? 0) > startedAt,
      );
      expect(changed.filter((file) => found(file.read()).length > 0).map(({ path }) => path)).toEqual([]);
      expect(temporary()).toEqual([]);
    });
  });
}
