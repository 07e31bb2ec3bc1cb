import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_TIMEOUT, clientTimeouts, schemaTimeout } from "../../agreed/client-timeout";

test.each([
  [undefined, 32],
  ["", 32],
  ["0", 32],
  ["2", 32],
  ["5s", 32],
  ["120", 120],
])("with %j the plugin waits for the schema at `up` for %d s", (given, seconds) => {
  expect(schemaTimeout(given === undefined ? {} : { [CLIENT_TIMEOUT]: given })).toBe(seconds);
});

test("make sets what the rest of the house counts with", () => {
  const script = readFileSync(join(__dirname, "../../bin/lab"), "utf8");
  expect(script).toContain(`export ${CLIENT_TIMEOUT}=${clientTimeouts.change}\n`);
});
