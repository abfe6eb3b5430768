import type { Announced } from "~/contract/announcements.server";
import {
  KEY_NUMBER,
  NOT_PERSONAL,
  notPersonal,
  number,
  ONE_WAY,
  type Registered,
  leftOut,
} from "./registry-entry.server";

const OF_NO_PERSON = { of: "no person", as: null, kept: () => "as long as the database" } as const;

/** The part of the registry about the installation: no row is about a person. */
export const INSTALLATION_TABLES = {
  /** Facts about the installation as a whole, one per row. */
  facts: {
    ...OF_NO_PERSON,
    about: "what the installation remembers about itself",
    erasure: { keeps: "nothing in it is about a person" },
    // The key check's sentences are sealed once with each key that is needed, so no count needs them.
    columns: {
      name: NOT_PERSONAL,
      value: NOT_PERSONAL,
    },
  },
  /** Each seal vouches for the events up to its last one, and for all seals before it. */
  audit_seals: {
    ...OF_NO_PERSON,
    about: "hashes over the events of many people",
    erasure: { keeps: "the hashes still vouch for the other events" },
    columns: {
      /** 1, 2, 3 … */
      no: number(NOT_PERSONAL),
      /** The `seq` of the last event; the first follows the seal before. */
      through_seq: number(NOT_PERSONAL),
      events: number(NOT_PERSONAL),
      events_hash: NOT_PERSONAL,
      /** A hash over this seal and all before it. */
      chain_hash: NOT_PERSONAL,
      key_version: KEY_NUMBER,
      seal_mac: leftOut(ONE_WAY),
      sealed_at: number(NOT_PERSONAL),
    },
  },
  /** Months of events that are in files now. */
  audit_archives: {
    ...OF_NO_PERSON,
    about: "which months are in files; it names no one",
    remark: () => "the files until the operator deletes them",
    erasure: { keeps: "the files that it names are rewritten without the person" },
    columns: {
      /** `2026-11`, UTC. */
      month: NOT_PERSONAL,
      file: NOT_PERSONAL,
      events: number(NOT_PERSONAL),
      /** The largest `seq` in the file. */
      through_seq: number(NOT_PERSONAL),
      file_sha256: NOT_PERSONAL,
      key_version: KEY_NUMBER,
      archive_mac: leftOut(ONE_WAY),
      archived_at: number(NOT_PERSONAL),
    },
  },
  /** Announcements of operators to all customers: at most one row of each kind. */
  announcements: {
    ...OF_NO_PERSON,
    about: "what operators tell all customers",
    kept: () => "until it ends, or is taken back",
    expires: true,
    erasure: { keeps: "nothing in it is about a person" },
    columns: {
      kind: notPersonal<keyof Announced>(),
      /** Empty for maintenance, as the other one. */
      text_pl: NOT_PERSONAL,
      text_en: NOT_PERSONAL,
      ends_at: number(NOT_PERSONAL),
    },
  },
  /** When each job that runs beside the portals last succeeded. */
  job_successes: {
    ...OF_NO_PERSON,
    about: "when each job last succeeded",
    erasure: { keeps: "nothing in it is about a person" },
    columns: {
      job: notPersonal<"purge" | "backup" | "import" | "follow">(),
      succeeded_at: number(NOT_PERSONAL),
    },
  },
  /** Portals that share the database, by machine and port: how far each clock is ahead of the database's, and since when. */
  portal_clocks: {
    ...OF_NO_PERSON,
    about: "the portals and their clocks",
    kept: () => "a day after the portal has stopped",
    expires: true,
    erasure: { keeps: "nothing in it is about a person" },
    columns: {
      portal: NOT_PERSONAL,
      ahead_ms: number(NOT_PERSONAL),
      seen_at: number(NOT_PERSONAL),
    },
  },
} satisfies Readonly<Record<string, Registered>>;
