import type { ComponentProps } from "react";
import { Link } from "react-router-dom";

/** Tall enough for a finger (C-50). */
const LOOK = "inline-block py-2.5 text-link underline hover:text-ink";

/** A link to a screen of the portal: always underlined, since its colour is too close to the text's. */
export function TextLink(props: Omit<ComponentProps<typeof Link>, "className">) {
  return <Link {...props} className={LOOK} />;
}

/** A button that looks like a link: for a form's lesser actions. Switched off it keeps its contrast. */
export function LinkButton(props: Omit<ComponentProps<"button">, "className">) {
  return (
    <button
      {...props}
      className={`${LOOK} aria-disabled:cursor-not-allowed aria-disabled:text-muted aria-disabled:no-underline`}
    />
  );
}

/** A link out of the app: a document, another site. */
export function PlainLink(props: Omit<ComponentProps<"a">, "className">) {
  return (
    <a {...props} className={LOOK}>
      {props.children}
    </a>
  );
}
