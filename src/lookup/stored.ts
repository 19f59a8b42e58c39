/** Lookups as versions before facts stored them: one bag of ages for all parts. Read at the edge, never written. */
import { z } from 'zod';

const optionalTime = z.number().optional();

const storedShape = z.looseObject({
  askedAt: z.number(),
  findings: z.array(z.looseObject({ kind: z.string(), copiedAt: optionalTime, why: z.unknown().optional() })),
  history: z.looseObject({ kind: z.string(), more: z.boolean().optional(), why: z.unknown().optional() }),
  listFailed: z.unknown().optional(),
  gatesFailed: z.unknown().optional(),
  lists: z.object({ databases: optionalTime, services: optionalTime }).optional(),
  asOf: z
    .looseObject({
      values: optionalTime,
      absent: optionalTime,
      scans: optionalTime,
      fullAt: optionalTime,
      scanDays: optionalTime,
      unchecked: z.boolean().optional(),
      why: z.unknown().optional(),
      doubtful: z.boolean().optional(),
      greenMs: z.number().default(900_000),
      copying: z.unknown().optional(),
    })
    .optional(),
});

/** The stored lookup with each fact's own age; one that has them already stays as it is. */
export function withFacts(stored: unknown): unknown {
  const read = storedShape.safeParse(stored);
  if (!read.success || 'at' in read.data.history) {
    return stored;
  }
  const { asOf, listFailed, gatesFailed, lists, ...lookup } = read.data;
  const { askedAt, findings, history } = lookup;
  const failure = asOf?.unchecked ? (asOf.why ?? { code: 'account.unreachable' }) : undefined;
  const isWholeHistory = !history.more && asOf?.scanDays === undefined;
  const isHeld = findings.some(({ kind }) => kind === 'known');
  const factOf = (at: number | undefined, why: unknown, whole = true) => ({
    at: at ?? askedAt,
    whole,
    source: asOf ? 'copy' : 'account',
    ...(why === undefined ? {} : { failure: why }),
  });
  const listOf = (at: number | undefined, why: unknown) =>
    at === undefined && why === undefined ? undefined : { ...factOf(at, why, why === undefined), source: 'account' };
  return {
    ...lookup,
    findings: findings.map(({ copiedAt, why, ...finding }) => {
      const isKnown = finding.kind === 'known';
      const kind = finding.kind === 'unknown' && !isHeld && failure ? 'failed' : finding.kind;
      const at = copiedAt ?? (isKnown || !isHeld ? asOf?.values : asOf?.absent);
      const isWhole = isKnown ? !asOf?.doubtful : at === undefined;
      return {
        ...finding,
        kind,
        ...factOf(at, finding.kind === 'failed' ? why : failure, isWhole),
        source: (isKnown && asOf) || copiedAt !== undefined ? 'copy' : 'account',
      };
    }),
    history: {
      ...history,
      ...factOf(asOf?.scans, history.kind === 'failed' ? history.why : failure, isWholeHistory),
      days: asOf?.scanDays,
      fullAt: asOf?.fullAt,
    },
    lists: {
      databases: listOf(lists?.databases, findings.length === 0 ? listFailed : undefined),
      services: listOf(lists?.services, gatesFailed),
    },
    greenMs: asOf?.greenMs,
    copying: asOf?.copying,
  };
}
