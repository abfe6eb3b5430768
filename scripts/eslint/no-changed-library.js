/*
 * No library is changed, in the build or at run time, and none of its internals is used (docs/decisions/server.md).
 * Selectors for ESLint's `no-restricted-syntax`.
 */
const assigned = (selector) =>
  `:matches(AssignmentExpression > .left, UpdateExpression > .argument)${selector}`;
const WHY = "No library is changed, and none of its internals used (docs/decisions/server.md).";

export const NO_CHANGED_LIBRARY = [
  // Exports that libraries themselves call unsafe to use.
  "Identifier[name=/^UNSAFE_/]",
  "ImportDeclaration[source.value=/node_modules|^[^.~][^]*\\u002f(dist|lib|src)\\u002f/]",
  // Prototypes, methods and globals of others.
  assigned("MemberExpression[object.property.name='prototype']"),
  assigned("MemberExpression[property.name='prototype']"),
  assigned("MemberExpression[object.name=/^(globalThis|global|Error)$/]"),
  assigned("MemberExpression[property.name=/^(writeHead|destroySoon)$/]"),
  "TSAsExpression > Identifier.expression[name='globalThis']",
  "CallExpression[callee.property.name='setPrototypeOf']",
  "CallExpression[callee.property.name='removeAllListeners']",
  "Literal[value='node:diagnostics_channel']",
].map((selector) => ({ selector, message: WHY }));
