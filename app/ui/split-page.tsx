import type { ReactNode } from "react";
import { CheckCircle } from "./icons";
import { UnderOneRoofPicture } from "./illustrations/under-one-roof";

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
    <div className="page-grid flex flex-1 flex-col py-6 md:flex-row md:items-start md:py-10">
      <div className="w-full min-w-0 md:flex-1 lg:max-w-card">{children}</div>
      <div
        data-screen-only
        className="mt-10 overflow-hidden rounded-card bg-band pt-8 text-white md:ml-10 md:mt-0 md:w-5/12 md:flex-none lg:ml-20 lg:w-auto lg:flex-1 lg:pt-12"
      >
        <div className="px-6 lg:px-12 tight:px-2">
          <h2 className="text-3xl lg:text-5xl">{claim}</h2>
          <ul className="mt-6 space-y-3">
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
