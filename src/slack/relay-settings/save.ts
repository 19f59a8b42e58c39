/**
 * Owns keeping what was set about a relay: read afresh, changed, checked, kept and put on record. Changes of one relay that
 * come at once are made one after the other, so that none undoes another.
 */
import type { z } from 'zod';
import { type RelaySettings, relaySettingsSchema } from '../../relay/index.js';
import type { RelayState } from '../../relay/types.js';
import type { BaseContext } from '../context.js';
import { onRecord } from '../relay-setup.js';
import { relayOf } from '../relay-windows.js';

export type Change = (settings: RelaySettings) => RelaySettings;

/** What the whole of the settings says against a change that each part was fine with. */
export class SettingsRefused extends Error {}

const busy = new Map<string, Promise<unknown>>();

/**
 * Answers how the relay stands then. `what`: as the record calls it, `relay/judging`.
 * @throws SettingsRefused, RelayError `relay.no_such_relay`
 */
export async function changeSettings(
  context: Pick<BaseContext, 'deps' | 'asker' | 'reference'>,
  id: string,
  what: string,
  change: Change,
): Promise<RelayState> {
  const work = async (): Promise<RelayState> => {
    const before = await relayOf(context, id);
    const wanted = relaySettingsSchema.safeParse(change(before.relay.settings));
    if (!wanted.success) {
      throw new SettingsRefused(wordsOf(wanted.error));
    }
    const settings = wanted.data;
    const detail = { relay: id, ...differences(before.relay.settings, settings) };
    await onRecord(context, what, detail, () => context.deps.relays.change(context.asker.owner, id, { settings }));
    return { ...before, relay: { ...before.relay, settings } };
  };
  const turn = (busy.get(id) ?? Promise.resolve()).then(work, work);
  busy.set(id, turn);
  return turn.finally(() => {
    if (busy.get(id) === turn) {
      busy.delete(id);
    }
  });
}

function wordsOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join(' ')}: ${issue.message}` : 'something does not fit';
}

const longestOnRecord = 300;

/** What is other than before, in short; never what proves a sender. */
function differences(before: RelaySettings, after: RelaySettings): Readonly<Record<string, unknown>> {
  const names = Object.keys({ ...before, ...after }) as (keyof RelaySettings)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, shortened(name, after[name])]));
}

function shortened(name: keyof RelaySettings, value: unknown): unknown {
  if (name === 'secretProperty') {
    return value === undefined ? 'removed' : 'set';
  }
  const text = JSON.stringify(value ?? null);
  return text.length <= longestOnRecord ? (value ?? null) : `${text.slice(0, longestOnRecord)}…`;
}
