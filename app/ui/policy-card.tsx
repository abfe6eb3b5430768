import { FactList, type Fact } from "./fact-list";

/** A policy in the list: name, number and period. The name comes from the insurer and is always in Polish. */
export function PolicyCard({ name, facts }: { readonly name: string; readonly facts: readonly Fact[] }) {
  return (
    <li className="rounded-card border border-line bg-card p-5 sm:p-6 tight:p-2">
      <h2 lang="pl" className="text-xl">
        {name}
      </h2>
      <div className="mt-3">
        <FactList facts={facts} />
      </div>
    </li>
  );
}
