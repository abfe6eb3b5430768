import type { ReactNode } from "react";

export interface Fact {
  readonly term: string;
  readonly value: ReactNode;
}

/** Terms and values, side by side where there is room. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="space-y-2">
      {facts.map(({ term, value }) => (
        <div key={term} className="sm:flex">
          <dt className="text-muted sm:w-1/3 sm:flex-none sm:pr-4">{term}</dt>
          <dd className="min-w-0 flex-1 break-words font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
