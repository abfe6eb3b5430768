import { Form } from "react-router-dom";
import { Button } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { type MaskedNumber, MaskedPhone, PhoneLinks } from "~/ui/phone";

/** Something a customer can change: its current value, and the button that sends the code. */
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
  /** What the button changes: said, not shown, since the row says it. */
  readonly of: string;
}) {
  return (
    <div className="flex items-center py-3 tight:block">
      <div className="min-w-0 flex-1 pr-4 md:flex">
        <dt className="text-sm text-muted md:w-48 md:flex-none md:text-base lg:w-56">{term}</dt>
        <dd className="min-w-0 break-words font-semibold">{value}</dd>
      </div>
      <dd className="flex-none">
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

/** The number that codes go to, and what to do when it has changed. */
export function PhoneRow({
  term,
  phone,
  ask,
  changed,
}: {
  readonly term: string;
  readonly phone: MaskedNumber;
  readonly ask: string;
  readonly changed: string;
}) {
  return (
    <div className="pt-3">
      <div className="md:flex">
        <dt className="text-sm text-muted md:w-48 md:flex-none md:text-base lg:w-56">{term}</dt>
        <dd className="font-semibold">
          <MaskedPhone {...phone} />
        </dd>
      </div>
      <dd className="md:pl-48 lg:pl-56">
        <Disclosure summary={ask}>
          <PhoneLinks text={changed} />
        </Disclosure>
      </dd>
    </div>
  );
}
