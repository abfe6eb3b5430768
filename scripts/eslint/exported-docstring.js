/** What the router calls: the name says everything that a comment could. */
const ROUTE_EXPORTS = /^(loader|action|meta|headers|links|handle|shouldRevalidate|ErrorBoundary)$/;

/** An ESLint rule: every exported function, class, type and constant has a documentation comment. */
export const exportedDocstring = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: { missing: "Say above `{{name}}` what it is, with units, errors and source: /** … */" },
  },
  create(context) {
    return {
      ExportNamedDeclaration(node) {
        const { declaration } = node;
        if (!declaration) return;
        const { name } = declaration.id ?? declaration.declarations?.[0]?.id ?? {};
        if (name === undefined || ROUTE_EXPORTS.test(name) || isOverload(node)) return;
        const comment = context.sourceCode.getCommentsBefore(node).at(-1);
        if (comment?.type === "Block" && comment.value.startsWith("*")) return;
        context.report({ node: declaration.id ?? declaration, messageId: "missing", data: { name } });
      },
    };
  },
};

/** The first signature of an overloaded function speaks for the others. */
function isOverload(node) {
  const siblings = node.parent.body;
  const before = siblings[siblings.indexOf(node) - 1]?.declaration;
  return before?.type === "TSDeclareFunction" && before.id.name === node.declaration.id?.name;
}
