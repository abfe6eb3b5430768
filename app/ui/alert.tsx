import type { ReactNode } from "react";
import { useTexts } from "~/i18n/use-texts";
import { CheckCircle, CrossCircle, InfoCircle, Triangle } from "./icons";

/** The kind of an alert. */
type AlertKind = "error" | "warning" | "success" | "info";

const KINDS = {
  error: { look: "border-danger bg-danger-tint", icon: CrossCircle, tint: "text-danger" },
  warning: { look: "border-accent bg-accent-tint", icon: Triangle, tint: "text-accent-text" },
  success: { look: "border-success bg-success-tint", icon: CheckCircle, tint: "text-success" },
  info: { look: "border-info bg-info-tint", icon: InfoCircle, tint: "text-info" },
} as const;

/** A message above the content: bar, icon, text. Screen readers announce it politely; errors use `ErrorSummary`. */
export function Alert({ kind, children }: { readonly kind: AlertKind; readonly children: ReactNode }) {
  const t = useTexts();
  const { look, icon: Icon, tint } = KINDS[kind];
  return (
    <div role="status" className={`flex rounded-control border-l-4 p-4 tight:block tight:p-2 ${look}`}>
      <Icon className={`mr-3 h-6 w-6 flex-none ${tint}`} />
      <div className="min-w-0">
        <span className="sr-only">{t(`common:a11y.${kind}`)}: </span>
        {children}
      </div>
    </div>
  );
}
