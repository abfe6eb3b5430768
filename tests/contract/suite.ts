import { afterAll, beforeAll, describe } from "vitest";
import { activityPromises } from "./activity";
import { codeMatrixPromises } from "./code-matrix";
import { codePromises } from "./codes";
import { customerAreaPromises } from "./customer-area";
import { deviceTokenPromises } from "./device-tokens";
import { documentPromises } from "./documents";
import { emptyFieldPromises } from "./empty-fields";
import { factorPromises } from "./factors";
import { openSessionPromises } from "./open-sessions";
import { PART_NAMES, type PartName } from "./part-names";
import { passkeyPromises } from "./passkeys";
import { passwordPromises } from "./passwords";
import { policyPromises } from "./policies";
import { profilePromises } from "./profile";
import { provenChangePromises } from "./proven-changes";
import { registeredCustomerPromises } from "./registered-customers";
import { registrationPromises } from "./registration";
import { sentToPromises } from "./sent-to";
import { signInPromises } from "./sign-in";
import { signOutPromises } from "./sign-out";
import { strangerPromises } from "./strangers";
import { transportPromises } from "./transport";
import { usernamePromises } from "./usernames";
import type { Way } from "./way";

/** Registers the tests for one part of the contract, which every backend must pass. */
export type Promises = (way: () => Way) => void;

const PARTS: Readonly<Record<PartName, Promises>> = {
  "every call": transportPromises,
  "signing in": signInPromises,
  "signing out": signOutPromises,
  "empty fields": emptyFieldPromises,
  "one-time codes": codePromises,
  "one-time codes anywhere else": codeMatrixPromises,
  "where a code went": sentToPromises,
  registering: registrationPromises,
  "who is registered": registeredCustomerPromises,
  passwords: passwordPromises,
  usernames: usernamePromises,
  "the customer area": customerAreaPromises,
  "where a customer is signed in": openSessionPromises,
  "second factors": factorPromises,
  passkeys: passkeyPromises,
  "changes by second factors": provenChangePromises,
  "what My Data says": profilePromises,
  "what happened to an account": activityPromises,
  "a trusted device's cookie": deviceTokenPromises,
  "whose policies they are": policyPromises,
  "policies and documents": documentPromises,
  strangers: strangerPromises,
};

/**
 * The backend contract as a test suite: every backend's promises to the portal, however the portal reaches it.
 * Each part starts with fresh demo data.
 * @param isAsked whether to ask for this part; all of them by default
 */
export function contractSuite(
  name: string,
  openWay: (part: PartName) => Promise<Way>,
  isAsked: (part: PartName) => boolean = () => true,
): void {
  describe(`the backend contract, ${name}`, () => {
    for (const part of PART_NAMES.filter(isAsked)) {
      describe(part, () => {
        let way: Way;
        beforeAll(async () => {
          way = await openWay(part);
        });
        afterAll(() => way.close());
        PARTS[part](() => way);
      });
    }
  });
}
