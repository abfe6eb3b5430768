import { Form } from "react-router-dom";
import { Button } from "~/ui/button";
import { type MaskedNumber, MaskedPhone, PhoneLinks } from "~/ui/phone";

/** Something a customer can change: its current value, and the button that sends the code. */
export function ActionRow({
  term,
  value,
  action,
  button,
}: {
  readonly term: string;
  readonly value: string;
  readonly action: string;
  readonly button: string;
}) {
  return (
    <div className="py-4 md:flex md:items-center">
      <dt className="text-muted md:w-48 md:flex-none lg:w-56">{term}</dt>
      <dd className="min-w-0 break-words font-semibold md:flex-1 md:pr-4">{value}</dd>
      <dd className="mt-2 md:mt-0">
        <Form method="post" action={action}>
          <Button type="submit" name="intent" value="send-code" variant="secondary">
            {button}
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
  changed,
}: {
  readonly term: string;
  readonly phone: MaskedNumber;
  readonly changed: string;
}) {
  return (
    <div className="py-4 md:flex">
      <dt className="text-muted md:w-48 md:flex-none lg:w-56">{term}</dt>
      <dd className="md:flex-1">
        <p className="font-semibold">
          <MaskedPhone {...phone} />
        </p>
        <p className="mt-1 max-w-line text-sm">
          <PhoneLinks text={changed} />
        </p>
      </dd>
    </div>
  );
}
