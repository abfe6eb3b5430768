import type { Generated } from "kysely";
import type { Limits, SettableLimit } from "~/platform/config/limits";

/** How an export writes a stored value. */
export type Form =
  | "plain"
  /** In ISO 8601; 0 means never. */
  | "moment"
  /** Only the words of a key such as `codes|policies|open|…`. */
  | "words"
  /** Decrypted. */
  | "sealed"
  /** Decrypted, as an object. */
  | "premium";

/** A column: how an export shows it, or why it doesn't. */
export type Column = { readonly as: string; readonly form: Form } | { readonly leftOut: string };

declare const VALUE: unique symbol;
/** Phantom type parameter, for `Tables`: compile time only. */
type Of<Value> = { readonly [VALUE]?: Value };

/** The type of a column's values, as queries see them. */
export type ValueOf<Typed> = Typed extends { readonly [VALUE]?: infer Value } ? Value : never;

/** The effect of erasing a person on their rows. */
type Erasure<Name> =
  | "deletes"
  /** A policy in force, or one that begins later, keeps them. */
  | "deletes unless insured"
  /** Deleted with rows of another table. */
  | { readonly goesWith: Name }
  /** These columns are emptied. */
  | { readonly empties: Readonly<Record<string, null | "">>; readonly because: string }
  | { readonly keeps: string };

/** A table's entry in the registry. */
export interface Registered<Name = string> {
  /** The owner of its rows: a customer, an account, or a visitor who typed a customer's details. */
  readonly of: "customer" | "account" | "details" | "no person";
  /** Its name in an export; null if it isn't in the file. */
  readonly as: string | null;
  /** Said to the person in an export; for a table about no person, why it holds nothing personal. */
  readonly about: string;
  /** The retention time, as a text for the person. */
  readonly kept: (limits: Limits) => string;
  /** A remark for operators. */
  readonly remark?: (limits: Limits) => string;
  /** The variables that set it, limits without `LIMIT_`. */
  readonly setBy?: readonly (SettableLimit | "AUDIT_KEEP_MONTHS")[];
  /** The purge deletes expired rows. */
  readonly expires?: true;
  readonly erasure: Erasure<Name>;
  readonly columns: Readonly<Record<string, Column>>;
}

function typed<Value>() {
  return <const Shape extends Column>(shape: Shape) => shape as Shape & Of<Value>;
}

/** Shown as it is stored. */
export const plain = <Value = string>(as: string) => typed<Value>()({ as, form: "plain" });
/** Shown as a time. */
export const moment = (as: string) => typed<number>()({ as, form: "moment" });
/** Encrypted, and shown decrypted. */
export const sealed = (as: string, form: "sealed" | "premium" = "sealed") => typed<string>()({ as, form });
/** Shown as the words of a key. */
export const words = (as: string) => typed<string>()({ as, form: "words" });
/** Left out of an export, and why. */
export const leftOut = <Value = string>(reason: string) => typed<Value>()({ leftOut: reason });

type Retyped<Shape, Value> = Omit<Shape, typeof VALUE> & Of<Value>;

/** The column holds numbers. */
export const number = <Shape>(column: Shape) => column as Retyped<Shape, number>;
/** The column holds bytes. */
export const bytes = <Shape>(column: Shape) => column as Retyped<Shape, Buffer>;
/** The column can be empty. */
export const nullable = <Shape>(column: Shape) => column as Retyped<Shape, ValueOf<Shape> | null>;
/** The database fills the column of a new row that doesn't. */
export const generated = <Shape>(column: Shape) => column as Retyped<Shape, Generated<ValueOf<Shape>>>;

/** An id of the portal. */
export const OWN_ID = leftOut("a random number made by the portal");
/** A reference to another row. */
export const LINK = leftOut("a link within the portal");
/** Why a hash is left out. */
export const ONE_WAY = "a one-way hash, to look for it or to compare it";
/** The hash of a token. */
export const TOKEN = leftOut("a one-way hash of what a cookie holds");
/** The hash of a password, which has a pepper. */
export const PASSWORD = leftOut("a password can't be read, only compared");
/** Why a wrapped key is left out. */
export const KEY = "part of how a secret is encrypted";
/** The number of a key. */
export const KEY_NUMBER = number(leftOut("a key's number"));
/** Why the text of a message is left out. */
export const CODES_INSIDE = "it may hold a one-time code, which opens the account while it is valid";
/** A column of a table that holds nothing personal. */
export const notPersonal = <Value = string>() => leftOut<Value>("about no one");
/** The same, with text. */
export const NOT_PERSONAL = notPersonal();

/** The beginning of the entry of rows about typed details. */
export const OF_DETAILS = { of: "details", erasure: "deletes", expires: true } as const;
