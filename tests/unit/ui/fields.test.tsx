import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Checklist } from "~/ui/checklist";
import { SwitchField, TextField } from "~/ui/text-field";
import { attributeOf } from "./markup";

const plain = <TextField id="sign-in-username" name="username" label="Nazwa" />;
const ERROR = { id: "f-error", text: "Pole nie może być puste." };

describe("a text field", () => {
  it("has its own label, and no error attributes while there is no error", () => {
    const markup = renderToStaticMarkup(plain);
    expect(markup).toContain('<label for="sign-in-username"');
    expect(markup).not.toMatch(/aria-invalid|aria-describedby/);
  });

  it("is described by its error, its hint and an explanation, in this order", () => {
    const markup = renderToStaticMarkup(
      <TextField
        id="f"
        label="Pole"
        hint="Bez spacji."
        aria-invalid
        aria-describedby={ERROR.id}
        error={ERROR}
        describedBy="lista"
      />,
    );
    expect(attributeOf(markup, "input", "aria-describedby")).toBe("f-error f-hint lista");
    expect(attributeOf(markup, "input", "aria-invalid")).toBe("true");
    expect(markup).toContain("Błąd: ");
  });

  it("announces errors in an element that was there before", () => {
    expect(renderToStaticMarkup(plain)).toContain('<div aria-live="polite"></div>');
  });

  it("never treats typed text as markup", () => {
    const hostile = '"><script>x</script>';
    const markup = renderToStaticMarkup(
      <TextField
        id="f"
        label={hostile}
        hint={hostile}
        error={{ id: hostile, text: hostile }}
        defaultValue={hostile}
      />,
    );
    expect(markup).not.toContain("<script");
  });

  it("shows label, hint, field and error in this order, on separate lines even without a stylesheet", () => {
    const markup = renderToStaticMarkup(<TextField id="f" label="Pole" hint="Bez spacji." error={ERROR} />);
    const order = ["Pole", "Bez spacji.", "<input", ERROR.text].map((part) => markup.indexOf(part));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(markup).toMatch(/<\/label> <\/div><p[^>]*>Bez spacji\.<\/p><div[^>]*><input/);
  });
});

describe("a switch", () => {
  it("[C-21] is a checkbox in every browser, with its label and hint", () => {
    const markup = renderToStaticMarkup(
      <SwitchField
        id="s"
        name="trustDevice"
        value="Y"
        label="Zaufaj"
        hint="Na 30 dni."
        states={{ on: "tak", off: "nie" }}
      />,
    );
    expect(attributeOf(markup, "input", "type")).toBe("checkbox");
    expect(attributeOf(markup, "input", "role")).toBe("switch");
    expect(attributeOf(markup, "input", "aria-describedby")).toBe("s-hint");
  });
});

describe("a checklist", () => {
  it("shows the state of each condition in words too, and none before anything was typed", () => {
    const markup = renderToStaticMarkup(
      <Checklist
        id="lista"
        items={[
          { text: "cyfrę", state: "met" },
          { text: "wielką literę", state: "missing" },
          { text: "długość", state: "unmet" },
          { text: "znak specjalny", state: "open" },
        ]}
      />,
    );
    const lines = markup
      .split("<li")
      .slice(1)
      .map((line) => line.replace(/<[^>]+>/g, "").replace(/^[^>]*>/, ""));
    expect(lines).toEqual([
      "cyfrę – spełnione",
      "wielką literę – niespełnione",
      "długość – niespełnione",
      "znak specjalny",
    ]);
  });
});
