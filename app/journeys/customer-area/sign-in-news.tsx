import { Form } from "react-router-dom";
import { Button, ButtonLink } from "~/ui/button";
import { Triangle } from "~/ui/icons";
import { PlainLink } from "~/ui/text-link";
import { NOT_ME } from "./profile-activity";
import { PROFILE } from "./profile-address";
import type { signInNews } from "./sign-in-news.server";

type News = NonNullable<ReturnType<typeof signInNews>>;

/** The button that puts the news away, and the field that says where they were shown. */
export const NEWS_SEEN = { intent: "news-seen", field: "shownOn" } as const;

/**
 * New devices and refused tries since the last sign-in: a link for customers who don't recognise them, and a button for
 * those who do.
 */
export function SignInNews({
  header,
  lines,
  notMe,
  me,
  activity,
  activityHref,
  here,
}: News & { readonly here: string }) {
  return (
    <section className="mt-6 flex rounded-card border border-accent bg-accent-tint p-5 sm:p-6 tight:block tight:p-2">
      <Triangle className="mr-3 mt-0.5 h-6 w-6 flex-none text-accent-text" />
      <div className="min-w-0 flex-1">
        <h2 className="text-lg">{header}</h2>
        <ul className="mt-2 space-y-1">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <div className="mt-3 sm:flex sm:items-center">
          <Form method="post" action={PROFILE} className="flex items-center">
            <input type="hidden" name={NEWS_SEEN.field} value={here} />
            <ButtonLink to={NOT_ME} variant="secondary" wide={false}>
              {notMe}
            </ButtonLink>
            <span className="mr-3" />
            <Button type="submit" name="intent" value={NEWS_SEEN.intent} variant="secondary" wide={false}>
              {me}
            </Button>
          </Form>
          <p className="sm:ml-5">
            <PlainLink href={activityHref}>{activity}</PlainLink>
          </p>
        </div>
      </div>
    </section>
  );
}
