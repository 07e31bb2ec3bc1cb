/** Lint: who tells platforms apart by their names, in whatever form, is one of the files that the compiler asks for a new one. */
import { relative, sep } from "node:path";

import { AST_NODE_TYPES, ESLintUtils, type TSESTree } from "@typescript-eslint/utils";
import * as ts from "typescript";

import { PlatformTypes } from "./platform-types";

interface Options {
  /** The platforms' names. */
  readonly names: readonly string[];
  /** The files that choose. */
  readonly files: readonly string[];
}

/** Methods that find their argument, and those that read in a text. */
const FINDS = new Set(["includes", "indexOf", "lastIndexOf", "has", "get", "test", "exec", "is"]);
const READS = new Set(["startsWith", "endsWith", "includes", "indexOf", "match", "search", "charAt", "at"]);

const EQUALITY = new Set(["===", "!==", "==", "!="]);

const methodOf = ({ callee }: TSESTree.CallExpression): string =>
  callee.type === AST_NODE_TYPES.MemberExpression && callee.property.type === AST_NODE_TYPES.Identifier
    ? callee.property.name
    : "";

export const noPlatformChoice = ESLintUtils.RuleCreator.withoutDocs<[Options], "chosen">({
  meta: {
    type: "problem",
    messages: {
      chosen: "Only a select file tells platforms apart: put this into the platform's slice.",
    },
    schema: [
      {
        type: "object",
        properties: {
          names: { type: "array", items: { type: "string" } },
          files: { type: "array", items: { type: "string" } },
        },
        required: ["names", "files"],
        additionalProperties: false,
      },
    ],
    defaultOptions: [{ names: [], files: [] }],
  },
  create(context, [{ names, files }]) {
    const chooses = (file: string): boolean =>
      files.includes(relative(context.cwd, file).split(sep).join("/"));
    if (chooses(context.filename)) return {};
    const { program, esTreeNodeToTSNodeMap } = ESLintUtils.getParserServices(context);
    const types = new PlatformTypes(program.getTypeChecker(), names);
    const at = (node: TSESTree.Node): ts.Expression => esTreeNodeToTSNodeMap.get(node) as ts.Expression;
    const check = (node: TSESTree.Node, isChoice: boolean): void => {
      if (isChoice) context.report({ node, messageId: "chosen" });
    };
    return {
      BinaryExpression(node) {
        if (EQUALITY.has(node.operator)) check(node, types.compares(at(node.left), at(node.right)));
        if (node.operator === "in") check(node, types.isName(at(node.left)));
      },
      SwitchStatement(node) {
        const cases = node.cases.flatMap(({ test }) => (test === null ? [] : [test]));
        check(
          node,
          cases.some((test) => types.compares(at(node.discriminant), at(test))),
        );
      },
      CallExpression(node) {
        const method = methodOf(node);
        const receiver =
          node.callee.type === AST_NODE_TYPES.MemberExpression ? node.callee.object : node.callee;
        const isFound = FINDS.has(method) && node.arguments.some((one) => types.speaks(at(one)));
        check(node, isFound || (READS.has(method) && types.speaks(at(receiver))));
      },
      MemberExpression(node) {
        if (!node.computed || !types.speaks(at(node.property))) return;
        check(node, !types.sourcesOf(at(node.object)).some(chooses));
      },
    };
  },
});
