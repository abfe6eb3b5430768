import { Form } from "react-router-dom";
import { Button } from "~/ui/button";
import { Folded } from "~/ui/disclosure";
import { StateBadge } from "~/ui/policy-card";
import { LinkButton } from "~/ui/text-link";

/** A trusted device, or a device on which the customer is signed in, formatted for display. */
export interface DeviceRow {
  readonly id: string;
  readonly name: string;
  /** Its name in its button: with a date if another row has the same name (F45). */
  readonly nameInButton: string;
  /** Whether the customer is using it now. */
  readonly isThis: boolean;
  readonly facts: readonly string[];
}

/** A list of devices. If it is long, most rows are folded away. */
export interface DeviceRows {
  readonly open: readonly DeviceRow[];
  readonly folded: readonly DeviceRow[];
  readonly foldedTitle: string;
  /** Says how many rows there are, if not all are shown. */
  readonly partly: string | undefined;
}

/** The buttons of a list, and the field that names a row. */
interface DeviceButtons {
  readonly field: "device" | "session";
  readonly one: { readonly intent: string; readonly text: string };
  readonly all: { readonly intent: string; readonly text: string } | undefined;
  /** Whether this device has a button, too. */
  readonly forThis: boolean;
}

interface DeviceListProps {
  readonly rows: DeviceRows;
  readonly buttons: DeviceButtons;
  readonly thisDevice: string;
  readonly here: string;
}

/** Devices, each with its button, and one button for all of them. */
export function DeviceList(props: DeviceListProps) {
  const { rows, buttons, here } = props;
  return (
    <>
      <Rows {...props} rows={rows.open} />
      {rows.folded.length > 0 && (
        <Folded summary={rows.foldedTitle}>
          <Rows {...props} rows={rows.folded} />
        </Folded>
      )}
      {rows.partly !== undefined && <p className="text-sm text-muted">{rows.partly}</p>}
      {buttons.all && (
        <Form method="post" action={here} className="-mb-2 mt-1">
          <LinkButton type="submit" name="intent" value={buttons.all.intent}>
            {buttons.all.text}
          </LinkButton>
        </Form>
      )}
    </>
  );
}

type RowsProps = Omit<DeviceListProps, "rows"> & { readonly rows: readonly DeviceRow[] };

function Rows({ rows, ...shared }: RowsProps) {
  return (
    <ul className="divide-y divide-line">
      {rows.map((row) => (
        <Row key={row.id} row={row} {...shared} />
      ))}
    </ul>
  );
}

function Row({ row, buttons, thisDevice, here }: Omit<RowsProps, "rows"> & { readonly row: DeviceRow }) {
  return (
    <li className="py-4 sm:flex sm:items-center">
      <div className="min-w-0 sm:flex-1 sm:pr-4">
        <div className="sm:flex flex-wrap sm:items-center">
          <p className="min-w-0 break-words font-semibold sm:mr-3">{row.name}</p>
          {row.isThis && <StateBadge text={thisDevice} tone="good" />}
        </div>
        {row.facts.map((fact) => (
          <p key={fact} className="mt-1 text-sm text-muted">
            {fact}
          </p>
        ))}
      </div>
      {(buttons.forThis || !row.isThis) && (
        <Form method="post" action={here} className="mt-3 sm:mt-0 sm:flex-none">
          <input type="hidden" name={buttons.field} value={row.id} />
          <Button type="submit" name="intent" value={buttons.one.intent} variant="secondary" wide={false}>
            {buttons.one.text} <span className="sr-only">{row.nameInButton}</span>
          </Button>
        </Form>
      )}
    </li>
  );
}
