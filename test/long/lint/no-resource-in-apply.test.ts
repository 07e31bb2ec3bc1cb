/** The project's own lint rule, on what it must find and what it must leave alone. */
import { lintWithOnly } from "../../lint/only";

jest.setTimeout(180_000);

const lint = lintWithOnly(["talos-fleet/no-resource-in-apply"], "typed");
/** Any file that the project's types know. */
const FILE = "components/operation.ts";

const head = `
import * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
const { Command } = command.local;
class Part extends pulumi.ComponentResource {}
const make = (name: string) => new command.local.Command(name, {});
function quietly(name: string): void { make(name); }
const facts = (name: string) => new Map([[name, new Date()]]);
class Bundle { readonly part: pulumi.Resource | undefined; constructor(name: string) { this.part = make(name); } }
class Field { readonly id = make("field").id; }
class Once { static readonly part = make("once"); readonly name = "once"; }
class Below extends Bundle {}
class Plain { readonly name: string; constructor(name: string) { this.name = name; } }
class Lazy { get made() { return make("lazy").id; } get said() { return "lazy"; } }
const lazy = new Lazy();
const makers = { make, facts };
const each = (names: string[], one: (name: string) => unknown) => names.map(one);
const asked = async (): Promise<string[]> => ["a"];
export const names = pulumi.output(["a"]);
export const id = pulumi.output("a");
`;

async function found(code: string): Promise<string[]> {
  return (await lint(FILE, `${head}${code}`)).map(({ message }) => message);
}

test.each([
  ["a resource of a namespace", "id.apply((name) => new command.local.Command(name, {}));"],
  ["a plain constructor", "id.apply((name) => new Command(name, {}));"],
  ["a component", 'id.apply((name) => new Part("t", name));'],
  ["a function that makes one", "id.apply((name) => make(name));"],
  ["a function that says nothing of it", "id.apply((name) => { quietly(name); });"],
  ["a function by its name", "id.apply(make);"],
  [
    "behind a condition, in a block",
    "id.apply((name) => { if (name) { return [make(name)]; } return []; });",
  ],
  ["a function that is handed on", "names.apply((all) => all.map(make));"],
  ["one that says nothing of it, handed on", "names.apply((all) => each(all, quietly));"],
  ["a member that is handed on", "names.apply((all) => all.map(makers.make));"],
  ["under another name", "names.apply((all) => { const one = make; return all.map(one); });"],
  ["inside an object", "names.apply((all) => [all].map((one) => ({ one, make })));"],
  ["a parameter's default", "id.apply((name, made = make(name)) => made);"],
  ["by a member's text", 'id["apply"]((name) => makers["make"](name));'],
  ["a constructor that makes one", "id.apply((name) => new Bundle(name));"],
  ["a field that makes one", "id.apply(() => new Field());"],
  ["the constructor of a class above", "id.apply((name) => new Below(name));"],
  ["a getter that makes one", "id.apply(() => lazy.made);"],
  ["a getter by its text", 'id.apply(() => lazy["made"]);'],
  ["a getter that is taken apart", "id.apply(() => { const { made: it } = lazy; return it; });"],
  ["after a promise", "export const later = asked().then((x) => x.map(make));"],
  ["after a promise that failed", "export const later = asked().catch(() => [make('x')]);"],
  [
    "after a promise of its own",
    "export const later = async () => { await asked().then((x) => x.map(make)); };",
  ],
  ["by the name of a promise's function", "export const later = asked().then(([x]) => x ?? '').then(make);"],
])("found: %s", async (_what, code) => {
  expect(await found(code)).toEqual(["Nothing is created inside apply: previews would not show it."]);
});

test.each([
  ["plain values", "id.apply((name) => new Map([[name, new Error(name)]]));"],
  ["a function that gives plain values", "id.apply((name) => facts(name));"],
  ["outside of apply", 'make("x");'],
  ["a handed function that gives plain values", "names.apply((all) => all.map(facts));"],
  ["another member", "names.apply((all) => all.map(makers.facts));"],
  ["a plain class", "id.apply((name) => new Plain(name));"],
  ["a static field", "id.apply(() => new Once());"],
  ["another getter", "id.apply(() => lazy.said);"],
  ["plain values after a promise", "export const later = asked().then((x) => x.map(facts));"],
  ["a type", "names.apply((all) => all as unknown as ReturnType<typeof make>);"],
  ["a resource that is there", 'const made = make("x"); id.apply(() => made.urn);'],
  ["a promise that is waited for", "export const later = async () => { await asked(); make('x'); };"],
])("left alone: %s", async (_what, code) => {
  expect(await found(code)).toEqual([]);
});
