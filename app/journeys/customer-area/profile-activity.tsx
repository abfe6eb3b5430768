import { Triangle } from "~/ui/icons";
import { PhoneLinks } from "~/ui/phone";
import { PlainLink, TextLink } from "~/ui/text-link";

/** The address for customers who don't recognise an event. */
export const NOT_ME = "/cp/not-me";

/** Something that happened to the account, formatted for display. */
export interface ActivityRow {
  readonly text: string;
  /** Whether a sign-in was refused. */
  readonly isRefusal: boolean;
  readonly moment: string;
  readonly device: string;
}

interface ActivityProps {
  readonly rows: readonly ActivityRow[];
  /** Shows more rows, or fewer. A plain link, so that the browser scrolls to the list. */
  readonly link: { readonly href: string; readonly text: string } | undefined;
  readonly words: { readonly lead: string; readonly none: string; readonly notMe: string };
}

/** The account's recent activity, newest first. */
export function ProfileActivity({ rows, link, words }: ActivityProps) {
  return (
    <>
      <p className="max-w-line">
        <PhoneLinks text={words.lead} />
      </p>
      {rows.length === 0 && <p className="mt-4 font-semibold">{words.none}</p>}
      {rows.length > 0 && (
        <ul className="mt-2 divide-y divide-line">
          {rows.map((row, nth) => (
            <Event key={nth} row={row} notMe={words.notMe} />
          ))}
        </ul>
      )}
      {link && (
        <p className="-mb-2">
          <PlainLink href={link.href}>{link.text}</PlainLink>
        </p>
      )}
    </>
  );
}

function Event({
  row: { text, isRefusal, moment, device },
  notMe,
}: {
  readonly row: ActivityRow;
  readonly notMe: string;
}) {
  return (
    <li className="flex items-center py-2 tight:block">
      <div className="min-w-0 flex-1 pr-4 md:flex md:items-center">
        <p className="flex min-w-0 font-semibold md:w-1/3 md:flex-none md:pr-4">
          {isRefusal && <Triangle className="mr-2 h-6 w-6 flex-none text-accent-text" />}
          <span className="min-w-0">{text}</span>
        </p>
        <p className="min-w-0 break-words text-sm leading-6 md:flex-1 md:pr-4">{device}</p>
        <p className="text-sm leading-6 text-muted md:flex-none">{moment}</p>
      </div>
      <p className="flex-none text-sm leading-6">
        <TextLink to={NOT_ME}>
          {notMe} <span className="sr-only">{`(${text}, ${moment})`}</span>
        </TextLink>
      </p>
    </li>
  );
}
