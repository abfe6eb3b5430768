import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { answerDocumentPassword, DocumentPasswordScreen, loadDocumentPassword } from "./document-password";

export function loader(args: LoaderFunctionArgs) {
  return loadDocumentPassword(args, "change");
}

export function action(args: ActionFunctionArgs) {
  return answerDocumentPassword(args, "change");
}

export default function ChangeDocumentPassword() {
  const screen = useLoaderData<typeof loader>();
  return <DocumentPasswordScreen {...screen} mode="change" refused={useActionData<typeof action>()} />;
}
