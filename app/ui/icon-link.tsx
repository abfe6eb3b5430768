import type { ComponentType } from "react";

/** A link within the page that is an icon; its text is read out, and is seen where there are no styles. */
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
      className="-my-2.5 flex h-11 w-11 flex-none items-center justify-center rounded-control text-link hover:bg-tint"
    >
      <Icon className="h-6 w-6" />
      <span className="sr-only">{text}</span>
    </a>
  );
}
