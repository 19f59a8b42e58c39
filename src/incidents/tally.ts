/** The tally of an incident's scans, by result code and service. It is stored as JSON. Pure. */
import { z } from 'zod';

export const tallySchema = z.object({
  findings: z.record(z.string(), z.number()).default({}),
  /** How many scans each service had, by its id. */
  services: z.record(z.string(), z.number()).default({}),
});
export type IncidentTally = z.output<typeof tallySchema>;

/** A stored tally; an unreadable one is empty, since scans must not be refused for it. */
export function readTally(text: string): IncidentTally {
  try {
    return tallySchema.parse(JSON.parse(text));
  } catch {
    return emptyTally;
  }
}

export interface TalliedScan {
  readonly sid?: string | null | undefined;
  readonly finding: string;
}

export const emptyTally: IncidentTally = { findings: {}, services: {} };

/** The most services that are counted one by one: senders may post any service id. */
const mostServices = 30;

export function addToTally(tally: IncidentTally, scans: readonly TalliedScan[]): IncidentTally {
  const findings = { ...tally.findings };
  const services = { ...tally.services };
  for (const { sid, finding } of scans) {
    findings[finding] = (findings[finding] ?? 0) + 1;
    if (typeof sid === 'string' && (Object.hasOwn(services, sid) || Object.keys(services).length < mostServices)) {
      services[sid] = (services[sid] ?? 0) + 1;
    }
  }
  return { findings, services };
}
