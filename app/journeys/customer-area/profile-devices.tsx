import { Form } from "react-router-dom";
import type { CallResponse } from "~/contract/calls.server";
import type { Translate } from "~/i18n/texts.server";
import { dayInPoland, momentInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { Button } from "~/ui/button";
import { Folded } from "~/ui/disclosure";
import { StateBadge } from "~/ui/policy-card";
import { LinkButton } from "~/ui/text-link";
import { readableDeviceName } from "~/visit/browser.server";
import { PROFILE } from "./addresses";

/** The most rows that a list of My Data shows. An insurer's own backend may send any number. */
export const MOST_ROWS = 50;
/** The number of devices in sight; the others are folded away. */
const OPEN_ROWS = 5;

/** A number of devices as text. */
export function countOfDevices(t: Translate, { length: count }: readonly unknown[]): string {
  return count === 0 ? t("cp:profile.sum.none") : t("cp:profile.sum.devices", { count });
}

/** The trusted devices, this one first. */
export function TrustedDevices({ trustedDevices, thisDevice }: CallResponse<"profile">) {
  const t = useTexts();
  const rows = trustedDevices.map(({ id, deviceName, trustedAt, expiresAt }) => ({
    id,
    name: readableDeviceName(t, deviceName),
    isThis: id === thisDevice,
    since: t("cp:profile.deviceSince", { from: dayInPoland(t, trustedAt), to: dayInPoland(t, expiresAt) }),
  }));
  return (
    <>
      <p className="max-w-line">{t("cp:profile.devicesText")}</p>
      {rows.length === 0 ? (
        <p className="mt-4 font-semibold">{t("cp:profile.devicesNone")}</p>
      ) : (
        <DeviceList
          rows={rows}
          buttons={{
            field: "device",
            one: { intent: "revoke", text: t("cp:profile.deviceRemove") },
            all: { intent: "revoke-all", text: t("cp:profile.devicesRemoveAll") },
            forThis: true,
          }}
        />
      )}
    </>
  );
}

/** The devices on which the customer is signed in, this one first. */
export function Sessions({ sessions }: CallResponse<"sessions">) {
  const t = useTexts();
  const rows = sessions.map(({ id, deviceName, startedAt, lastSeenAt, current }) => ({
    id,
    name: readableDeviceName(t, deviceName),
    isThis: current,
    since: t("cp:profile.sessionSince", { moment: momentInPoland(t, startedAt) }),
    // The current session is in use right now.
    seen: current ? undefined : t("cp:profile.sessionSeen", { moment: momentInPoland(t, lastSeenAt) }),
  }));
  return (
    <>
      <p className="max-w-line">{t("cp:profile.sessionsText")}</p>
      <DeviceList
        rows={rows}
        buttons={{
          field: "session",
          one: { intent: "end-session", text: t("cp:profile.sessionEnd") },
          all: sessions.some(({ current }) => !current)
            ? { intent: "end-other-sessions", text: t("cp:profile.sessionsEndOthers") }
            : undefined,
          forThis: false,
        }}
      />
    </>
  );
}

/** A trusted device, or a device on which the customer is signed in. */
interface DeviceRow {
  readonly id: string;
  readonly name: string;
  /** Whether the customer is using it now. */
  readonly isThis: boolean;
  readonly since: string;
  readonly seen?: string | undefined;
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
  readonly rows: readonly DeviceRow[];
  readonly buttons: DeviceButtons;
}

/** Devices, each with its button, and one button for all of them. If there are many, most are folded away. */
function DeviceList({ rows, buttons }: DeviceListProps) {
  const t = useTexts();
  const sorted = [...rows.filter(({ isThis }) => isThis), ...rows.filter(({ isThis }) => !isThis)];
  const shown = sorted.slice(0, MOST_ROWS);
  const folded = shown.slice(OPEN_ROWS);
  const sharesName = (row: DeviceRow) => rows.some(({ id, name }) => id !== row.id && name === row.name);
  const list = (some: readonly DeviceRow[]) => (
    <ul className="divide-y divide-line">
      {some.map((row) => (
        <Row key={row.id} row={row} sharesName={sharesName(row)} buttons={buttons} />
      ))}
    </ul>
  );
  return (
    <>
      {list(shown.slice(0, OPEN_ROWS))}
      {folded.length > 0 && (
        <Folded summary={t("cp:profile.more", { number: folded.length })}>{list(folded)}</Folded>
      )}
      {rows.length > shown.length && (
        <p className="text-sm text-muted">
          {t("cp:profile.partly", { shown: shown.length, all: rows.length })}
        </p>
      )}
      {buttons.all && (
        <Form method="post" action={PROFILE} className="-mb-2 mt-1">
          <LinkButton type="submit" name="intent" value={buttons.all.intent}>
            {buttons.all.text}
          </LinkButton>
        </Form>
      )}
    </>
  );
}

/** @param sharesName whether another row has the same name: then its button says the dates, too (F45) */
function Row({
  row: { id, name, isThis, since, seen },
  sharesName,
  buttons,
}: {
  readonly row: DeviceRow;
  readonly sharesName: boolean;
  readonly buttons: DeviceButtons;
}) {
  const t = useTexts();
  return (
    <li className="py-4 sm:flex sm:items-center">
      <div className="min-w-0 sm:flex-1 sm:pr-4">
        <div className="sm:flex flex-wrap sm:items-center">
          <p className="min-w-0 break-words font-semibold sm:mr-3">{name}</p>
          {isThis && <StateBadge text={t("cp:profile.thisDevice")} tone="good" />}
        </div>
        <p className="mt-1 text-sm text-muted">{since}</p>
        {seen !== undefined && <p className="mt-1 text-sm text-muted">{seen}</p>}
      </div>
      {(buttons.forThis || !isThis) && (
        <Form method="post" action={PROFILE} className="mt-3 sm:mt-0 sm:flex-none">
          <input type="hidden" name={buttons.field} value={id} />
          <Button type="submit" name="intent" value={buttons.one.intent} variant="secondary" wide={false}>
            {buttons.one.text}
            <span className="sr-only">
              : {t("cp:profile.ofDevice", { name: sharesName ? `${name}. ${since}` : name })}
            </span>
          </Button>
        </Form>
      )}
    </li>
  );
}
