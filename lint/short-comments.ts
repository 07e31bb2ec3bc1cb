/** Lint: a comment says a reason or an invariant in three lines. What documents something exported may be longer. */
import { AST_NODE_TYPES, AST_TOKEN_TYPES, ESLintUtils, type TSESTree } from "@typescript-eslint/utils";

const LONGEST = 3;

type Comment = TSESTree.Comment;

/** Lines with text; the frame of a block is none. */
const linesOf = (comments: readonly Comment[]): number =>
  comments.flatMap(({ value }) => value.split("\n")).filter((line) => /[^\s*]/.test(line)).length;

const follows = (one: Comment, next: Comment): boolean =>
  one.type === AST_TOKEN_TYPES.Line &&
  next.type === AST_TOKEN_TYPES.Line &&
  next.loc.start.line === one.loc.end.line + 1;

/** Line comments directly below each other are one text. */
function texts(comments: readonly Comment[]): readonly (readonly Comment[])[] {
  const found: Comment[][] = [];
  for (const comment of comments) {
    const last = found.at(-1);
    const above = last?.at(-1);
    if (last !== undefined && above !== undefined && follows(above, comment)) last.push(comment);
    else found.push([comment]);
  }
  return found;
}

const isExport = ({ type }: TSESTree.Node): boolean =>
  type === AST_NODE_TYPES.ExportNamedDeclaration || type === AST_NODE_TYPES.ExportDefaultDeclaration;

export const shortComments = ESLintUtils.RuleCreator.withoutDocs({
  meta: {
    type: "suggestion",
    defaultOptions: [],
    messages: {
      long: "{{lines}} lines: a comment says a reason or an invariant in three; more belongs into a page.",
    },
    schema: [],
  },
  create(context) {
    const { sourceCode } = context;
    const documents = ({ type, value, loc }: Comment): boolean =>
      type === AST_TOKEN_TYPES.Block &&
      value.startsWith("*") &&
      sourceCode.ast.body.some((node) => isExport(node) && node.loc.start.line === loc.end.line + 1);
    return {
      Program() {
        for (const text of texts(sourceCode.getAllComments())) {
          const [first] = text;
          const lines = linesOf(text);
          if (first !== undefined && lines > LONGEST && !documents(first))
            context.report({ loc: first.loc, messageId: "long", data: { lines } });
        }
      },
    };
  },
});
