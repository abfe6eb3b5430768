import { ProductIcon, type IconProduct } from "./product-icons";
import { StateBadge, type BadgeProps } from "./state-badge";

interface PolicyHeadingProps {
  /** Comes from the insurer and is always in Polish. */
  readonly name: string;
  readonly product?: IconProduct | undefined;
  readonly state: BadgeProps;
}

/** The only `h1` of a policy's page: icon, name and state. Takes the focus after a navigation (C-03). */
export function PolicyHeading({ name, product = "other", state }: PolicyHeadingProps) {
  return (
    <div className="flex items-start">
      <span className="mr-4 flex-none">
        <ProductIcon product={product} />
      </span>
      <div className="min-w-0 flex-1">
        <h1 tabIndex={-1} lang="pl" className="mt-1.5 text-3xl sm:mt-1 sm:text-4xl">
          {name}
        </h1>
        <div className="mt-2">
          <StateBadge {...state} />
        </div>
      </div>
    </div>
  );
}
