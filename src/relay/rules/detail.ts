/**
 * Post detail: rule names, mentions and alarm data as they were when the post was decided, so later rule changes do not
 * matter. It is stored as JSON and parsed with zod; an unreadable part is left out, so that the post is not lost.
 */
import { z } from 'zod';
import { tallySchema } from '../../incidents/tally.js';
import type { Mention } from '../../posts/publisher.js';
import type { OpenDigest } from '../commit/rules.js';
import { type Rule, workflowVariablesSchema } from '../record/settings.js';

const mentionShape = z.object({ users: z.array(z.string()), groups: z.array(z.string()) });

const storedShape = z.object({
  /** The rules that matched. `mention`: whom the rule mentions, unless it rests when the post is sent. */
  rules: z.array(z.object({ id: z.string(), name: z.string(), mention: mentionShape.optional() })).default([]),
  /** Whom the post mentions, in the name of its rules and for its watchers. */
  mention: mentionShape.default({ users: [], groups: [] }),
  watchers: z.array(z.string()).default([]),
  /** Set for a digest: for each watcher, the account's users who made the watched scans. */
  watched: z.array(z.object({ who: z.string(), by: z.string().optional() })).default([]),
  /** Set for a burst: n invalid scans within m minutes. */
  burst: z.object({ n: z.number(), minutes: z.number() }).optional(),
  /** Set for a silence: no scan since then; `id`: the device (udid) or service. */
  silence: z
    .object({
      of: z.enum(['relay', 'device', 'service']),
      id: z.string().optional(),
      minutes: z.number(),
      since: z.number(),
    })
    .optional(),
  /** Set for a reply in an incident's thread: see `incidents/replies.ts`. */
  incident: z
    .object({
      key: z.string(),
      part: z.enum(['opened', 'update', 'over', 'handed_over', 'escalated']),
      scans: z.array(z.string()).default([]),
      figures: z.object({ scans: z.number(), tally: tallySchema }).optional(),
      /** The person who handed the incident over. */
      by: z.string().default(''),
      /** How many minutes nobody acknowledged the incident. */
      minutes: z.number().default(0),
    })
    .optional(),
  /** Set for a digest: why it was made, and since when it collects. */
  digest: z.object({ why: z.enum(['collected', 'quiet', 'behind']), from: z.number() }).optional(),
  /**
   * Set for a mention that comes later, also once its rule collects scans: the posts that it stands for, the first of
   * which it goes under. An older version keeps only that one, so the others are stored beside it.
   */
  under: z.union([z.string().transform((key) => [key]), z.array(z.string())]).default([]),
  alsoUnder: z.array(z.string()).default([]),
  /** The variables that start a workflow. */
  variables: workflowVariablesSchema.optional(),
  /** A thread parent's day, `YYYY-MM-DD` in its rule's zone, or else in UTC. */
  card: z.object({ day: z.string() }).optional(),
});

const detailShape = storedShape.transform(({ alsoUnder, ...detail }) => ({
  ...detail,
  under: [...detail.under, ...alsoUnder],
}));

export type PostDetail = z.output<typeof detailShape>;

/** The detail as JSON; undefined where it would be empty, as in most posts of a relay without rules. */
export function writeDetail(detail: Partial<PostDetail>): string | undefined {
  const [under, ...alsoUnder] = detail.under ?? [];
  const entries = Object.entries({ ...detail, under, alsoUnder }).filter(
    ([, value]) => value !== undefined && !isEmpty(value),
  );
  return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
}

export function readDetail(text: string | undefined): PostDetail {
  try {
    return detailShape.parse(text === undefined ? {} : JSON.parse(text));
  } catch {
    return detailShape.parse({});
  }
}

interface DecidedDetail {
  readonly rules: readonly Rule[];
  readonly mention: Mention;
  readonly watchers: readonly string[];
}

export function detailOf({ rules, mention, watchers }: DecidedDetail): Partial<PostDetail> {
  return {
    rules: rules.map(namedRule),
    mention: { users: [...mention.users], groups: [...mention.groups] },
    watchers: [...watchers],
  };
}

/** The rule as a post's detail names it. */
export function namedRule({ id, name, mention }: Pick<Rule, 'id' | 'name' | 'mention'>): PostDetail['rules'][number] {
  return { id, name, ...(isEmpty(mention) ? {} : { mention }) };
}

/** The most posts that a mention is known to stand for. */
const mostUnder = 100;

/** The detail of an open digest, or of a mention that waits, once it also stands for another post of its rule. */
export function joinDetails(
  { detail: open, collects }: Pick<OpenDigest, 'detail' | 'collects'>,
  added: string,
): string {
  // Both texts begin with the rules and whom they mention.
  const head = (text: string) => text.slice(0, text.lastIndexOf(',"digest"'));
  if (collects && head(open) === head(added) && !added.includes(',"under":')) {
    return open;
  }
  const [before, after] = [readDetail(open), readDetail(added)];
  const rules = [...new Map([...before.rules, ...after.rules].map((rule) => [rule.id, rule])).values()];
  const mention = allMentioned([before.mention, after.mention]);
  const { digest } = collects ? before : after;
  const under = [...new Set([...before.under, ...after.under])].slice(0, mostUnder);
  return writeDetail({ ...before, rules, mention, digest, under }) ?? open;
}

/** All people and groups that are mentioned. */
export function allMentioned(mentions: readonly Mention[]): { users: string[]; groups: string[] } {
  return {
    users: [...new Set(mentions.flatMap(({ users }) => users))],
    groups: [...new Set(mentions.flatMap(({ groups }) => groups))],
  };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : typeof value === 'object' && value !== null && Object.values(value).every((inner) => isEmpty(inner));
}
