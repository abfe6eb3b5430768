import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import { ButtonLink } from "~/ui/button";
import { LinkButton } from "~/ui/text-link";
import type { factorSection } from "./profile-words";

type FactorSection = ReturnType<typeof factorSection>;

/** The ways to confirm sign-ins, and the buttons that change them. */
export function ProfileFactors({ lead, rows, add }: FactorSection) {
  return (
    <>
      <p className="max-w-line">{lead}</p>
      <FactorRows rows={rows} />
      {add.map(({ href, text }) => (
        <p key={href} className="mt-2">
          <ButtonLink to={href} variant="secondary">
            {text}
          </ButtonLink>
        </p>
      ))}
    </>
  );
}

/** Ways to confirm sign-ins, each with its button. */
export function FactorRows({ rows }: Pick<FactorSection, "rows">) {
  return (
    <ul className="divide-y divide-line">
      {rows.map(({ key, name, facts, button }) => (
        <FactorRow key={key} name={name} facts={facts}>
          {button && (
            <ButtonLink to={button.href} variant="secondary" wide={false}>
              {button.text}
              <span className="sr-only"> {button.of}</span>
            </ButtonLink>
          )}
        </FactorRow>
      ))}
    </ul>
  );
}

function FactorRow({
  name,
  facts,
  children,
}: {
  readonly name: string;
  readonly facts: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="py-4 sm:flex sm:items-center">
      <div className="min-w-0 sm:flex-1 sm:pr-4">
        <p className="min-w-0 break-words font-semibold">{name}</p>
        <p className="mt-1 text-sm text-muted">{facts}</p>
      </div>
      {children && <p className="mt-3 sm:mt-0 sm:flex-none">{children}</p>}
    </li>
  );
}

/** After a change: the sessions that were open before it can be ended at once. */
export function EndOthers({ here, text }: { readonly here: string; readonly text: string }) {
  return (
    <Form method="post" action={here}>
      <LinkButton type="submit" name="intent" value="end-other-sessions">
        {text}
      </LinkButton>
    </Form>
  );
}
