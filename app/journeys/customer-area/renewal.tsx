import { ButtonRow, PlainButtonLink } from "~/ui/button";
import { PhoneLinks } from "~/ui/phone";
import { Section } from "~/ui/page-layout";

/** Leads to the insurer's page for renewals, or says whom to call. */
export type RenewalStep = { readonly text: string; readonly href: string } | { readonly call: string };

/** The words of `RenewalSection`. */
export interface RenewalWords {
  readonly header: string;
  readonly lastDay: string;
  readonly step: RenewalStep;
}

/** On a policy's page: its cover ends or has ended, and what to do. */
export function RenewalSection({ words }: { readonly words: RenewalWords }) {
  const { header, lastDay, step } = words;
  return (
    <Section header={header}>
      <p>{lastDay}</p>
      {"href" in step ? (
        <p className="printed-address mt-4">
          <PlainButtonLink href={step.href} variant="secondary">
            {step.text}
          </PlainButtonLink>
        </p>
      ) : (
        <p className="mt-2">
          <PhoneLinks text={step.call} />
        </p>
      )}
    </Section>
  );
}

/** On a policy's card: report a claim and, when its cover ends, renew it. */
export function CardSteps({
  name,
  claim,
  report,
  renewal,
}: {
  /** The policy's name. Read out with each button, because many cards have the same buttons. */
  readonly name: string;
  /** The address for reporting a claim. */
  readonly claim: string;
  readonly report: string;
  readonly renewal: RenewalStep | undefined;
}) {
  const ofPolicy = (text: string) => (
    <span>
      {text}{" "}
      <span lang="pl" className="sr-only">
        {name}
      </span>
    </span>
  );
  return (
    <>
      {renewal && "call" in renewal && (
        <p className="mb-4">
          <PhoneLinks text={renewal.call} />
        </p>
      )}
      <div data-screen-only>
        <ButtonRow>
          <PlainButtonLink href={claim} variant="secondary">
            {ofPolicy(report)}
          </PlainButtonLink>
          {renewal && "href" in renewal && (
            <PlainButtonLink href={renewal.href} variant="secondary">
              {ofPolicy(renewal.text)}
            </PlainButtonLink>
          )}
        </ButtonRow>
      </div>
    </>
  );
}
