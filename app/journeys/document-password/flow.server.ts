import { defineCodeFlow } from "~/visit/flow.server";

/** Creating or changing a document password. */
export const newDocumentPassword = defineCodeFlow("document-password", "/cp/profile", {});
