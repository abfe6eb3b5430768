import { Triangle } from "~/ui/icons";
import { PhoneLinks } from "~/ui/phone";
import { Section } from "~/ui/page-layout";
import { PlainLink } from "~/ui/text-link";

/** Something that happened to the account, formatted for display. */
export interface ActivityRow {
  readonly text: string;
  /** Whether a sign-in was refused. */
  readonly isRefusal: boolean;
  readonly moment: string;
  readonly device: string;
}

interface ActivityProps {
  readonly id: string;
  readonly rows: readonly ActivityRow[];
  /** Shows more rows, or fewer. A plain link, so that the browser scrolls to the list. */
  readonly link: { readonly href: string; readonly text: string } | undefined;
  readonly words: { readonly header: string; readonly lead: string; readonly none: string };
}

/** What happened to the account lately, newest first. */
export function ProfileActivity({ id, rows, link, words }: ActivityProps) {
  return (
    <Section id={id} header={words.header}>
      <p className="max-w-line">
        <PhoneLinks text={words.lead} />
      </p>
      {rows.length === 0 && <p className="mt-4 font-semibold">{words.none}</p>}
      {rows.length > 0 && (
        <ul className="mt-2 divide-y divide-line">
          {rows.map((row, nth) => (
            <Event key={nth} row={row} />
          ))}
        </ul>
      )}
      {link && (
        <p className="-mb-2">
          <PlainLink href={link.href}>{link.text}</PlainLink>
        </p>
      )}
    </Section>
  );
}

function Event({ row: { text, isRefusal, moment, device } }: { readonly row: ActivityRow }) {
  return (
    <li className="py-3 md:flex">
      <p className="flex min-w-0 font-semibold md:w-1/3 md:flex-none md:pr-4">
        {isRefusal && <Triangle className="mr-2 h-6 w-6 flex-none text-accent-text" />}
        <span className="min-w-0">{text}</span>
      </p>
      <p className="min-w-0 break-words text-sm leading-6 md:flex-1 md:pr-4">{device}</p>
      <p className="text-sm leading-6 text-muted md:flex-none">{moment}</p>
    </li>
  );
}
