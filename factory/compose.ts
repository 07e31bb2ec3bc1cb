import { type Alias, isAlias, isMap, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from "yaml";
import type { ParsedYaml } from "./parse-yaml";
import type { Findings } from "./read-fault";
import { composeScalar, nullScalar } from "./compose-scalar";
import { childPath, type SourceEntry, type SourceMap, type SourceNode } from "./source-tree";

/** Far above any real schematic; stops documents that grow by aliases of aliases. */
const nodeLimit = 50_000;

interface Composer {
  readonly yaml: ParsedYaml;
  readonly findings: Findings;
  /** Nodes that are being expanded: an alias to one of them would never end. */
  readonly open: Set<unknown>;
  nodes: number;
}

interface Place {
  readonly path: string;
  readonly line: number;
}

/** Resolves aliases, merges and tags; whatever is wrong with them becomes a fault. */
export function composeTree(yaml: ParsedYaml, findings: Findings): SourceNode {
  return compose({ yaml, findings, open: new Set(), nodes: 0 }, yaml.document.contents, {
    path: "",
    line: 1,
  });
}

function compose(composer: Composer, node: Node | null, parent: Place): SourceNode {
  const line = node?.range ? composer.yaml.lineOf(node.range[0]) : parent.line;
  const place = { path: parent.path, line };
  composer.nodes += 1;
  if (!node || composer.nodes > nodeLimit) {
    if (composer.nodes === nodeLimit + 1)
      refuse(composer, place, ["document contains excessive aliasing", "write it out"]);
    return nullScalar(line);
  }
  if (isAlias(node)) return composeAlias(composer, node, place);
  if (!isMap(node) && !isSeq(node)) return composeScalar(node, place, composer.findings);
  composer.open.add(node);
  const composed: SourceNode = isMap(node)
    ? composeMap(composer, node, place)
    : {
        kind: "list",
        line,
        items: node.items.map((item, index) => composeChild(composer, item, [place, index])),
      };
  composer.open.delete(node);
  return composed;
}

function composeChild(
  composer: Composer,
  node: unknown,
  [parent, key]: readonly [Place, string | number],
): SourceNode {
  return compose(composer, node as Node | null, { path: childPath(parent.path, key), line: parent.line });
}

function composeAlias(composer: Composer, alias: Alias, place: Place): SourceNode {
  const target = alias.resolve(composer.yaml.document);
  if (target && !composer.open.has(target)) return compose(composer, target, place);
  const rule = target
    ? `anchor '${alias.source}' value contains itself`
    : `unknown anchor '${alias.source}' referenced`;
  refuse(composer, place, [rule, "write the value out"]);
  return nullScalar(place.line);
}

function composeMap(composer: Composer, map: YAMLMap, place: Place): SourceMap {
  const pairs = map.items as Pair<Node | null, Node | null>[];
  const own: SourceEntry[] = [];
  const merged: SourceEntry[] = [];
  for (const pair of pairs) {
    if (isMergeKey(pair.key)) {
      merged.push(...mergeEntries(composer, compose(composer, pair.value, place), place));
      continue;
    }
    const key = compose(composer, pair.key, place);
    const name = key.kind === "scalar" ? key.text : "?";
    refuseDuplicate(composer, own, { key, name, place });
    own.push({ key, value: composeChild(composer, pair.value, [{ ...place, line: key.line }, name]) });
  }
  return { kind: "map", line: place.line, entries: withoutRepeats([...own, ...merged]) };
}

/** An unquoted `<<`; quoted it is an ordinary key. */
function isMergeKey(key: Node | null): boolean {
  const scalar = key as Scalar | null;
  const tags = [undefined, "!", "tag:yaml.org,2002:merge"];
  return scalar?.type === "PLAIN" && scalar.value === "<<" && tags.includes(scalar.tag);
}

function mergeEntries(composer: Composer, value: SourceNode, place: Place): readonly SourceEntry[] {
  const maps = value.kind === "list" ? value.items : [value];
  if (maps.some((item) => item.kind !== "map")) {
    refuse(composer, place, ["map merge requires map or sequence of maps as the value", "merge maps only"]);
  }
  return maps.flatMap((item) => (item.kind === "map" ? item.entries : []));
}

/** Own keys win over merged ones, earlier merges over later ones. */
function withoutRepeats(entries: readonly SourceEntry[]): readonly SourceEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ key }) => {
    if (key.kind !== "scalar") return true;
    const repeated = seen.has(key.text);
    seen.add(key.text);
    return !repeated;
  });
}

interface NewKey {
  readonly key: SourceNode;
  readonly name: string;
  readonly place: Place;
}

function refuseDuplicate(
  composer: Composer,
  own: readonly SourceEntry[],
  { key, name, place }: NewKey,
): void {
  if (key.kind !== "scalar") return;
  const before = own.find((entry) => entry.key.kind === "scalar" && entry.key.text === key.text);
  if (!before) return;
  composer.findings.faults.push({
    key: childPath(place.path, name),
    value: name,
    rule: `the key is already set on line ${before.key.line}`,
    repair: "remove one of the two",
    line: key.line,
    library: `mapping key ${JSON.stringify(name)} already defined at line ${before.key.line}`,
  });
}

function refuse(composer: Composer, place: Place, [rule, repair]: readonly [string, string]): void {
  composer.findings.faults.push({
    key: place.path,
    value: `line ${place.line}`,
    rule,
    repair,
    line: place.line,
    library: rule,
  });
}
