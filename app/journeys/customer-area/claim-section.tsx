import { PlainButtonLink } from "~/ui/button";
import { PhoneLinks } from "~/ui/phone";
import { Section } from "~/ui/page-layout";

/** The words of `ClaimSection`. `online` leads to the insurer's page for claims, if there is one. */
export interface ClaimWords {
  readonly header: string;
  readonly prepare: { readonly text: string; readonly policyNo: string } | undefined;
  readonly online: { readonly href: string; readonly text: string } | undefined;
  readonly call: string;
}

/** How to report a claim: what to have at hand, where to write, whom to call. */
export function ClaimSection({ words }: { readonly words: ClaimWords }) {
  const { header, prepare, online, call } = words;
  return (
    <Section header={header}>
      <div className="space-y-4">
        {prepare && (
          <p>
            {prepare.text} <strong className="inline-block max-w-full">{prepare.policyNo}</strong>
          </p>
        )}
        {online && (
          <p className="printed-address">
            <PlainButtonLink href={online.href} variant="secondary">
              {online.text}
            </PlainButtonLink>
          </p>
        )}
        <p>
          <PhoneLinks text={call} />
        </p>
      </div>
    </Section>
  );
}
