import type { Page } from "@playwright/test";

/** Controls that a finger could miss, and buttons that cut off their words: a row of controls is 44 px high. */
export function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const size = (control: Element) => {
      const label = control.matches("input[type=checkbox]") ? control.closest("label") : null;
      return (label ?? control).getBoundingClientRect();
    };
    return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), summary")].flatMap(
      (control) => {
        const { width, height } = size(control);
        // Hidden, for screen readers until focused, or in the demo's ribbon.
        if (width <= 1 || height <= 1 || control.matches('header [href^="/demo/"]')) return [];
        const what = `${control.tagName} ${control.getAttribute("name") ?? control.textContent.trim()}`;
        const grows = control.tagName !== "BUTTON" || control.clientHeight >= control.scrollHeight;
        return [
          ...(height < 43.5 || width < 24 ? [`${what}: ${width} × ${height}`] : []),
          ...(grows ? [] : [`${what}: words cut off`]),
        ];
      },
    );
  });
}

/** Elements that move, by themselves or on a press. */
export function motion(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("body *")].flatMap((element) =>
      [undefined, "::before", "::after"].flatMap((pseudo) => {
        const { transitionProperty, transitionDuration, animationName, scrollBehavior } = getComputedStyle(
          element,
          pseudo,
        );
        const slides =
          /transform|all|top|left|margin/.test(transitionProperty) && !/^0s(, 0s)*$/.test(transitionDuration);
        const runs = animationName !== "none" && animationName !== "";
        return slides || runs || scrollBehavior === "smooth"
          ? [`${element.tagName}.${element.getAttribute("class") ?? ""}${pseudo ?? ""}`]
          : [];
      }),
    ),
  );
}
