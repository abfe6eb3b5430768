import { statesOf } from "~/gallery/screen-state.server";
import { policy, PROFILE, WITH_DOCUMENT_PASSWORD } from "~/gallery/scripted-backend.server";
import { inFlow } from "~/visit/flow.server";
import { noticeFlow } from "~/visit/notice.server";
import { DEVICE_REMOVED } from "./notices.server";

const session = "active";
const LONG = "Konstantynopolitańczykowianeczka-Brzęczyszczykiewicz";
const longNames = {
  userInfo: {
    status: 200,
    body: { name: `Maria Magdalena ${LONG}`, username: `maria.magdalena.${LONG.slice(0, 34)}` },
  },
  policies: {
    status: 200,
    body: {
      policies: [
        policy(
          "POL-12345678901234567890",
          "Ubezpieczenie odpowiedzialności cywilnej posiadaczy pojazdów mechanicznych wraz z autocasco i pomocą w drodze",
          { from: -100, to: 264 },
        ),
      ],
    },
  },
};

/** One in each state, and one on the last day of its cover. */
const EACH_STATE = [
  policy("POL-500001", "Mieszkanie", { from: -100, to: 264 }),
  policy("POL-500002", "Samochód – OC i AC", { from: -350, to: 14 }),
  policy("POL-500003", "Podróż", { from: -10, to: 0 }),
  policy("POL-500004", "Dom w budowie", { from: 20, to: 384 }),
  policy("POL-500005", "Rower", { from: -500, to: -136 }),
];
const FORTY = Array.from({ length: 40 }, (_, nth) =>
  policy(`POL-6${String(nth).padStart(5, "0")}`, `Mieszkanie ${nth + 1}`, {
    from: nth * 20 - 600,
    to: nth * 20 - 236,
  }),
);
const having = (policies: readonly object[]) => ({ policies: { status: 200, body: { policies } } });

/** The states of `/cp`, `/cp/profile` and `/cp/contact`. */
export const CUSTOMER_AREA_STATES = [
  ...statesOf(
    "policies",
    { path: "/cp", session },
    {
      none: { answers: having([]) },
      "each-state": { answers: having(EACH_STATE) },
      many: { answers: having(FORTY) },
      found: { path: "/cp?q=mieszkanie+4", answers: having(FORTY) },
      "nothing-found": { path: "/cp?q=samolot", answers: having(FORTY) },
      "long-names": { answers: longNames },
    },
  ),
  ...statesOf(
    "profile",
    { path: "/cp/profile", session },
    {
      "no-devices": { answers: { profile: { status: 200, body: { ...PROFILE, trustedDevices: [] } } } },
      "document-password-created": {
        path: "/cp/profile?document-password-save-result=create",
        answers: WITH_DOCUMENT_PASSWORD,
      },
      "username-changed": { flow: inFlow(noticeFlow, { kind: "success", texts: ["cp:result.username"] }) },
      "device-removed": { flow: inFlow(noticeFlow, DEVICE_REMOVED) },
    },
  ),
  ...statesOf("contact", { path: "/cp/contact", session }),
];
