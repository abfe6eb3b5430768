import common from "../../locales/pl/common.json";
import confirmation from "../../locales/pl/confirmation.json";
import cookies from "../../locales/pl/cookies.json";
import cp from "../../locales/pl/cp.json";
import documentPassword from "../../locales/pl/documentPassword.json";
import errors from "../../locales/pl/errors.json";
import layout from "../../locales/pl/layout.json";
import signIn from "../../locales/pl/signIn.json";
import signOut from "../../locales/pl/signOut.json";
import signInCode from "../../locales/pl/signInCode.json";
import password from "../../locales/pl/password.json";
import register from "../../locales/pl/register.json";
import service from "../../locales/pl/service.json";
import sms from "../../locales/pl/sms.json";
import username from "../../locales/pl/username.json";
import validation from "../../locales/pl/validation.json";

/** All Polish texts, by namespace. Each namespace is a file in `locales/pl`. */
export const polish = {
  common,
  confirmation,
  cookies,
  cp,
  documentPassword,
  errors,
  layout,
  signIn,
  signOut,
  signInCode,
  password,
  register,
  service,
  sms,
  username,
  validation,
};
