import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Property names and optional ones (with ?) of every interface in a folder of TypeScript, by file and name. */
export type Interfaces = ReadonlyMap<string, readonly string[]>;

const members = (node: ts.InterfaceDeclaration): string[] =>
  node.members
    .filter(ts.isPropertySignature)
    .map((member) => member.name.getText() + (member.questionToken === undefined ? "" : "?"));

const typeTexts = (node: ts.InterfaceDeclaration): [string, string][] =>
  node.members
    .filter(ts.isPropertySignature)
    .map((member) => [member.name.getText(), member.type?.getText() ?? ""]);

const parse = (file: string) =>
  ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);

const interfacesOf = (file: string): ts.InterfaceDeclaration[] =>
  parse(file).statements.filter(ts.isInterfaceDeclaration);

export const readInterfaces = (root: string): Interfaces => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
    .sort();
  return new Map(
    files.flatMap((path) =>
      interfacesOf(join(root, path)).map((node) => [`${path} ${node.name.text}`, members(node)] as const),
    ),
  );
};

/** `property: type` of every interface in one file, by interface. */
export const readTypes = (file: string): Record<string, Record<string, string>> =>
  Object.fromEntries(
    interfacesOf(file).map((node) => [
      node.name.text,
      Object.fromEntries(typeTexts(node).map(([name, text]) => [name, text.replace(" | undefined", "")])),
    ]),
  );
