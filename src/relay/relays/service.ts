/**
 * Relay service: it creates, reads and changes relays by owner. Another workspace's relay is reported as missing
 * (`relay.no_such_relay`).
 */
import type { Clock, Random } from '../../clock.js';
import { createIds } from '../../database/ids.js';
import { codeOf } from '../../errors.js';
import { createIncidentStore } from '../../incidents/incident-rows.js';
import type { Mirror } from '../../mirror/index.js';
import type { Owner } from '../../ownership.js';
import { createMutes } from '../../watches/mutes.js';
import { createWatches } from '../../watches/watches.js';
import type { Store } from '../../workspaces/types.js';
import { createPostActions } from '../posts/acknowledge.js';
import { RelayError } from '../record/errors.js';
import type { RelayRecord } from '../record/records.js';
import { type Relay, type RelayFields, readSettings, toRelay, toRelayState, writeSettings } from '../record/relay.js';
import { allSecretNames, settingsMarker, withRetiredSecretNames } from '../record/retired-secret-names.js';
import { defaultSettings, type RelaySettings } from '../record/settings.js';
import { hashSecret, makeSecret } from '../record/webhook-secret.js';
import { countingFor, ruleChannelsOf, silencesFor } from '../rules/index.js';
import { createRelayStore } from './relay-rows.js';
import type { NewRelay } from './types.js';
import { forBarcode, type Holder, type RelayValidator, toValidator } from './validator.js';

/**
 * Settings in the fields of the store, with the counting that they require. `before`: the stored settings they replace.
 */
function settingsFields(settings: RelaySettings, before: string) {
  return {
    settings: withRetiredSecretNames(writeSettings(settings), before),
    counting: countingFor(settings),
    silences: silencesFor(settings),
    ruleChannels: ruleChannelsOf(settings),
  };
}

/** The most tries of a change that conflicts with others. */
const mostTries = 100;
/** The bytes of a relay's id, which is in its URL and so is short; the id is no secret. */
const idBytes = 9;

