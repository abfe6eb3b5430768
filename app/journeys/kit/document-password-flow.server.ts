import { z } from "zod";
import { defineCodeFlow } from "~/visit/flow.server";

/** Creating or changing a document password. `documentId`: the document that could not be downloaded without one. */
export const newDocumentPassword = defineCodeFlow("document-password", "/cp/profile", {
  documentId: z.string().optional(),
});
