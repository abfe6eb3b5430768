import { Form } from "@remix-run/react";
import { Button } from "~/ui/button";
import { LinkButton } from "~/ui/text-link";

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
      <dt className="text-muted md:w-56 md:flex-none">{term}</dt>
      <dd className="break-words font-semibold md:flex-1">{value}</dd>
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

/** A trusted device, formatted for display. */
interface DeviceRow {
  readonly id: string;
  readonly name: string;
  readonly since: string;
  readonly remove: string;
}

/** The trusted devices. They can be removed one by one or all at once. */
export function DeviceList({
  devices,
  here,
  none,
  removeAll,
}: {
  readonly devices: readonly DeviceRow[];
  readonly here: string;
  readonly none: string;
  readonly removeAll: string;
}) {
  if (devices.length === 0) return <p className="mt-4 font-semibold">{none}</p>;
  return (
    <>
      <ul className="mt-2 divide-y divide-line">
        {devices.map((device) => (
          <li key={device.id} className="py-4 md:flex md:items-center">
            <div className="md:flex-1">
              <p className="break-words font-semibold">{device.name}</p>
              <p className="text-sm text-muted">{device.since}</p>
            </div>
            <Form method="post" action={here} className="mt-2 md:mt-0">
              <input type="hidden" name="device" value={device.id} />
              <Button type="submit" name="intent" value="revoke" variant="secondary">
                {device.remove}
              </Button>
            </Form>
          </li>
        ))}
      </ul>
      <Form method="post" action={here} className="mt-2">
        <LinkButton type="submit" name="intent" value="revoke-all">
          {removeAll}
        </LinkButton>
      </Form>
    </>
  );
}