export function createRelays(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Called when waiting posts may go out now. */
  readonly onPosts: () => void;
  /** Called when a relay's settings have changed. */
  readonly onSettings?: () => void;
  /** Mirrors of the databases that relays validate against. */
  readonly mirror?: Pick<Mirror, 'states' | 'scansCopy'>;
}) {
  const { clock, random, onPosts, onSettings = () => undefined } = deps;
  const store = createRelayStore(deps.store.db);
  const incidents = createIncidentStore(deps.store.db);
  const makeId = createIds(clock, random);

  const newSecret = (relayId: string) => {
    const secret = makeSecret(random);
    return { id: makeId(), hash: hashSecret(secret), path: `/relay/${relayId}/${secret}` };
  };

  const noSuchRelay = () => new RelayError('relay.no_such_relay', 'this workspace has no such relay');

  const ensureFound = (isFound: boolean): void => {
    if (!isFound) {
      throw noSuchRelay();
    }
  };

  const change = async (owner: Owner, id: string, change: RelayFields, basis: RelayRecord): Promise<void> => {
    const { settings, ...rest } = change;
    const fields = { ...rest, ...(settings && settingsFields(settings, basis.settings)) };
    ensureFound(await store.change(owner, id, fields, clock.now(), basis));
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
      const relayBefore = (await store.get(owner, id))?.relay;
      if (!relayBefore) {
        throw noSuchRelay();
      }
      const fields = work(relayBefore);
      try {
        await change(owner, id, fields, relayBefore);
        return { before: relayBefore, fields };
      } catch (error) {
        // A change that conflicts is tried again; of several concurrent ones, one succeeds each time.
        if (codeOf(error) !== 'store.changed' || tries === mostTries) {
          throw error;
        }
      }
    }
  };

  return {
    /** Actions on delivered posts. */
    postActions: createPostActions(deps),
    watches: createWatches(deps),
    /** The open alerts in a channel, newest first. */
    openIncidents: (owner: Owner, channel: string) => incidents.openIn(owner, channel),
    mutes: createMutes({
      ...deps,
      async isOpen(owner, id) {
        const incident = await incidents.find(owner, id);
        return incident !== undefined && !incident.ended;
      },
      async onChange(owner, muted) {
        if (muted.kind !== 'value' && (await store.recheck(owner, muted.relayId, clock.now()))) {
          onPosts();
        }
      },
    }),

    /** Only this and `addSecret` return a plain secret, in `path`: `/relay/<id>/<secret>`. The store keeps its hash. */
    async create(input: NewRelay) {
      const { owner, serviceIds, serviceName, channel, notable, createdBy, settings = defaultSettings } = input;
      const id = random.bytes(idBytes).toString('base64url');
      const { path, ...secret } = newSecret(id);
      const record = {
        id,
        owner,
        serviceIds,
        serviceName,
        channel,
        notable,
        createdBy,
        settings: writeSettings(settings),
        counting: countingFor(settings),
        createdAt: clock.now(),
      };
      await store.add(record, secret, { silences: silencesFor(settings) });
      onSettings();
      return { relay: toRelay(record), path };
    },

    async list(owner: Owner) {
      return (await store.list(owner)).map(toRelayState);
    },

    async get(owner: Owner, id: string) {
      const found = await store.get(owner, id);
      return found && toRelayState(found);
    },

    async change(owner: Owner, id: string, fields: RelayFields) {
      await revise(owner, id, () => fields);
    },

    /**
     * Changes a relay based on its current state: `work` gets the relay and returns the fields to change. After a
     * concurrent change, here or at another instance, `work` is called again. The errors of `work` are thrown. Returns
     * the changed relay.
     */
    async update(owner: Owner, id: string, work: (relay: Relay) => RelayFields): Promise<Relay> {
      const { before, fields } = await revise(owner, id, (relay) => work(toRelay(relay)));
      return { ...toRelay(before), ...fields };
    },

    async pause(owner: Owner, id: string) {
      ensureFound(await store.pause(owner, id, clock.now()));
    },

    async resume(owner: Owner, id: string) {
      ensureFound(await store.resume(owner, id, clock.now()));
      onPosts();
    },

    /** Adds a new secret beside the old ones, which stay valid until `revokeSecret`. */
    async addSecret(owner: Owner, id: string) {
      const createdAt = clock.now();
      const { path, ...secret } = newSecret(id);
      ensureFound(await store.addSecret(owner, id, secret, createdAt));
      return { secret: { id: secret.id, createdAt }, path };
    },

    async revokeSecret(owner: Owner, id: string, secretId: string) {
      ensureFound(await store.revokeSecret(owner, id, secretId, clock.now()));
    },

    /** Deletes a relay: its URL answers 404 from now on, its scans stay. */
    async remove(owner: Owner, id: string) {
      ensureFound(await store.remove(owner, id, clock.now()));
    },

    /**
     * The owner's relays that validate scans themselves, removed ones included. `values`: a barcode and its other
     * spellings, for which relays that only limit scans are included, and each says whether it would admit the barcode.
     * `holders`: the databases that hold the barcode.
     */
    async validators(
      owner: Owner,
      values: readonly string[] = [],
      holders: readonly Holder[] = [],
    ): Promise<readonly RelayValidator[]> {
      const isOfBarcode = values.length > 0;
      // Only settings with these keys are read: those that accept every scan, without a limit, lack them.
      const keys = ['"judging"', ...(isOfBarcode ? ['"duplicates"', '"atMost"'] : [])];
      const relays = (await store.withSettings(owner, keys)).flatMap((each) => {
        const validator = toValidator(each.relay, each.removed, isOfBarcode);
        return validator ? [{ ...each, validator }] : [];
      });
      if (relays.length === 0 || !isOfBarcode) {
        return relays.map(({ validator }) => validator);
      }
      const states = (await deps.mirror?.states(owner)) ?? [];
      return await forBarcode({ db: deps.store.db, now: clock.now(), states, holders }, owner, values, relays);
    },

    /**
     * Names of the secret scan properties of the owner's relays, removed ones included: code that shows the account's
     * record of a scan leaves these properties out.
     */
    async secretProperties(owner: Owner): Promise<readonly string[]> {
      const relays = await store.withSettings(owner, [settingsMarker]);
      return [...new Set(relays.flatMap(({ relay }) => allSecretNames(relay.settings)))];
    },

    /** Tries the relay's blocked channels now. */
    async retryBlocked(owner: Owner, id: string) {
      const found = await store.get(owner, id);
      if (!found) {
        throw noSuchRelay();
      }
      const channels = toRelayState(found).blocked.map(({ channel }) => channel);
      await store.retryBlocked(owner, channels, clock.now());
      onPosts();
    },

    /** Replays the relay's dead letters; returns how many. */
    async replay(owner: Owner, id: string) {
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

export type Relays = ReturnType<typeof createRelays>;
