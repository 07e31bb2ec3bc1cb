/** Finds where code creates one of Pulumi's resources, looking through this project's functions, classes and getters. */
import * as ts from "typescript";

export interface Search {
  readonly checker: ts.TypeChecker;
  /** What was looked through already. */
  readonly seen: Set<ts.Node>;
}

/** Whether a type is one of Pulumi's resources: it descends from their base class. */
function isResource(checker: ts.TypeChecker, type: ts.Type): boolean {
  if (type.isUnionOrIntersection()) return type.types.some((part) => isResource(checker, part));
  if (type.getSymbol()?.name === "Resource" && type.getProperty("urn") !== undefined) return true;
  const declared = isReference(type) ? type.target : type;
  return (
    declared.isClassOrInterface() && checker.getBaseTypes(declared).some((base) => isResource(checker, base))
  );
}

/** A generic class with its arguments. */
const isReference = (type: ts.Type): type is ts.TypeReference => "target" in type;

/** Whether this code, or what it calls or names to be called, creates a resource. */
function creates(code: ts.Node, search: Search): boolean {
  if (search.seen.has(code)) return false;
  search.seen.add(code);
  const visit = (node: ts.Node): boolean =>
    !ts.isTypeNode(node) && (createsItself(node, search) || ts.forEachChild(node, visit) === true);
  return visit(code);
}

function createsItself(node: ts.Node, search: Search): boolean {
  if (ts.isNewExpression(node)) return newCreates(node, search);
  if (ts.isCallLikeExpression(node)) return callCreates(node, search);
  // Who names a function, hands it on or calls it.
  if (ts.isIdentifier(node)) return valueCreates(node, search) || getterCreates(node, search);
  if (ts.isElementAccessExpression(node)) return getterCreates(node.argumentExpression, search);
  return ts.isBindingElement(node) && takenGetterCreates(node, search);
}

function callCreates(call: ts.CallLikeExpression, search: Search): boolean {
  const declaration = search.checker.getResolvedSignature(call)?.declaration;
  return declaration !== undefined && functionCreates(declaration, search);
}

/** A function of any form, by what its type says. */
function valueCreates(value: ts.Node, search: Search): boolean {
  const type = search.checker.getTypeAtLocation(value);
  const parts = type.isUnion() ? type.types : [type];
  return parts
    .flatMap((part) => part.getCallSignatures())
    .some(({ declaration }) => declaration !== undefined && functionCreates(declaration, search));
}

/** Types in node_modules have no body: there the result's type tells. */
function functionCreates(declaration: ts.SignatureDeclaration | ts.JSDocSignature, search: Search): boolean {
  if (ts.isJSDocSignature(declaration)) return false;
  if ("body" in declaration && declaration.body !== undefined) return creates(declaration, search);
  const signature = search.checker.getSignatureFromDeclaration(declaration);
  return signature !== undefined && isResource(search.checker, signature.getReturnType());
}

function newCreates(expression: ts.NewExpression, search: Search): boolean {
  const type = search.checker.getTypeAtLocation(expression);
  return isResource(search.checker, type) || instanceCreates(type, search);
}

/** What runs when an instance is made: constructor and fields, of the class and of those above it. */
function instanceCreates(type: ts.Type, search: Search): boolean {
  const declared = type.getSymbol()?.valueDeclaration;
  if (declared === undefined || !ts.isClassLike(declared)) return false;
  const above = declared.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  return (
    declared.members.some((member) => runsWhenMade(member) && creates(member, search)) ||
    (above?.types ?? []).some((base) => instanceCreates(search.checker.getTypeAtLocation(base), search))
  );
}

const runsWhenMade = (member: ts.ClassElement): boolean =>
  ts.isConstructorDeclaration(member) || (ts.isPropertyDeclaration(member) && !isStatic(member));

const isStatic = (member: ts.PropertyDeclaration): boolean =>
  member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) === true;

const getterCreates = (name: ts.Node, search: Search): boolean =>
  accessorCreates(search.checker.getSymbolAtLocation(name), search);

function takenGetterCreates({ parent, propertyName, name }: ts.BindingElement, search: Search): boolean {
  const key = propertyName ?? name;
  if (!ts.isIdentifier(key)) return false;
  return accessorCreates(search.checker.getTypeAtLocation(parent).getProperty(key.text), search);
}

function accessorCreates(symbol: ts.Symbol | undefined, search: Search): boolean {
  return (symbol?.declarations ?? []).some(
    (declaration) => ts.isGetAccessorDeclaration(declaration) && creates(declaration, search),
  );
}

/** Whether an argument is, or gives, a function that creates a resource. */
export const argumentCreates = (argument: ts.Node, search: Search): boolean =>
  ts.isFunctionLike(argument) ? creates(argument, search) : valueCreates(argument, search);
