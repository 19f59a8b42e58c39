/** The Slack scopes that this workspace did not grant, what does not work without them, and how an admin adds them. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { withTimeout } from '../../timeout.js';
import type { Block } from '../block-kit/elements.js';
import { bold, bulletList, code, joined, richText } from '../block-kit/text.js';
import type { ListenerDeps } from '../bolt/routing/context.js';
import { addingElements, type Capability, lackingWith, reinstallUrl } from '../bolt/scopes.js';

/** The granted scopes, from a header that Slack sends with every answer. */
const answer = z.object({ response_metadata: z.object({ scopes: z.array(z.string()).min(1) }) });

/** How long the status waits for Slack's answer. */
const timeoutMs = 1_500;

/**
 * The granted scopes, and the page where Scandesk is installed again; undefined where Slack does not name the granted
 * ones.
 */
export async function scopeReport(
  { config, clock, log }: Pick<ListenerDeps, 'config' | 'clock' | 'log'>,
  client: WebClient,
) {
  try {
    const { scopes } = answer.parse(
      await withTimeout(clock, timeoutMs, () => client.auth.test(), undefined),
    ).response_metadata;
    return { granted: scopes, url: reinstallUrl(config) };
  } catch (error) {
    log.info({ err: error }, 'Slack did not say which scopes are granted');
    return undefined;
  }
}

export type ScopeReport = NonNullable<Awaited<ReturnType<typeof scopeReport>>>;

/** The report as blocks; none where no scope is missing. */
export function scopeBlocks(report: ScopeReport | undefined): Block[] {
  const lackingScopes = report ? lackingWith(report.granted) : [];
  if (!report || lackingScopes.length === 0) {
    return [];
  }
  const missing = ({ scopes }: Capability) => scopes.filter((scope) => !report.granted.includes(scope));
  const lines = lackingScopes.map((one) => [...joined(missing(one).map(code), ', '), `: ${one.without}`]);
  const isOptional = lackingScopes.every(({ optional }) => optional);
  const title = isOptional
    ? [bold('Optional Slack permissions that were not granted')]
    : [warning, ' ', bold('Missing Slack permissions')];
  return [richText(title), bulletList(lines), richText(addingElements(lackingScopes.flatMap(missing), report.url))];
}

const warning = { type: 'emoji', name: 'warning' } as const;
