/**
 * Relay service: create, read and change relays by owner. Another workspace's relay is reported as missing
 * (`relay.no_such_relay`).
 */
import type { Clock, Random } from '../../clock.js';
import { createIds } from '../../database/ids.js';
import { codeOf } from '../../errors.js';
import type { Owner } from '../../ownership.js';
import type { Store } from '../../workspaces/types.js';
import { createPostActions } from '../delivery/acknowledge.js';
import { countingFor } from '../intake/decide.js';
import { RelayError } from '../intake/errors.js';
import { ruleChannelsOf, silencesFor } from '../rules/index.js';
import { withThrownAway } from '../scans/thrown-away.js';
import type { DatabaseMirrors } from '../validation/index.js';
import { toGate } from './gate.js';
import { createMutes } from './mutes.js';
import type { RelayRecord } from './records.js';
import type { RelayFields } from './relay.js';
import { readSettings, toRelay, toRelayState, writeSettings } from './relay.js';
import { everySecret, searchedFor, withFormerSecrets } from './retired-secret-names.js';
import { hashSecret, makeSecret } from './secrets.js';
import { defaultSettings, type RelaySettings } from './settings.js';
import { createRelayStatusStore } from './status-table.js';
import { createRelayStore } from './table.js';
import type { Relays } from './types.js';
import { createWatches } from './watches.js';

export interface RelaysDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Called when posts that waited may go out now. */
  readonly onPosts: () => void;
  /** Called when a relay's settings have changed. */
  readonly onSettings?: () => void;
  /** Mirrors of the databases that relays validate against. */
  readonly copies?: Pick<DatabaseMirrors, 'states'>;
}

/** Settings as the store needs them, with what they require. `before`: the stored settings they replace. */
function written(settings: RelaySettings, before: string) {
  return {
    settings: withFormerSecrets(writeSettings(settings), before),
    counting: countingFor(settings),
    silences: silencesFor(settings),
    ruleChannels: ruleChannelsOf(settings),
  };
}

/** Retries of a change that conflicts with others. */
const mostTries = 100;
/** A relay's id is in its URL, so it is short; it is no secret. */
const idBytes = 9;

export function createRelays(deps: RelaysDeps): Relays {
  const { clock, random, onPosts, onSettings = () => undefined } = deps;
  const store = createRelayStore(deps.store.db);
  const insight = createRelayStatusStore(deps.store.db);
  const makeId = createIds(clock, random);

  const newSecret = (relayId: string) => {
    const secret = makeSecret(random);
    return { id: makeId(), hash: hashSecret(secret), path: `/relay/${relayId}/${secret}` };
  };

  const noSuchRelay = () => new RelayError('relay.no_such_relay', 'this workspace has no such relay');

  const mustHave = (had: boolean): void => {
    if (!had) {
      throw noSuchRelay();
    }
  };

  const change = async (owner: Owner, id: string, given: RelayFields, seen: RelayRecord): Promise<void> => {
    const { serviceIds, serviceName, channel, notable, settings } = given;
    const fields = {
      ...(serviceIds === undefined ? {} : { serviceIds }),
      ...(serviceName === undefined ? {} : { serviceName }),
      ...(channel === undefined ? {} : { channel }),
      ...(notable === undefined ? {} : { notable }),
      ...(settings === undefined ? {} : written(settings, seen.settings)),
    };
    mustHave(await store.change(owner, id, fields, clock.now(), seen));
    onPosts();
    if (settings !== undefined) {
      onSettings();
    }
  };

  /** Works on the current state: after a concurrent change, here or at another instance, `work` is called again. */
  const revise = async <Work extends RelayFields>(
    owner: Owner,
    id: string,
    work: (relay: RelayRecord) => Work,
  ): Promise<{ readonly before: RelayRecord; readonly fields: Work }> => {
    for (let tries = 1; ; tries++) {
      const before = (await store.get(owner, id))?.relay;
      if (!before) {
        throw noSuchRelay();
      }
      const fields = work(before);
      try {
        await change(owner, id, fields, before);
        return { before, fields };
      } catch (error) {
        // Of several concurrent changes, one succeeds each time.
        if (codeOf(error) !== 'store.changed' || tries === mostTries) {
          throw error;
        }
      }
    }
  };

  return {
    posted: createPostActions(deps),
    watches: createWatches(deps),
    mutes: createMutes(deps),

    async create(input) {
      const { owner, serviceIds, serviceName, channel, notable, createdBy, settings = defaultSettings } = input;
      const id = random.bytes(idBytes).toString('base64url');
      const { path, ...secret } = newSecret(id);
      const record = {
        ...{ id, owner, serviceIds, serviceName, channel, notable, createdBy },
        settings: writeSettings(settings),
        counting: countingFor(settings),
        createdAt: clock.now(),
      };
      await store.add(record, secret, { silences: silencesFor(settings) });
      onSettings();
      return { relay: toRelay(record), path };
    },

    async list(owner) {
      return (await store.list(owner)).map(toRelayState);
    },

    async get(owner, id) {
      const found = await store.get(owner, id);
      return found && toRelayState(found);
    },

    async change(owner, id, fields) {
      await revise(owner, id, () => fields);
    },

    async revise(owner, id, work) {
      const { before, fields } = await revise(owner, id, (relay) => work(toRelay(relay)));
      return { ...toRelay(before), ...fields };
    },

    async pause(owner, id) {
      mustHave(await store.pause(owner, id, clock.now()));
    },

    async resume(owner, id) {
      mustHave(await store.resume(owner, id, clock.now()));
      onPosts();
    },

    async rotate(owner, id) {
      const createdAt = clock.now();
      const { path, ...secret } = newSecret(id);
      mustHave(await store.addSecret(owner, id, secret, createdAt));
      return { secret: { id: secret.id, createdAt }, path };
    },

    async endSecret(owner, id, secretId) {
      mustHave(await store.endSecret(owner, id, secretId, clock.now()));
    },

    async remove(owner, id) {
      mustHave(await store.remove(owner, id, clock.now()));
    },

    async gates(owner, values = []) {
      // Settings that accept everything lack this key: it is the default.
      const relays = await store.withSettings(owner, '"judging"');
      const gates = relays.flatMap(({ relay, removed }) => {
        const gate = toGate(relay, removed);
        return gate ? [{ relay, gate }] : [];
      });
      if (gates.length === 0 || values.length === 0) {
        return gates.map(({ gate }) => gate);
      }
      return withThrownAway(insight, (await deps.copies?.states(owner)) ?? [], owner, values, gates);
    },

    async secretProperties(owner) {
      const relays = await store.withSettings(owner, searchedFor);
      return [...new Set(relays.flatMap(({ relay }) => everySecret(relay.settings)))];
    },

    async replay(owner, id) {
      const found = await store.get(owner, id);
      const ruleChannels = found ? ruleChannelsOf(readSettings(found.relay.settings)) : [];
      const replayed = await store.replay(owner, id, clock.now(), ruleChannels);
      if (replayed > 0) {
        onPosts();
      }
      return replayed;
    },
  };
}
