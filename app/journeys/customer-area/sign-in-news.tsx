import { ButtonLink } from "~/ui/button";
import { Triangle } from "~/ui/icons";
import { PlainLink } from "~/ui/text-link";
import { NOT_ME } from "./profile-activity";
import type { signInNews } from "./sign-in-news.server";

type News = NonNullable<ReturnType<typeof signInNews>>;

/** New devices and refused tries since the last sign-in, and a link for customers who don't recognise them. */
export function SignInNews({ header, lines, notMe, activity, activityHref }: News) {
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
          <p className="sm:mr-5">
            <ButtonLink to={NOT_ME} variant="secondary" wide={false}>
              {notMe}
            </ButtonLink>
          </p>
          <p>
            <PlainLink href={activityHref}>{activity}</PlainLink>
          </p>
        </div>
      </div>
    </section>
  );
}
