import { FactList, type Fact } from "./fact-list";
import { StateBadge, type BadgeProps } from "./state-badge";

/** A policy in the list: name, state, number and period. The name comes from the insurer and is always in Polish. */
export function PolicyCard({
  name,
  state,
  facts,
}: {
  readonly name: string;
  readonly state: BadgeProps;
  readonly facts: readonly Fact[];
}) {
  return (
    <li className="rounded-card border border-line bg-card p-5 sm:p-6 tight:p-2">
      <div className="sm:flex sm:flex-row-reverse sm:items-start sm:justify-between">
        <div className="mb-2 flex-none sm:mb-0 sm:ml-4">
          <StateBadge {...state} />
        </div>
        <h2 lang="pl" className="min-w-0 text-xl">
          {name}
        </h2>
      </div>
      <div className="mt-3">
        <FactList facts={facts} />
      </div>
    </li>
  );
}
