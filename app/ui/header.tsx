import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
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
    <header className="border-b-4 border-teal-600 bg-white">
      {ribbon}
      <div className="mx-auto flex min-h-[3.5rem] max-w-page flex-wrap items-center justify-between px-4 sm:min-h-[4rem] sm:px-6 lg:px-8">
        <Link
          discover="none"
          to={home.href}
          aria-label={home.label}
          className="rounded-control py-1 no-underline"
        >
          <BrandMark {...brand} />
        </Link>
        {customer && (
          <>
            {/* On a phone it has its own line, and a long name is cut with an ellipsis (F3). */}
            <p className="order-last w-full min-w-0 truncate pb-2 text-sm sm:order-none sm:ml-auto sm:mr-3 sm:w-auto sm:max-w-xs sm:whitespace-normal sm:break-words sm:pb-0 sm:text-right">
              {customer.signedInAs}
            </p>
            <a
              href={customer.signOutHref}
              className="flex min-h-button-md items-center rounded-control px-3 font-semibold text-teal-700 underline hover:bg-teal-50"
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
    <nav aria-label={label} className="border-t border-neutral-200">
      <ul className="mx-auto flex max-w-page flex-wrap sm:px-2 lg:px-4">
        {entries.map((entry) => (
          <li key={entry.href} className="flex-1 text-center sm:flex-none">
            <Link
              discover="none"
              to={entry.href}
              aria-current={entry.current ? "page" : undefined}
              className={`block min-h-[3rem] border-b-4 px-2 pt-3 font-semibold sm:px-4 ${entry.current ? "border-orange-500 text-ink" : "border-transparent text-teal-700 hover:bg-teal-50"}`}
            >
              {entry.text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
