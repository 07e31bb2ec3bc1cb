/** The program as the compiler sees it, with some files replaced or added in memory. */
import * as path from "node:path";
import ts from "typescript";

const root = path.join(__dirname, "../../..");

export type Texts = ReadonlyMap<string, string>;

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(path.join(root, "tsconfig.json"), (file) => ts.sys.readFile(file)).config,
  ts.sys,
  root,
);

/** Parsed once: the types of the packages are most of the work. */
const parsed = new Map<string, ts.SourceFile>();

/** Of everything that `roots` (relative to the project) import. */
export function programOf(
  roots: readonly string[],
  changed: Texts = new Map(),
  old?: ts.Program,
): ts.Program {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const texts = new Map([...changed].map(([file, text]) => [path.join(root, file), text]));
  host.fileExists = (file) => texts.has(file) || ts.sys.fileExists(file);
  host.readFile = (file) => texts.get(file) ?? ts.sys.readFile(file);
  host.getSourceFile = (file, language, ...rest) => {
    const text = texts.get(file);
    if (text !== undefined) return ts.createSourceFile(file, text, language, true);
    const source = parsed.get(file) ?? read(file, language, ...rest);
    if (source !== undefined) parsed.set(file, source);
    return source;
  };
  return ts.createProgram({
    rootNames: [...roots, ...changed.keys()].map((file) => path.join(root, file)),
    options,
    host,
    ...(old === undefined ? {} : { oldProgram: old }),
  });
}

/** The project's own files of a program that lie in one of the folders, by their paths from the root. */
export function ownFiles(
  program: ts.Program,
  folders: readonly string[],
): ReadonlyMap<string, ts.SourceFile> {
  const named = program
    .getSourceFiles()
    .map((source) => [path.relative(root, source.fileName), source] as const)
    .filter(([file]) => folders.some((folder) => file.startsWith(`${folder}/`) || file === folder));
  return new Map(named);
}
