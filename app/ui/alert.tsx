import type { ReactNode } from "react";
import { CheckCircle, CrossCircle, InfoCircle, Triangle } from "./icons";

/** What an alert is about. */
type AlertKind = "error" | "warning" | "success" | "info";

const KINDS = {
  error: { look: "border-red-600 bg-red-50", icon: CrossCircle, tint: "text-red-600" },
  warning: { look: "border-orange-500 bg-orange-50", icon: Triangle, tint: "text-orange-700" },
  success: { look: "border-green-600 bg-green-50", icon: CheckCircle, tint: "text-green-600" },
  info: { look: "border-blue-600 bg-blue-50", icon: InfoCircle, tint: "text-blue-600" },
} as const;

/** A message above the content: bar, icon, text. Screen readers announce it politely; errors use `ErrorSummary`. */
export function Alert({
  kind,
  word,
  children,
}: {
  readonly kind: AlertKind;
  readonly word: string;
  readonly children: ReactNode;
}) {
  const { look, icon: Icon, tint } = KINDS[kind];
  return (
    <div role="status" className={`flex border-l-4 p-4 ${look}`}>
      <Icon className={`mr-3 h-6 w-6 flex-none ${tint}`} />
      <div>
        <span className="sr-only">{word}: </span>
        {children}
      </div>
    </div>
  );
}
