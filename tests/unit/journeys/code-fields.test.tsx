import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { AppCodeField, RecoveryCodeField, SmsCodeField } from "~/journeys/kit/proof-fields";
import { attributeOf } from "../ui/markup";

const field = { id: "code", name: "authorizationCode", label: "Kod" };
const sms = { field, formId: "sign-in", isSent: true, isStopped: false, hasFocus: false };

const FIELDS = [
  { of: "by SMS", shown: () => <SmsCodeField {...sms} />, fill: "one-time-code", keys: "numeric" },
  { of: "of an app", shown: () => <AppCodeField field={field} />, fill: "one-time-code", keys: "numeric" },
  // No message brings it.
  { of: "of recovery", shown: () => <RecoveryCodeField field={field} />, fill: "off", keys: undefined },
];

it.each(FIELDS)(
  "[C-32] the field for a code $of says what a browser may fill in",
  ({ shown, fill, keys }) => {
    const markup = renderToStaticMarkup(shown());
    expect(attributeOf(markup, "input", "autoComplete")).toBe(fill);
    expect(attributeOf(markup, "input", "inputMode")).toBe(keys);
  },
);
