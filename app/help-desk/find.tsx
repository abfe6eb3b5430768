import { PageHeading } from "~/ui/page-layout";
import type { StaffScreen } from "./screen";

/** Finds a customer. */
export const findScreen: StaffScreen = {
  path: "/help-desk",
  role: "look",
  get: ({ t }) =>
    Promise.resolve({
      title: t("helpDesk:find.title"),
      body: (
        <div className="page-grid flex-1 py-6 md:py-10">
          <PageHeading header={t("helpDesk:find.header")} />
        </div>
      ),
    }),
};
