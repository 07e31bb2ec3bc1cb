/** Lint: nothing is created inside `apply` or after a promise, neither there nor in a function that is named there. */
import { ESLintUtils, type TSESTree } from "@typescript-eslint/utils";

import { argumentCreates } from "./creations";

const MESSAGE = "Nothing is created inside apply: previews would not show it.";

/** An Output's way to its value, and a promise's. */
const CALLBACKS = "/^(apply|then|catch|finally)$/";

export const noResourceInApply = ESLintUtils.RuleCreator.withoutDocs({
  meta: { type: "problem", defaultOptions: [], messages: { created: MESSAGE }, schema: [] },
  create(context) {
    const services = ESLintUtils.getParserServices(context);
    const checker = services.program.getTypeChecker();
    return {
      [`CallExpression:matches([callee.property.name=${CALLBACKS}], [callee.property.value=${CALLBACKS}])`](
        call: TSESTree.CallExpression,
      ) {
        for (const argument of call.arguments) {
          const node = services.esTreeNodeToTSNodeMap.get(argument);
          if (argumentCreates(node, { checker, seen: new Set() }))
            context.report({ node: argument, messageId: "created" });
        }
      },
    };
  },
});
