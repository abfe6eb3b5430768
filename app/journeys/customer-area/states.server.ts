import { statesOf } from "~/gallery/screen-state.server";
import { PROFILE, WITH_DOCUMENT_PASSWORD } from "~/gallery/scripted-backend.server";
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
        {
          policyNo: "POL-12345678901234567890",
          name: "Ubezpieczenie odpowiedzialności cywilnej posiadaczy pojazdów mechanicznych wraz z autocasco i pomocą w drodze",
          validFrom: "2026-01-01",
          validTo: "2026-12-31",
        },
      ],
    },
  },
};

/** The states of `/cp`, `/cp/profile` and `/cp/contact`. */
export const CUSTOMER_AREA_STATES = [
  ...statesOf(
    "policies",
    { path: "/cp", session },
    {
      none: { answers: { policies: { status: 200, body: { policies: [] } } } },
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
