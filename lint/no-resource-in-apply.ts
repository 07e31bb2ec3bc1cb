/** Lint: nothing is created inside `apply`, neither there nor in a function that is called there. Previews would not show it. */
import { ESLintUtils, type TSESTree } from "@typescript-eslint/utils";
import * as ts from "typescript";

const MESSAGE = "Nothing is created inside apply: previews would not show it.";

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

interface Search {
  readonly checker: ts.TypeChecker;
  /** Functions that were looked through already. */
  readonly seen: Set<ts.Node>;
}

/** The first node that creates a resource, in this function or in one of this project's that it calls. */
function creation(body: ts.Node, search: Search): ts.Node | undefined {
  if (search.seen.has(body)) return undefined;
  search.seen.add(body);
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (ts.isNewExpression(node) && isResource(search.checker, search.checker.getTypeAtLocation(node)))
      return node;
    if (ts.isCallExpression(node) && createsWhenCalled(node, search)) return node;
    return ts.forEachChild(node, visit);
  };
  return visit(body);
}

function createsWhenCalled(call: ts.CallExpression, search: Search): boolean {
  const declaration = search.checker.getResolvedSignature(call)?.declaration;
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return false;
  return functionCreates(declaration, search);
}

/** Types in node_modules have no body: there the result's type tells. */
function functionCreates(declaration: ts.SignatureDeclaration, search: Search): boolean {
  if ("body" in declaration && declaration.body !== undefined)
    return creation(declaration.body, search) !== undefined;
  const signature = search.checker.getSignatureFromDeclaration(declaration);
  return signature !== undefined && isResource(search.checker, signature.getReturnType());
}

export const noResourceInApply = ESLintUtils.RuleCreator.withoutDocs({
  meta: { type: "problem", defaultOptions: [], messages: { created: MESSAGE }, schema: [] },
  create(context) {
    const services = ESLintUtils.getParserServices(context);
    const checker = services.program.getTypeChecker();
    const creates = (argument: TSESTree.Node): boolean => {
      const node = services.esTreeNodeToTSNodeMap.get(argument);
      const search = { checker, seen: new Set<ts.Node>() };
      if (ts.isFunctionLike(node)) return functionCreates(node, search);
      return checker
        .getTypeAtLocation(node)
        .getCallSignatures()
        .some(
          ({ declaration }) =>
            declaration !== undefined &&
            !ts.isJSDocSignature(declaration) &&
            functionCreates(declaration, search),
        );
    };
    return {
      "CallExpression[callee.property.name='apply']"(call: TSESTree.CallExpression) {
        for (const argument of call.arguments)
          if (creates(argument)) context.report({ node: argument, messageId: "created" });
      },
    };
  },
});
