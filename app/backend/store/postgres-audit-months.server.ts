/** The milliseconds since 1970 of a moment in SQL. */
const ms = (moment: string) => `(extract(epoch from ${moment}) * 1000)::bigint`;

/**
 * Cuts the audit into a partition per month, so that old months can be dropped at once. The events there are stay where
 * they are: their table becomes the partition of all months until now. They are not numbered one by one, which would
 * rewrite the table; they keep the order of their ids.
 */
export const PARTITIONED_AUDIT: readonly string[] = [
  "create sequence audit_events_seq",
  "alter table audit_events add column seq bigint not null default 0",
  "alter table audit_events drop constraint audit_events_pkey",
  "alter table audit_events rename to audit_events_before",
  "alter index by_audit_events_account_id_event_happened_at rename to by_audit_events_before_account_id",
  "create index by_audit_events_before_seq on audit_events_before (seq, id)",
  `create table audit_events (like audit_events_before) partition by range (happened_at)`,
  "alter table audit_events alter column seq set default nextval('audit_events_seq')",
  "alter table audit_events alter column device_name set default ''",
  "alter sequence audit_events_seq owned by audit_events.seq",
  "create index by_audit_events_account_id_event_happened_at on audit_events (account_id, event, happened_at)",
  "create index by_audit_events_seq on audit_events (seq, id)",
  `do $$ begin execute format(
    'alter table audit_events attach partition audit_events_before for values from (minvalue) to (%s)',
    ${ms("date_trunc('month', now() at time zone 'UTC') + interval '1 month'")});
  end $$`,
  "create table audit_events_other partition of audit_events default",
];
