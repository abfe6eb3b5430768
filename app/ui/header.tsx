import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { BrandMark, type BrandMarkProps } from "./brand-mark";
import { SignOut } from "./icons";

/** Signed-in customers also see their name, the sign-out link and the menu. */
interface HeaderProps {
  /** Above everything else: a notice about the whole portal. */
  readonly ribbon?: ReactNode;
  readonly brand: BrandMarkProps;
  readonly home: { readonly href: string; readonly label: string };
  readonly customer?:
    | { readonly signedInAs: string; readonly signOut: string; readonly signOutHref: string }
    | undefined;
  readonly menu?: MenuProps | undefined;
}

/** The menu of the customer area; `current` marks the open page. */
interface MenuProps {
  readonly label: string;
  readonly entries: readonly { readonly href: string; readonly text: string; readonly current: boolean }[];
}

/** The header (specification §2, Layout). */
export function Header({ ribbon, brand, home, customer, menu }: HeaderProps) {
  return (
    <header className="border-b border-line bg-card">
      {ribbon}
      <div
        className={`page-grid flex min-h-[4rem] flex-wrap items-center justify-between ${customer ? "pt-2 sm:pt-0" : ""}`}
      >
        <Link to={home.href} aria-label={home.label} className="rounded-control py-1 no-underline">
          <BrandMark {...brand} />
        </Link>
        {customer && (
          <>
            {/* On a phone it has its own line. A long name is cut with an ellipsis (F3); My Data shows it whole. */}
            <p className="order-last w-full min-w-0 truncate pb-2 text-sm sm:order-none sm:mx-3 sm:w-auto sm:flex-1 sm:pb-0 sm:text-right">
              {customer.signedInAs}
            </p>
            <a
              href={customer.signOutHref}
              className="flex min-h-button-md items-center rounded-control pl-3 font-semibold text-link underline hover:text-ink"
            >
              <SignOut className="mr-2 h-6 w-6" />
              <span>{customer.signOut}</span>
            </a>
          </>
        )}
      </div>
      {menu && <Menu {...menu} />}
    </header>
  );
}

function Menu({ label, entries }: MenuProps) {
  return (
    <nav aria-label={label} className="border-t border-line">
      <ul className="page-grid flex flex-wrap justify-between sm:justify-start">
        {entries.map((entry) => (
          <li key={entry.href} className="mr-3 last:mr-0 sm:mr-8">
            <Link
              to={entry.href}
              aria-current={entry.current ? "page" : undefined}
              className={`block min-h-[3rem] border-b-4 pt-3 font-semibold ${entry.current ? "border-accent text-ink" : "border-transparent text-link hover:border-line"}`}
            >
              {entry.text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
