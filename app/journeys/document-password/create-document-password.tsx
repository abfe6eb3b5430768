import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { DocumentPasswordScreen } from "./document-password-screen";
import { answerDocumentPassword, loadDocumentPassword } from "./document-password-step";

export function loader(args: LoaderFunctionArgs) {
  return loadDocumentPassword(args, "create");
}

export function action(args: ActionFunctionArgs) {
  return answerDocumentPassword(args, "create");
}

export default function CreateDocumentPassword() {
  const { title: _title, ...screen } = useLoaderData<typeof loader>();
  return <DocumentPasswordScreen {...screen} refused={useActionData<typeof action>()} />;
}
