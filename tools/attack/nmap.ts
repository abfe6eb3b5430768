import { writeFileSync } from "node:fs";
import type { Aim } from "./known-tools";
import { readNmap, scriptsIn } from "./nmap-report";

/** If one of these printed nothing, nmap didn't understand what it looked at. */
const MUST_ANSWER = ["http-headers", "ssl-enum-ciphers"];

/** nmap's scripts for HTTP and TLS on both ports of nginx. */
export const NMAP_AIM: Aim = {
  attack: "nmap scripts",
  open: ({ topology: { port, httpPort }, file }) => {
    const services = `${file}.services`;
    // nmap stops at an answer in plain text, which nginx gives on its TLS port, too; so the ports are named to it, and
    // it scans exactly these.
    writeFileSync(services, `https\t${port}/tcp\t1\nhttp\t${httpPort}/tcp\t1\n`);
    return Promise.resolve({ args: ["--servicedb", services], judge });
  },
};

function judge(report: string) {
  const answered = new Set(scriptsIn(report).map(({ id }) => id));
  const silent = MUST_ANSWER.filter((id) => !answered.has(id));
  return {
    findings: readNmap(report),
    notes: [`scripts that had something to say: ${[...answered].join(", ")}`],
    ...(silent.length > 0 && {
      notReached: `${silent.join(" and ")} said nothing: nmap did not get through`,
    }),
  };
}
