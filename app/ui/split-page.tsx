import type { ReactNode } from "react";
import { CheckCircle } from "./icons";

/** The layout of the sign-in page: a form, and beside it what the portal offers. On a phone the form comes first. */
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
    <div className="flex flex-1 flex-col bg-white lg:flex-row-reverse">
      <section className="px-4 py-8 sm:px-8 lg:flex lg:w-5/12 lg:items-center lg:px-12">
        <div className="mx-auto w-full max-w-card">{children}</div>
      </section>
      <aside className="relative overflow-hidden bg-teal-900 px-4 py-10 text-white sm:px-8 lg:flex lg:w-7/12 lg:items-center lg:px-16">
        <GreatArch />
        <div className="relative mx-auto w-full max-w-card lg:max-w-wide">
          <h2 className="text-3xl font-bold lg:text-5xl">{claim}</h2>
          <ul className="mt-6 space-y-3">
            {points.map((point) => (
              <li key={point} className="flex">
                <CheckCircle className="mr-3 h-6 w-6 flex-none text-teal-300" />
                <span>{point}</span>
              </li>
            ))}
          </ul>
        </div>
      </aside>
    </div>
  );
}

function GreatArch() {
  return (
    <svg
      viewBox="0 0 400 220"
      aria-hidden="true"
      focusable="false"
      preserveAspectRatio="xMinYMax slice"
      className="pointer-events-none absolute bottom-0 left-0 h-full w-full"
    >
      <path fill="none" className="stroke-teal-800" strokeWidth="56" d="M-40 240a200 200 0 0 1 400 0" />
      <circle cx="330" cy="60" r="14" className="fill-orange-400" />
    </svg>
  );
}
