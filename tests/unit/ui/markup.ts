/**
 * Lists the places where the markup breaks a rule of the design system: no style attributes and no inline handlers (the
 * security policy blocks both), no duplicate id, no reference to a missing id, a label for every input, no picture that
 * is read out, no button that is disabled from the start, no custom tab order.
 */
export function ruleBreaksIn(markup: string): readonly string[] {
  const ids = valuesOf(markup, "id");
  const references = [
    ...valuesOf(markup, "for"),
    ...["aria-describedby", "aria-labelledby", "aria-controls"].flatMap((name) =>
      valuesOf(markup, name).flatMap((value) => value.split(" ")),
    ),
  ];
  const labelled = new Set(valuesOf(markup, "for"));
  return [
    ...valuesOf(markup, "style").map((value) => `a style attribute: ${value}`),
    ...[...markup.matchAll(/\son[a-z]+=/g)].map(([handler]) => `an inline handler:${handler}`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `the id ${id} twice`),
    ...references.filter((id) => !ids.includes(id)).map((id) => `a reference to ${id}, which isn't there`),
    ...tagsOf(markup, "input")
      .filter((tag) => !/type="hidden"/.test(tag) && !labelled.has(attributeOf(tag, "input", "id") ?? ""))
      .map((tag) => `an input without a label: ${tag}`),
    ...tagsOf(markup, "svg")
      .filter((tag) => !tag.includes('aria-hidden="true"'))
      .map((tag) => `a picture that is read out: ${tag}`),
    ...tagsOf(markup, "button")
      .filter((tag) => / disabled/.test(tag))
      .map((tag) => `a button that comes disabled: ${tag}`),
    ...[...markup.matchAll(/tabindex="([1-9]\d*)"/gi)].map(
      ([tabIndex]) => `an order of its own: ${tabIndex}`,
    ),
  ];
}

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
