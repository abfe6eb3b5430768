import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { answerDocumentPassword, DocumentPasswordScreen, loadDocumentPassword } from "./document-password";

export function loader(args: LoaderFunctionArgs) {
  return loadDocumentPassword(args, "create");
}

export function action(args: ActionFunctionArgs) {
  return answerDocumentPassword(args, "create");
}

export default function CreateDocumentPassword() {
  const screen = useLoaderData<typeof loader>();
  return <DocumentPasswordScreen {...screen} mode="create" refused={useActionData<typeof action>()} />;
}
