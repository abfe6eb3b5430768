import type { ReactNode } from "react";
import { useTexts } from "~/i18n/use-texts";
import { CheckCircle } from "./icons";
import { UnderOneRoofPicture } from "./illustrations";

/** The page's only `h1` and the sentence under it. Takes the focus after a navigation (C-03). */
export function PageHeading({
  header,
  children,
}: {
  readonly header: string;
  readonly children?: ReactNode;
}) {
  return (
    <>
      <h1 tabIndex={-1} className="text-3xl sm:text-4xl">
        {header}
      </h1>
      {children && <p className="mt-2 text-muted sm:text-lg">{children}</p>}
    </>
  );
}

/** Part of a customer-area screen, with its own heading. */
export function Section({
  id,
  header,
  children,
}: {
  /** For links to it. */
  readonly id?: string;
  readonly header: string;
  readonly children: ReactNode;
}) {
  return (
    <section id={id} className="mt-6 rounded-card border border-line bg-card p-5 sm:p-6 tight:p-2">
      <h2 className="text-xl">{header}</h2>
      <div className="mt-3">{children}</div>
    </section>
  );
}

/** Width and padding of a screen in the customer area. */
export function CustomerPage({ children }: { readonly children: ReactNode }) {
  return <div className="page-grid py-6 md:py-10">{children}</div>;
}

interface ScreenProps {
  readonly children: ReactNode;
  /** Beside the content where there is room: a drawing of the screen's subject. Decorative. */
  readonly picture?: ReactNode;
  /** For a screen with only a message: the picture is shown on a phone, too, and before the text. */
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

/** The layout of the sign-in page: a form, and the portal's advantages beside it. On a phone the form comes first. */
export function SplitPage({
  claim,
  points,
  children,
}: {
  readonly claim: string;
  readonly points: readonly string[];
  readonly children: ReactNode;
}) {
  return (
    <div className="page-grid flex flex-1 flex-col py-6 md:flex-row md:py-10">
      <div className="w-full min-w-0 md:flex-1 lg:max-w-card">{children}</div>
      {/* On a phone, a strip with only the slogan beside the picture. */}
      <div
        data-screen-only
        className="mt-8 flex min-h-strip overflow-hidden rounded-card bg-band text-white md:ml-10 md:mt-0 md:w-5/12 md:flex-none md:flex-col md:pt-8 lg:ml-20 lg:w-auto lg:flex-1 lg:pt-12"
      >
        <div className="flex-1 self-center py-3 pl-5 md:flex-none md:px-6 md:py-0 md:self-auto lg:px-12 tight:px-2">
          <h2 className="text-lg md:text-2xl lg:text-3xl">{claim}</h2>
          <ul className="mt-6 hidden space-y-3 md:block">
            {points.map((point) => (
              <li key={point} className="flex">
                <CheckCircle className="mr-3 h-6 w-6 flex-none text-accent" />
                <span className="min-w-0">{point}</span>
              </li>
            ))}
          </ul>
        </div>
        <UnderOneRoofPicture />
      </div>
    </div>
  );
}

/** "Krok 1 z 2" and a bar of segments; the bar is decorative. */
export function StepIndicator({ current, total }: { readonly current: number; readonly total: number }) {
  const t = useTexts();
  return (
    <div className="mb-3">
      <p className="text-sm font-semibold text-accent-text">{t("common:a11y.step", { current, total })}</p>
      <div aria-hidden="true" className="mt-1 flex max-w-xs">
        {Array.from({ length: total }, (_segment, index) => (
          <span
            key={index}
            className={`mr-1 h-1 flex-1 rounded-full ${index < current ? "bg-accent" : "bg-line"}`}
          />
        ))}
      </div>
    </div>
  );
}
