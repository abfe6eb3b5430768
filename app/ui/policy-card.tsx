import { Link } from "react-router-dom";
import { FactList, type Fact } from "./fact-list";
import { ProductIcon, type IconProduct } from "./product-icons";
import { StateBadge, type BadgeProps } from "./state-badge";

interface PolicyCardProps {
  /** Comes from the insurer and is always in Polish. */
  readonly name: string;
  readonly product?: IconProduct | undefined;
  readonly state: BadgeProps;
  readonly facts: readonly Fact[];
  /** The policy's page, if it has one: the whole card leads there. */
  readonly href?: string | undefined;
}

/** A policy in the list: icon, name, state, number and period. */
export function PolicyCard({ name, product = "other", state, facts, href }: PolicyCardProps) {
  return (
    <li
      className={`relative rounded-card border border-line bg-card p-5 sm:p-6 tight:p-2 ${href === undefined ? "" : "hover:border-primary"}`}
    >
      <div className="flex items-start">
        <span className="mr-4 flex-none">
          <ProductIcon product={product} />
        </span>
        <div className="min-w-0 flex-1 flex-wrap sm:flex sm:items-start sm:justify-between">
          <h2 lang="pl" className="min-w-0 text-xl sm:mr-4 sm:mt-2.5">
            {href === undefined ? name : <CardLink href={href}>{name}</CardLink>}
          </h2>
          <div className="mt-2 min-w-0">
            <StateBadge {...state} />
          </div>
        </div>
      </div>
      <div className="mt-4 sm:mt-3 md:ml-16">
        <FactList facts={facts} />
      </div>
    </li>
  );
}

function CardLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Link
      to={href}
      className="stretched-link -my-2 inline-block max-w-full py-2 text-link underline hover:text-ink"
    >
      {children}
    </Link>
  );
}
