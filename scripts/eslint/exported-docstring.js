/** What the router calls: the name says everything that a comment could. */
const ROUTE_EXPORTS = /^(loader|action|meta|headers|links|handle|shouldRevalidate|ErrorBoundary)$/;

/**
 * An ESLint rule: every exported function and class says its contract. Of types and constants the name must be enough;
 * where it isn't, a comment says more, and no rule asks for one.
 */
export const exportedDocstring = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: { missing: "Say above `{{name}}` what it does, with units, errors and source: /** … */" },
  },
  create(context) {
    return {
      ExportNamedDeclaration(node) {
        const { declaration } = node;
        if (!isFunction(declaration) && declaration?.type !== "ClassDeclaration") return;
        const { name } = declaration.id ?? declaration.declarations[0].id;
        if (ROUTE_EXPORTS.test(name) || isOverload(node)) return;
        const comment = context.sourceCode.getCommentsBefore(node).at(-1);
        if (comment?.type === "Block" && comment.value.startsWith("*")) return;
        context.report({ node: declaration.id ?? declaration, messageId: "missing", data: { name } });
      },
    };
  },
};

function isFunction(declaration) {
  const { type } = declaration ?? {};
  if (type === "FunctionDeclaration" || type === "TSDeclareFunction") return true;
  const made = type === "VariableDeclaration" ? declaration.declarations[0].init?.type : undefined;
  return made === "ArrowFunctionExpression" || made === "FunctionExpression";
}

/** The first signature of an overloaded function speaks for the others. */
function isOverload(node) {
  const siblings = node.parent.body;
  const before = siblings[siblings.indexOf(node) - 1]?.declaration;
  return before?.type === "TSDeclareFunction" && before.id.name === node.declaration.id?.name;
}
