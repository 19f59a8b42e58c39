/** The answer that lists changes already made, where their own answers reached nobody or a later step failed. */
import { noNames } from '../../codereadr/names.js';
import { countOf } from '../../english.js';
import type { Owner } from '../../ownership.js';
import type { AuditEntry } from '../../workspaces/types.js';
import { type Block, type Message, type ModalView, message, modalView } from '../block-kit/elements.js';
import { bold, escaped, richText } from '../block-kit/text.js';
import { SlackError, slackErrorCode } from '../bolt/errors.js';
import { problemOf, referenceBlock } from '../bolt/problem/problem.js';
import type { ChangeFailure, ListenerDeps } from '../bolt/routing/context.js';
import { detailsOf, titleOf } from './audit-view.js';

interface ChangesMade {
  readonly made: readonly AuditEntry[];
  readonly relayName: (id: string) => string | undefined;
  /** The failure that followed the changes, with its reference in the log. */
  readonly failed?: ChangeFailure | undefined;
}

const mostLines = 5;

/** Builds `describeChanges` for listeners; relays are shown by name. */
export function createChangesMade(relays: {
  named(owner: Owner, ids: readonly string[]): Promise<ReadonlyMap<string, { readonly serviceName: string }>>;
}): ListenerDeps['describeChanges'] {
  return async (owner, made, failed) => {
    const ids = made.flatMap(({ detail }) => (typeof detail.relay === 'string' ? [detail.relay] : []));
    // The later step may have failed because the database is down: the changes are then listed without names.
    const named = ids.length === 0 ? undefined : await relays.named(owner, ids).catch(() => undefined);
    const changes: ChangesMade = { made, relayName: (id) => named?.get(id)?.serviceName, failed };
    return { message: changesMadeMessage(changes), view: changesMadeView(changes) };
  };
}

function changesMadeMessage(changes: ChangesMade): Message {
  const titles = changes.made.map(({ what, detail }) => titleOf(what, detail));
  return message(escaped(`Done: ${titles.join(', ')}. ${adviceFor(changes)}`), blocksOf(changes));
}

function changesMadeView(changes: ChangesMade): ModalView {
  return modalView('Done', blocksOf(changes), { callback_id: 'notice' });
}

function blocksOf(changes: ChangesMade): Block[] {
  const { made, relayName, failed } = changes;
  const names = { resource: noNames, relay: relayName, rule: () => undefined };
  const lines = made.slice(0, mostLines).map((row) => {
    const details = detailsOf(row, names);
    return ['✅ Done: ', bold(titleOf(row.what, row.detail)), ...(details.length > 0 ? ['  ·  ', ...details] : [])];
  });
  const moreLine = made.length > mostLines ? [[`and ${countOf(made.length - mostLines, 'more change')}`]] : [];
  return [richText(...lines, ...moreLine, adviceFor(changes)), ...(failed ? [referenceBlock(failed.reference)] : [])];
}

/** Never says that nothing was done, nor to try again: the changes were made. */
function adviceFor({ failed }: ChangesMade): string {
  return failed === undefined || isSlacks(failed.error)
    ? 'Slack couldn’t show the result.'
    : `${problemOf(failed.error).what} The change was already made: check the result before you continue.`;
}

function isSlacks(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const isOurs =
    error instanceof SlackError && error.code !== 'slack.response_url' && error.code !== 'slack.window_late';
  return !isOurs && (slackErrorCode(error) !== undefined || code.startsWith('slack'));
}
