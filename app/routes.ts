import { index, layout, prefix, route, type RouteConfig } from "@remix-run/route-config";

/** Every address of the portal, and the file that answers it. */
export default [
  index("routes/start.ts"),

  ...prefix("home", [
    index("routes/home/login.tsx"),
    route("register", "routes/home/register.tsx"),
    route("set-password", "routes/home/set-password.tsx"),
    route("reset-password-init", "routes/home/reset-password-init.tsx"),
    route("reset-password-submit", "routes/home/reset-password-submit.tsx"),
    route("remind-login-init", "routes/home/remind-login-init.tsx"),
    route("remind-login-submit", "routes/home/remind-login-submit.tsx"),
    route("remind-login-final", "routes/home/remind-login-final.tsx"),
    route("logout", "routes/home/logout.tsx"),
    route("cookies", "routes/home/cookies.tsx"),
    route("api/*", "routes/api/backend.ts", { id: "user-api" }),
    route("*", "routes/home/unknown.ts"),
  ]),

  // Screens that belong to a session, pending or active.
  layout("routes/session.tsx", [
    ...prefix("home", [
      route("mfa", "routes/home/mfa.tsx"),
      route("confirm-login", "routes/home/confirm-login.tsx"),
      route("change-password", "routes/home/change-password.tsx"),
      route("change-login", "routes/home/change-login.tsx"),
      route("create-document-password", "routes/home/create-document-password.tsx"),
      route("change-document-password", "routes/home/change-document-password.tsx"),
    ]),
    ...prefix("cp", [
      index("routes/cp/policies.tsx"),
      route("profile", "routes/cp/profile.tsx"),
      route("contact", "routes/cp/contact.tsx"),
    ]),
  ]),

  ...prefix("cp", [route("api/*", "routes/api/backend.ts", { id: "customer-api" })]),

  route(".well-known/change-password", "routes/well-known/change-password.ts"),
  route("language/:code", "routes/language.ts"),
  route("service", "routes/service.tsx"),
  route("demo/sms", "routes/demo/sms.tsx"),
  route("demo/sms.json", "routes/demo/sms-json.ts"),
  route("demo/gallery", "routes/demo/gallery.tsx"),
  route("demo/gallery/*", "routes/demo/gallery-screen.ts"),
  route("healthz", "routes/ops/healthz.ts"),
  route("readyz", "routes/ops/readyz.ts"),
  route("refused/:status", "routes/ops/refused.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
