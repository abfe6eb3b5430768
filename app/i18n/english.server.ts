import common from "../../locales/en/common.json";
import cookies from "../../locales/en/cookies.json";
import cp from "../../locales/en/cp.json";
import documentPassword from "../../locales/en/documentPassword.json";
import errors from "../../locales/en/errors.json";
import layout from "../../locales/en/layout.json";
import signIn from "../../locales/en/signIn.json";
import signOut from "../../locales/en/signOut.json";
import signInCode from "../../locales/en/signInCode.json";
import password from "../../locales/en/password.json";
import register from "../../locales/en/register.json";
import service from "../../locales/en/service.json";
import username from "../../locales/en/username.json";
import validation from "../../locales/en/validation.json";

/** The same texts in English. Text messages are Polish only: a backend has no word of who reads which language. */
export const english = {
  common,
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
  username,
  validation,
};
