/** The attribute of the first element with this name. */
export function attributeOf(markup: string, element: string, name: string): string | undefined {
  const [tag = ""] = tagsOf(markup, element);
  return valuesOf(tag, name)[0];
}

function tagsOf(markup: string, element: string): readonly string[] {
  return [...markup.matchAll(new RegExp(`<${element}(?=[\\s>/])[^>]*>`, "g"))].map(([tag]) => tag);
}

function valuesOf(markup: string, name: string): readonly string[] {
  return [...markup.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value]) => value ?? "");
}
