import type { ComponentProps, ComponentType, ReactNode } from "react";
import { Link } from "react-router-dom";

/** The classes of a link in text. The height is enough for a finger (C-50), beside small text too. */
const LINK_CLASSES = "inline-block min-h-button-md py-2.5 text-link underline hover:text-ink";

/** A link to a screen of the portal: always underlined, since its colour is too close to the text's. */
export function TextLink(props: Omit<ComponentProps<typeof Link>, "className">) {
  return <Link {...props} className={LINK_CLASSES} />;
}

/** A button that looks like a link, for a form's lesser actions. The text of a disabled button keeps its contrast. */
export function LinkButton(props: Omit<ComponentProps<"button">, "className">) {
  return (
    <button
      {...props}
      className={`${LINK_CLASSES} aria-disabled:cursor-not-allowed aria-disabled:text-muted aria-disabled:no-underline`}
    />
  );
}

/** A link out of the app: a document, another site. */
export function PlainLink(props: Omit<ComponentProps<"a">, "className">) {
  return (
    <a {...props} className={LINK_CLASSES}>
      {props.children}
    </a>
  );
}

/**
 * An icon that links to an explanation on the same page (`data-explains`). The text is for screen readers and for pages
 * without styles.
 */
export function IconLink({
  href,
  icon: Icon,
  text,
}: {
  readonly href: string;
  readonly icon: ComponentType<{ readonly className: string }>;
  readonly text: string;
}) {
  return (
    <a
      href={href}
      data-explains
      className="-my-2.5 flex h-11 w-11 flex-none items-center justify-center rounded-control text-link hover:bg-tint"
    >
      <Icon className="h-6 w-6" />
      <span className="sr-only">{text}</span>
    </a>
  );
}

/** The row above a page, not printed: a link back to the parent screen, and the page's actions (`children`). */
export function BackLink({
  to,
  text,
  children,
}: {
  readonly to: string;
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <div data-screen-only className="-mt-3 mb-2 flex justify-between">
      <TextLink to={to}>
        <svg
          viewBox="0 0 12 12"
          width="12"
          height="12"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
          className="mr-1 inline"
        >
          <path d="M8 1 3 6l5 5" />
        </svg>
        {text}
      </TextLink>
      {children}
    </div>
  );
}
