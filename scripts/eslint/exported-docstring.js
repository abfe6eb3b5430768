/** Exports that the router calls: their names say it all. */
const ROUTE_EXPORTS = /^(loader|action|meta|headers|links|handle|shouldRevalidate|ErrorBoundary)$/;

/**
 * An ESLint rule: every exported function and class states its contract. For types and constants the name should be
 * enough; where it isn't, add a comment, but no rule demands one.
 */
export const exportedDocstring = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: { missing: "Document `{{name}}`: what it does, units, errors, source: /** … */" },
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
  const initType = type === "VariableDeclaration" ? declaration.declarations[0].init?.type : undefined;
  return initType === "ArrowFunctionExpression" || initType === "FunctionExpression";
}

/** Only the first signature of an overloaded function needs a comment. */
function isOverload(node) {
  const siblings = node.parent.body;
  const before = siblings[siblings.indexOf(node) - 1]?.declaration;
  return before?.type === "TSDeclareFunction" && before.id.name === node.declaration.id?.name;
}
