import { Children, type ComponentProps, type ReactNode } from "react";
import { Link } from "react-router-dom";

/** How prominent a button is. One primary button per screen. */
type ButtonVariant = "primary" | "secondary" | "quiet";
/** 52, 44 and 28 px (specification §1). */
type ButtonSize = "large" | "default" | "small";

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-primary text-on-primary hover:bg-primary-strong",
  secondary: "border-primary text-link hover:bg-tint",
  quiet: "border-transparent text-link underline hover:text-ink",
};

const SIZES: Record<ButtonSize, string> = {
  large: "min-h-button-lg px-7 py-3 tight:px-2",
  default: "min-h-button-md px-5 py-2 tight:px-2",
  small: "min-h-button-sm px-3 py-0.5 text-sm",
};

/** Disabled for now: people can still reach and read it, so its text keeps its contrast. */
const OFF =
  "aria-disabled:cursor-not-allowed aria-disabled:border-line aria-disabled:bg-sunken aria-disabled:text-muted";

function look(variant: ButtonVariant, size: ButtonSize, wide: boolean): string {
  const width = wide ? "w-full sm:w-auto" : "";
  return `inline-flex items-center justify-center rounded-control border-2 text-center font-semibold transition-colors duration-100 print:hidden ${OFF} ${VARIANTS[variant]} ${SIZES[size]} ${width}`;
}

interface ButtonLook {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** Full width on a phone. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A button. Never disabled in the server's HTML: if something is missing, the server's answer says so. */
export function Button({
  variant = "primary",
  size = "default",
  wide = true,
  ...rest
}: ButtonLook & Omit<ComponentProps<"button">, "className">) {
  return <button {...rest} className={look(variant, size, wide)} />;
}

/** A link within the page, or out of the app, that looks like a button. */
export function PlainButtonLink({
  variant = "primary",
  size = "default",
  wide = true,
  children,
  ...rest
}: ButtonLook & Omit<ComponentProps<"a">, "className">) {
  return (
    <a {...rest} className={look(variant, size, wide)}>
      {children}
    </a>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  variant = "primary",
  size = "default",
  wide = true,
  ...rest
}: ButtonLook & Omit<ComponentProps<typeof Link>, "className">) {
  return <Link {...rest} className={look(variant, size, wide)} />;
}

/** The summary of a `<details>` that looks like a button. */
export function ButtonSummary({ children }: { readonly children: ReactNode }) {
  return (
    <summary className={`cursor-pointer list-none ${look("secondary", "default", true)}`}>{children}</summary>
  );
}

/**
 * Buttons side by side where there is room, otherwise one above the other and equally wide. Each has its own block:
 * without styles they would read as one word.
 */
export function ButtonRow({ children }: { readonly children: ReactNode }) {
  return (
    <div className="-mb-3 flex-wrap sm:-mr-3 sm:inline-flex">
      {Children.map(
        children,
        (button) => button && <div className="mb-3 grid sm:mr-3 sm:grow">{button}</div>,
      )}
    </div>
  );
}

/** The button inside a secret field that shows and hides its characters (C-19). Scripts put it there and name it. */
export function ShowToggle() {
  return (
    <>
      <button
        type="button"
        data-show-toggle
        className="absolute right-1 top-1 min-h-button-md rounded-control px-3 text-sm font-semibold text-link underline"
      />
      <span role="status" className="sr-only" />
    </>
  );
}
