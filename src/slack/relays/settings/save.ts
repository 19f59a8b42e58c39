/**
 * Saves a settings change: read fresh, change, validate, store, audit. Concurrent changes apply one after the other, so
 * none is lost; a form's change is rejected if its settings were edited since the form was opened.
 */
import { codeOf } from '../../../errors.js';
import { type RelaySettings, relaySettingsSchema } from '../../../relay/index.js';
import type { Relay } from '../../../relay/relays/types.js';
import { type Recorder, record } from '../../bolt/audit.js';
import type { ActorContext } from '../../bolt/routing/context.js';
import { cachedRuleNames } from '../../connection/cached-names.js';
import { assertUnchanged, FormProblem } from '../../forms/settings-form.js';
import { settingsOnRecord } from './audit-detail.js';

export type Change = (settings: RelaySettings, relay: Relay) => RelaySettings;

/** The version that a form was opened on; undefined for what is new, and in a form older than versions. */
export interface SettingsVersion {
  readonly part: (settings: RelaySettings) => unknown;
  readonly version: string | undefined;
}

/** The last change in progress of each relay, in this process: quick clicks are saved in the order of the clicks. */
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
 * Saves a change; resolves to the saved relay. `action`: the name in the audit log, as `relay/judging`. `seenVersion`:
 * the version that the form was opened on.
 * @throws FormProblem, RelayError `relay.no_such_relay`
 */
export async function changeSettings(
  context: Recorder,
  id: string,
  action: string,
  change: Change,
  seenVersion?: SettingsVersion,
): Promise<Relay> {
  const { deps, actor } = context;
  let attempt: Attempt | undefined;
  const audit = async (outcome?: string) => {
    const detail = attempt ? { relay: id, ...(await auditDetail(context, attempt)) } : { relay: id };
    await record(context, { what: action, detail, outcome });
  };
  try {
    const revised = (relay: Relay) => {
      const { settings: settingsBefore } = relay;
      attempt = undefined;
      if (seenVersion) {
        assertUnchanged(seenVersion.part(settingsBefore), seenVersion.version);
      }
      const parsed = relaySettingsSchema.safeParse(change(settingsBefore, relay));
      if (!parsed.success) {
        throw new FormProblem('Not saved: a value is too long or not valid.', undefined, { cause: parsed.error });
      }
      attempt = { before: settingsBefore, after: parsed.data };
      return { settings: parsed.data };
    };
    const saved = await inTurn(id, () => deps.relays.update(actor.owner, id, revised));
    await audit();
    return saved;
  } catch (error) {
    if (attempt) {
      await audit(codeOf(error));
    }
    throw error;
  }
}

interface Attempt {
  readonly before: RelaySettings;
  readonly after: RelaySettings;
}

async function auditDetail(context: ActorContext, { before, after }: Attempt) {
  return settingsOnRecord(before, after, await cachedRuleNames(context, [...before.rules, ...after.rules]));
}
