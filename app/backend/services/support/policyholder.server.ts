/** A policyholder, with an account or without. */
export interface Policyholder {
  readonly customerId: string;
  readonly accountId: string | undefined;
}

/** Whose an event is: their account's, or theirs alone before they have one. */
export function whose({ customerId, accountId }: Policyholder) {
  return accountId === undefined ? { subject: customerId } : { accountId };
}
