/** What the compiler can tell of the whole program. One file, so that the types of the packages are parsed once. */
import { readFileSync } from "node:fs";
import * as path from "node:path";
import ts from "typescript";
import { ownFiles, programOf, type Texts } from "./program";

const root = path.join(__dirname, "../../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const folders = ["index.ts", "agreed", "factory", "config", "machine", "components", "ops"];
const roots = ["index.ts", "ops/cli/main.ts", "ops/cli/commands.ts"];

/** A sketch of a third platform, which need not run. Its plan is added to the union: where everybody begins. */
const union: Texts = new Map([
  [
    "config/types.ts",
    read("config/types.ts").replace(
      "export type ClusterPlan = DockerClusterPlan | HetznerClusterPlan;",
      `export interface MetalClusterPlan extends PlanBase {
        readonly platform: "metal";
        readonly nodes: readonly NodePlan[];
        readonly metal: { readonly rack?: string | undefined };
      }
      export type ClusterPlan = DockerClusterPlan | HetznerClusterPlan | MetalClusterPlan;`,
    ),
  ],
]);

interface Answer {
  /** Where the compiler points. */
  readonly file: string;
  /** What the sketch writes there, each after the text that it follows. */
  readonly after: readonly (readonly [text: string, added: string])[];
}

/** Written by hand. A switch is filled by `caseAdded`. */
const answers: readonly Answer[] = [
  {
    file: "config/platforms/select.ts",
    after: [
      [`import { hetznerSlice } from "./hetzner/slice";`, `import * as metal from "./metal";`],
      ["  hetzner: hetznerSlice,", "  metal: metal.slice,"],
      ["  hetzner: hetzner.section.optional(),", "  metal: metal.section.optional(),"],
      ["      return slices.hetzner.view(plan);", `    case "metal":\n      return slices.metal.view(plan);`],
    ],
  },
  // The compiler points at those who ask it.
  {
    file: "factory/platforms.ts",
    after: [["boards: false },", `metal: { installer: "metal", boots: true, boards: true },`]],
  },
  { file: "machine/groups.ts", after: [[`hetzner: "cloud",`, `metal: "cloud",`]] },
  {
    file: "agreed/operations/parts.ts",
    after: [
      [
        `z.strictObject({ platform: z.literal("hetzner") }),`,
        `z.strictObject({ platform: z.literal("metal") }),`,
      ],
    ],
  },
];

const platformSwitch = /switch \((\w+\.)?platform\) \{/g;
const caseAdded = (text: string) =>
  text.replace(platformSwitch, (head) => `${head} case "metal": throw new Error("only a sketch");`);

/** The slice of the configuration, in one file. */
const slice = `
  import { strict, text } from "../schema-parts";
  import type { MetalClusterPlan } from "../types";
  import type { PlatformSlice } from "./slice";
  export const section = strict({ rack: text("a rack").optional() });
  export const slice: PlatformSlice<MetalClusterPlan> = {
    defaults: { deletionProtection: true, firstAddress: { controlPlanes: 11, workers: 101 } },
    rules: {},
    upRules: {},
    notes: {},
    owned: { keys: [], needed: [], kinds: {}, documents: [] },
    networks: () => ({ pods: undefined, services: undefined, nodes: undefined, repair: "" }),
    reservedHosts: () => [],
    plan: ({ base, nodes, draft }) => ({ ...base, platform: "metal", nodes, metal: { rack: draft.metal?.rack } }),
    view: () => ({ network: "", columns: [], cells: [], lines: [], json: {} }),
  };`;

function answered({ file, after }: Answer): string {
  return after.reduce((text, [known, added]) => {
    const at = text.lastIndexOf(known);
    if (at === -1) throw new Error(`${file} no longer holds: ${known}`);
    return `${text.slice(0, at + known.length)}\n${added}${text.slice(at + known.length)}`;
  }, read(file));
}

/** Files of the project in which the compiler finds faults, and the first of each. */
function faultsOf(
  program: ts.Program,
  places: readonly string[] = folders,
): Readonly<Record<string, string>> {
  const faulty = [...ownFiles(program, places)].flatMap(([file, source]) => {
    const [first] = program.getSemanticDiagnostics(source);
    return first === undefined
      ? []
      : [[file, ts.flattenDiagnosticMessageText(first.messageText, " ")] as const];
  });
  return Object.fromEntries(faulty);
}

/** Ends of a switch, of a record and of a handed-over name: what a missing platform looks like to the compiler. */
const missing = /metal|lacks ending return statement|not all code paths return/i;

test("the compiler points at each place that lacks it, and is content when they are filled", () => {
  const lacking = programOf(roots, union);
  const switches = [...ownFiles(lacking, folders)]
    .filter(([file, { text }]) => text.search(platformSwitch) !== -1 && file !== "config/platforms/select.ts")
    .map(([file, { text }]) => [file, caseAdded(text)] as const);
  const selects = ["config/platforms/select.ts", ...switches.map(([file]) => file)];
  const faults = faultsOf(lacking, selects);

  expect(selects).toEqual(expect.arrayContaining(["machine/reserve.ts", "components/platforms/select.ts"]));
  expect(Object.keys(faults)).toEqual(expect.arrayContaining(selects));
  for (const file of selects) expect(faults[file]).toMatch(missing);

  const filled = answers.map((answer) => [answer.file, answered(answer)] as const);
  const whole = new Map([...union, ["config/platforms/metal.ts", slice] as const, ...switches, ...filled]);
  expect(faultsOf(programOf(roots, whole, lacking))).toEqual({});
});

const program = programOf(roots);
const checker = program.getTypeChecker();
const types = ownFiles(program, ["config/types.ts"]).get("config/types.ts")!;

const fields = types.statements.filter(ts.isInterfaceDeclaration).flatMap(({ name, members }) =>
  members.filter(ts.isPropertySignature).map((member) => ({
    field: `${name.text}.${member.name.getText(types)}`,
    node: member,
  })),
);

/** Every declaration whose property is read somewhere in the folders. */
function readIn(folders: readonly string[]): ReadonlySet<ts.Node> {
  const found = new Set<ts.Node>();
  const note = (symbol: ts.Symbol | undefined) => symbol?.declarations?.forEach((one) => found.add(one));
  const walk = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) note(checker.getSymbolAtLocation(node.name));
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const key = node.propertyName ?? node.name;
      if (ts.isIdentifier(key)) note(checker.getTypeAtLocation(node.parent).getProperty(key.text));
    }
    ts.forEachChild(node, walk);
  };
  for (const source of ownFiles(program, folders).values()) walk(source);
  return found;
}

const readers = readIn(["index.ts", "machine", "components", "ops"]);

/** Limits are handed to the operations as they are, which read them by the call's own type. */
function limitsRead(): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && /(^|\.)limits$/.test(node.expression.getText()))
      names.add(node.name.text);
    ts.forEachChild(node, walk);
  };
  for (const source of ownFiles(program, ["ops"]).values()) walk(source);
  return names;
}

test("every field of the plan has a reader outside config/", () => {
  const limits = limitsRead();
  const unread = fields.filter(
    ({ field, node }) =>
      !readers.has(node) && !(field.startsWith("Limits.") && limits.has(node.name.getText())),
  );

  expect(fields.length).toBeGreaterThan(30);
  expect(unread.map(({ field }) => field)).toEqual([]);
});
