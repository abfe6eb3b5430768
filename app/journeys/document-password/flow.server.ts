import { defineCodeFlow } from "~/visit/flow.server";

/** A document password that is being created or changed. */
export const newDocumentPassword = defineCodeFlow("document-password", "/cp/profile", {});
