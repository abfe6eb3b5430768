import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { type IconProduct, ProductIcon, Triangle } from "./icons";

const TONES = {
  good: "bg-success-tint text-success",
  soon: "bg-accent-tint text-accent-text",
  later: "bg-info-tint text-info",
  over: "bg-sunken text-muted",
} as const;

/** A state as text and colour. */
export interface BadgeProps {
  readonly text: string;
  readonly tone: keyof typeof TONES;
}

/** A small label with a state; see `BadgeProps`. */
export function StateBadge({ text, tone }: BadgeProps) {
  return (
    <p
      className={`inline-block max-w-full rounded-full border border-transparent px-3 py-1 text-sm font-semibold ${TONES[tone]}`}
    >
      {text}
    </p>
  );
}

const URGENCIES = {
  overdue: { look: "border-l-4 border-danger bg-danger-tint px-3 py-2", amount: "text-danger" },
  due: { look: "border-l-4 border-accent bg-accent-tint px-3 py-2", amount: "text-accent-text" },
} as const;

interface SumToPayProps {
  readonly text: string;
  /** The part of the text that is large. */
  readonly amount: string;
  readonly urgency: keyof typeof URGENCIES;
}

/** A sentence with a sum that is to be paid. What is overdue is the strongest thing on the page. */
export function SumToPay({ text, amount, urgency }: SumToPayProps) {
  const [before, after] = text.split(amount);
  const { look, amount: colour } = URGENCIES[urgency];
  return (
    <p className={`inline-flex max-w-full rounded-control font-semibold tight:block ${look}`}>
      {urgency === "overdue" && <Triangle className="mr-2 h-6 w-6 flex-none text-danger" />}
      <span className="min-w-0">
        {before}
        <span className={`text-xl font-bold leading-6 ${colour}`}>{amount}</span>
        {after}
      </span>
    </p>
  );
}

export interface Fact {
  readonly term: string;
  readonly value: ReactNode;
}

interface FactListProps {
  readonly facts: readonly Fact[];
  /** Each value below its term, the first one largest: a card to hold up. */
  readonly stacked?: boolean;
}

/** Terms and values, side by side where there is room. */
export function FactList({ facts, stacked = false }: FactListProps) {
  return (
    <dl className="space-y-2">
      {facts.map(({ term, value }, nth) => (
        <div key={term} className={stacked ? undefined : "sm:flex"}>
          <dt className={`text-muted ${stacked ? "text-sm" : "sm:w-1/3 sm:flex-none sm:pr-4"}`}>{term}</dt>
          <dd
            className={`min-w-0 flex-1 break-words font-semibold ${stacked && nth === 0 ? "text-2xl" : ""}`}
          >
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A name in which no line begins with a dash. */
export function unbroken(name: string): string {
  return name.replace(/ (?=[–—-] )/g, "\u00A0");
}

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
          {unbroken(name)}
        </h1>
        <div className="mt-2">
          <StateBadge {...state} />
        </div>
      </div>
    </div>
  );
}

interface PolicyCardProps {
  /** Comes from the insurer and is always in Polish. */
  readonly name: string;
  readonly product?: IconProduct | undefined;
  readonly state: BadgeProps;
  readonly facts: readonly Fact[];
  /** The policy's page, if it has one: the whole card leads there. */
  readonly href?: string | undefined;
  /** Actions on the policy: the part of the card that doesn't lead to the policy's page. */
  readonly children?: ReactNode;
}

/** Policies, in two columns where there is room. A single one takes the whole row. */
export function PolicyCards({ children }: { readonly children: readonly ReactNode[] }) {
  const columns = children.length > 1 ? "lg:grid lg:grid-cols-2 lg:gap-x-4" : "";
  return <ul className={`mt-6 ${columns}`}>{children}</ul>;
}

/** A policy in the list: icon, name, state, number and period. */
export function PolicyCard({ name, product = "other", state, facts, href, children }: PolicyCardProps) {
  return (
    <li
      className={`relative mb-4 flex min-w-0 flex-col rounded-card border border-line bg-card p-5 sm:p-6 tight:p-2 ${href === undefined ? "" : "hover:border-primary"}`}
    >
      <div className="flex items-start">
        <span className="mr-4 flex-none">
          <ProductIcon product={product} />
        </span>
        <div className="min-w-0 flex-1 flex-wrap sm:flex sm:items-start sm:justify-between">
          <h2 lang="pl" className="min-w-0 text-xl sm:mr-4 sm:mt-2.5">
            {href === undefined ? unbroken(name) : <CardLink href={href}>{unbroken(name)}</CardLink>}
          </h2>
          <div className="mt-2 min-w-0">
            <StateBadge {...state} />
          </div>
        </div>
      </div>
      <div className="mt-4 flex-1 sm:mt-3 md:ml-16">
        <FactList facts={facts} />
      </div>
      {children && <div className="relative mt-4 sm:self-start md:ml-16">{children}</div>}
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
