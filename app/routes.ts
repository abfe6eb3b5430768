import { index, layout, prefix, route, type RouteConfig } from "@remix-run/route-config";

const DOCUMENT_PASSWORD = "journeys/document-password/document-password.tsx";

/** Every address of the portal except the API, which `server/listener.ts` answers, and the file that answers it. */
export default [
  index("routes/to-start.ts", { id: "start" }),

  ...prefix("home", [
    index("journeys/sign-in/login.tsx"),
    route("register", "journeys/register/register.tsx"),
    route("set-password", "journeys/register/set-password.tsx"),
    route("reset-password-init", "journeys/reset-password/reset-password-init.tsx"),
    route("reset-password-submit", "journeys/reset-password/reset-password-submit.tsx"),
    route("remind-login-init", "journeys/remind-username/remind-login-init.tsx"),
    route("remind-login-submit", "journeys/remind-username/remind-login-submit.tsx"),
    route("remind-login-final", "journeys/remind-username/remind-login-final.tsx"),
    route("logout", "journeys/logout/logout.tsx"),
    route("cookies", "journeys/consent/cookies.tsx"),
    route("accessibility", "journeys/accessibility/accessibility.tsx"),
    route("passkey-question", "journeys/sign-in/passkey-question.ts"),
    route("*", "routes/to-start.ts", { id: "unknown-screen" }),
  ]),

  // Screens that belong to a session, pending or active.
  layout("shell/session-layout.tsx", [
    ...prefix("home", [
      route("mfa", "journeys/sign-in/mfa.tsx"),
      route("switch-account", "journeys/sign-in/switch-account.tsx"),
      route("confirm-login", "journeys/change-username/confirm-login.tsx"),
      route("change-password", "journeys/change-password/change-password.tsx"),
      route("change-login", "journeys/change-username/change-login.tsx"),
      route("create-document-password", DOCUMENT_PASSWORD, { id: "create-document-password" }),
      route("change-document-password", DOCUMENT_PASSWORD, { id: "change-document-password" }),
      route("add-app", "journeys/factors/add-app.tsx"),
      route("add-passkey", "journeys/factors/add-passkey.tsx"),
      route("recovery-code", "journeys/factors/recovery-code.tsx"),
      route("remove-factor", "journeys/factors/remove-factor.tsx"),
      route("keep-phone", "journeys/factors/keep-phone.tsx"),
      route("sms-at-sign-in", "journeys/factors/sms-at-sign-in.tsx"),
    ]),
    ...prefix("cp", [
      index("journeys/customer-area/policies.tsx"),
      route("policy/:id", "journeys/customer-area/policy.tsx"),
      route("policy/:id/payment", "journeys/customer-area/payment.tsx"),
      route("policy/:id/code.png", "journeys/customer-area/transfer-picture.ts"),
      route("policy/:id/calendar.ics", "journeys/customer-area/calendar.ts"),
      route("policy/:id/proof", "journeys/customer-area/proof-of-cover.tsx"),
      route("document/:id", "journeys/customer-area/document.ts"),
      route("profile", "journeys/customer-area/profile.tsx"),
      route("not-me", "journeys/customer-area/not-me.tsx"),
      route("contact", "journeys/customer-area/contact.tsx"),
    ]),
  ]),

  route(".well-known/change-password", "routes/well-known/change-password.ts"),
  route(".well-known/security.txt", "routes/well-known/security-txt.ts"),
  route("language/:code", "routes/language.ts"),
  route("service", "journeys/service/service.tsx"),
  route("demo/sms", "demo/sms.tsx"),
  route("demo/sms.json", "demo/sms-json.ts"),
  route("demo/gallery", "demo/gallery.tsx"),
  route("demo/gallery/*", "demo/gallery-screen.ts"),
  route("healthz", "routes/ops/healthz.ts"),
  route("readyz", "routes/ops/readyz.ts"),
  route("refused/:status", "routes/ops/rejected.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
