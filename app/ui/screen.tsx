import type { ReactNode } from "react";

interface ScreenProps {
  readonly children: ReactNode;
  /** Beside the content where there is room: what the screen is about. Decorative. */
  readonly picture?: ReactNode;
  /** For a screen that only says something: the picture is shown on a phone, too, and before the words. */
  readonly pictureFirst?: boolean;
  /** Under the picture: help that people can do without. On a phone it comes after the content. */
  readonly aside?: ReactNode;
}

/** A screen outside the customer area: a heading and a form at the edge of the grid, and a panel beside them. */
export function Screen({ children, picture, pictureFirst = false, aside }: ScreenProps) {
  const onPhone = pictureFirst ? "order-first mb-4" : aside ? "mt-8 border-t border-line pt-2" : "hidden";
  return (
    <div className="page-grid flex flex-1 flex-col py-6 md:flex-row md:items-start md:py-10">
      <div className="w-full min-w-0 md:flex-1 lg:max-w-card">{children}</div>
      <div
        className={`md:order-none md:mb-0 md:ml-10 md:mt-0 md:block md:w-1/3 md:flex-none md:rounded-card md:border-0 md:bg-tint md:p-6 lg:ml-20 lg:w-auto lg:flex-1 lg:p-10 ${onPhone}`}
      >
        <div className={pictureFirst ? undefined : "hidden md:block"}>{picture}</div>
        {aside}
      </div>
    </div>
  );
}

/** A screen with a form in two columns: it takes the whole grid. */
export function WideScreen({ children }: { readonly children: ReactNode }) {
  return <div className="page-grid flex-1 py-6 md:py-10">{children}</div>;
}
