import { Form } from "react-router-dom";
import { Button } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { type MaskedNumber, MaskedPhone, PhoneLinks } from "~/ui/phone";
import { TextLink } from "~/ui/text-link";
import { NOT_ME } from "./profile-activity";

/** A detail that the customer can change: its current value, and the button that sends the code. */
export function ActionRow({
  term,
  value,
  action,
  button,
  of,
}: {
  readonly term: string;
  readonly value: string;
  readonly action: string;
  readonly button: string;
  /** The thing that the button changes: for screen readers only, since the row shows it. */
  readonly of: string;
}) {
  return (
    <div className="term-row items-center py-3 tight:block">
      <dt className="text-sm text-muted md:text-base">{term}</dt>
      <dd className="min-w-0 break-words pr-4 font-semibold">{value}</dd>
      <dd className="col-start-2 row-span-2 row-start-1 md:col-start-3 md:row-span-1">
        <Form method="post" action={action}>
          <Button type="submit" name="intent" value="send-code" variant="secondary" wide={false}>
            {button}
            <span className="sr-only"> {of}</span>
          </Button>
        </Form>
      </dd>
    </div>
  );
}

/** The number that codes go to, and advice for when it has changed. */
export function PhoneRow({
  term,
  phone,
  waiting,
  notMe,
  ask,
  changed,
}: {
  readonly term: string;
  readonly phone: MaskedNumber;
  /** Another number that will be used later. */
  readonly waiting: string | undefined;
  readonly notMe: string;
  readonly ask: string;
  readonly changed: string;
}) {
  return (
    <div className="term-row pt-3">
      <dt className="col-span-2 text-sm text-muted md:col-span-1 md:text-base">{term}</dt>
      <dd className="col-span-2 font-semibold">
        <MaskedPhone {...phone} />
      </dd>
      {waiting !== undefined && (
        <dd className="col-span-2 md:col-start-2">
          {waiting} <TextLink to={NOT_ME}>{notMe}</TextLink>
        </dd>
      )}
      <dd className="col-span-2 md:col-start-2">
        <Disclosure summary={ask}>
          <PhoneLinks text={changed} />
        </Disclosure>
      </dd>
    </div>
  );
}
