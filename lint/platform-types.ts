/** What types say of platforms. */
import * as ts from "typescript";

export class PlatformTypes {
  readonly #checker: ts.TypeChecker;
  readonly #names: ReadonlySet<string>;

  constructor(checker: ts.TypeChecker, names: readonly string[]) {
    this.#checker = checker;
    this.#names = new Set(names);
  }

  /** Whether one side is a platform and the other one a name; not so where both are, or where one is only missing. */
  compares(left: ts.Expression, right: ts.Expression): boolean {
    const choice = (one: ts.Expression, other: ts.Expression): boolean =>
      this.speaks(one)
        ? !this.speaks(other) && !this.#isNothing(other)
        : isNamedPlatform(one) && this.isName(other);
    return choice(left, right) || choice(right, left);
  }

  /** Whether a value is some platform's name, or a text made of one. */
  speaks(node: ts.Expression): boolean {
    const names = this.#namesOf(node);
    if (names !== undefined && names.length > 1) return true;
    if (ts.isTemplateExpression(node))
      return node.templateSpans.some(({ expression }) => this.speaks(expression));
    if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return this.speaks(node.expression);
    if (!ts.isCallExpression(node)) return false;
    const { expression: callee } = node;
    if (ts.isPropertyAccessExpression(callee)) return this.speaks(callee.expression);
    return callee.getText() === "String" && node.arguments.some((one) => this.speaks(one));
  }

  /** Whether a value is one certain platform's name. */
  isName(node: ts.Expression): boolean {
    return this.#namesOf(node)?.length === 1;
  }

  /** The files that say what a record holds for the platforms. */
  sourcesOf(record: ts.Expression): readonly string[] {
    const symbol = this.#checker.getSymbolAtLocation(record);
    const type = this.#checker.getTypeAtLocation(record);
    const held = [...this.#names].map((name) => type.getProperty(name));
    return [symbol === undefined ? undefined : this.#original(symbol), ...held]
      .flatMap((one) => one?.declarations ?? [])
      .map((declaration) => declaration.getSourceFile().fileName);
  }

  #original(symbol: ts.Symbol): ts.Symbol {
    const isImported = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return isImported ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  /** The names that a value may be, undefined where it may be anything else than one of them or missing. */
  #namesOf(node: ts.Expression): readonly string[] | undefined {
    const type = this.#checker.getTypeAtLocation(node);
    const whole = this.#checker.getBaseConstraintOfType(type) ?? type;
    const parts = (whole.isUnion() ? whole.types : [whole]).filter((part) => !isMissing(part));
    const names = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    const areAll = names.length === parts.length && names.every((name) => this.#names.has(name));
    return areAll ? names : undefined;
  }

  #isNothing(node: ts.Expression): boolean {
    return isMissing(this.#checker.getTypeAtLocation(node));
  }
}

const isMissing = ({ flags }: ts.Type): boolean =>
  (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0;

/** `platform` or `x.platform`: what it is called where its type is any text. */
const isNamedPlatform = (node: ts.Expression): boolean =>
  (ts.isIdentifier(node) && node.text === "platform") ||
  (ts.isPropertyAccessExpression(node) && node.name.text === "platform");
