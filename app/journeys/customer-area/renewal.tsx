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
  /** The address for reporting a claim; none in a long list, or before the policy begins. */
  readonly claim: string | undefined;
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
  const renewalPage = renewal && "href" in renewal ? renewal : undefined;
  return (
    <div className="space-y-4">
      {renewal && "call" in renewal && (
        <p>
          <PhoneLinks text={renewal.call} />
        </p>
      )}
      {(claim !== undefined || renewalPage) && (
        <div data-screen-only>
          <ButtonRow>
            {claim !== undefined && (
              <PlainButtonLink href={claim} variant="secondary">
                {ofPolicy(report)}
              </PlainButtonLink>
            )}
            {renewalPage && (
              <PlainButtonLink href={renewalPage.href} variant="secondary">
                {ofPolicy(renewalPage.text)}
              </PlainButtonLink>
            )}
          </ButtonRow>
        </div>
      )}
    </div>
  );
}
