/** A policyholder, with an account or without. */
export interface Policyholder {
  readonly customerId: string;
  readonly accountId: string | undefined;
}

/** The audit columns that name a policyholder: the account, or the customer if there is none. */
export function whose({ customerId, accountId }: Policyholder) {
  return accountId === undefined ? { subject: customerId } : { accountId };
}
