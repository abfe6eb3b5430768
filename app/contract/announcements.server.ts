/** An operator's message to all customers, in plain text, shown on every page until a set time. */
export interface Announcement {
  readonly text: string;
  readonly textEn: string;
  /** In ms since 1970. */
  readonly until: number;
}

/** Planned work: the portal is closed to customers until a set time. */
export interface Maintenance {
  /** In ms since 1970. */
  readonly until: number;
}

/** The latest announcement and maintenance that are known; either may have ended. */
export interface Announced {
  readonly announcement?: Announcement | undefined;
  readonly maintenance?: Maintenance | undefined;
}

/** The longest text, in code points: it is read before anything else on a page. */
export const MOST_ANNOUNCEMENT = 300;

/** The longest time until the end, in days. A later end is a typing error, or the text belongs in the portal's own. */
export const MOST_DAYS = { announcement: 90, maintenance: 7 } as const satisfies Record<
  keyof Announced,
  number
>;

const NOT_PLAIN = /[\p{Cc}\p{Cf}\p{Cs}\uFFFD]/u;

/** A typed text without spaces at its ends; undefined if it is empty, too long, or doesn't stay on one line. */
export function readPlainLine(typed: string, mostCharacters: number): string | undefined {
  const text = typed.normalize("NFC").trim();
  return text === "" || [...text].length > mostCharacters || NOT_PLAIN.test(text) ? undefined : text;
}
