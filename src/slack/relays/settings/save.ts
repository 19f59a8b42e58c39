/**
 * Saves a settings change: read fresh, change, validate, store, audit. Concurrent changes apply one after the other, so
 * none is lost; a change to settings that someone else edited meanwhile is rejected.
 */
import { codeOf } from '../../../errors.js';
import { type RelaySettings, relaySettingsSchema } from '../../../relay/index.js';
import type { Relay } from '../../../relay/relays/types.js';
import { type Recorder, record } from '../../bolt/audit.js';
import type { BaseContext } from '../../bolt/routing/context.js';
import { cachedRuleNames } from '../../connection/cached-names.js';
import { settingsOnRecord } from './audit-detail.js';
import { SettingsRejectedError } from './edit-conflict.js';
import { assertUnchanged, type SettingsVersion } from './etag.js';

export type Change = (settings: RelaySettings) => RelaySettings;

/** By relay: the last change in progress. Quick clicks apply in their order. */
const turns = new Map<string, Promise<unknown>>();

async function inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(id) ?? Promise.resolve()).then(work, work);
  turns.set(id, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(id) === turn) {
      turns.delete(id);
    }
  }
}

/**
 * Resolves to the saved relay. `what`: the audit name, `relay/judging`. `seen`: the version that the form was opened
 * on.
 * @throws SettingsRefused, ChangedMeanwhile, RelayError `relay.no_such_relay`
 */
export async function changeSettings(
  context: Recorder,
  id: string,
  what: string,
  change: Change,
  seen?: SettingsVersion,
): Promise<Relay> {
  const { deps, actor } = context;
  let tried: Tried | undefined;
  const onRecord = async (outcome?: string) => {
    const detail = tried ? { relay: id, ...(await auditDetail(context, tried)) } : { relay: id };
    await record(context, { what, detail, outcome });
  };
  try {
    const revised = ({ settings: before }: Relay) => {
      tried = undefined;
      if (seen) {
        assertUnchanged(seen.part(before), seen.version);
      }
      const wanted = relaySettingsSchema.safeParse(change(before));
      if (!wanted.success) {
        throw new SettingsRejectedError('a value is too long or not valid', { cause: wanted.error });
      }
      tried = { before, after: wanted.data };
      return { settings: wanted.data };
    };
    const kept = await inTurn(id, () => deps.relays.update(actor.owner, id, revised));
    await onRecord();
    return kept;
  } catch (error) {
    if (tried) {
      await onRecord(codeOf(error));
    }
    throw error;
  }
}

interface Tried {
  readonly before: RelaySettings;
  readonly after: RelaySettings;
}

async function auditDetail(context: Pick<BaseContext, 'deps' | 'actor'>, { before, after }: Tried) {
  return settingsOnRecord(before, after, await cachedRuleNames(context, [...before.rules, ...after.rules]));
}
