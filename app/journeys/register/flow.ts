import { defineCodeFlow, remembering } from "~/visit/flow.server";
import { registerForm } from "./forms";

/** A registration, between its two screens. */
export const registration = defineCodeFlow("register", "/home/register", remembering(registerForm.kept));
