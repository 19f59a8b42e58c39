/**
 * Ingest of a scan: sender check, parsing, prefetch, commit and answer. It throws a RelayError for what must not be
 * stored.
 */
import type { Clock } from '../../clock.js';
import type { MakeId } from '../../database/ids.js';
import { verifySharedSecret, withoutProperties } from '../relays/secrets/shared-secret.js';
import type { RelaySettings } from '../relays/settings.js';
import { repeatKey } from '../scans/repeat-keys.js';
import type { Prefetched } from '../validation/index.js';
import type { AuthenticatedRelay, Authenticator } from './authenticate.js';
import type { GroupCommit } from './batcher.js';
import type { CommitResult, IncomingScan } from './commit/index.js';
import type { CompiledRelays } from './decide.js';
import { RelayError } from './errors.js';
import type { Variables } from './form.js';
import { readScan } from './parse.js';
import { readReply, replyDocument } from './xml-response.js';

export interface IncomingPost {
  readonly relayId: string;
  readonly secret: string;
  /** The sender's address, as far as it can be trusted; called only if needed. */
  readonly sender: () => string | undefined;
  readonly variables: Variables;
}

export type IngestResult =
  | { readonly kind: 'answered'; readonly result: Committed; readonly document: string }
  | { readonly kind: 'unknown' }
  /** The settings changed too often meanwhile. */
  | { readonly kind: 'changed' };

export type Committed = Exclude<CommitResult, { kind: 'unknown' | 'changed' }>;

export interface Ingest {
  /** Checks that need no body. @throws RelayError `relay.network` */
  admit(entered: AuthenticatedRelay, relayId: string, sender: IncomingPost['sender']): void;
  /** @throws RelayError, StoreError: nothing was stored (but see `store.unavailable`) */
  take(entered: AuthenticatedRelay, sent: IncomingPost): Promise<IngestResult>;
}

/** The cached relay may be seconds old: if the commit finds other settings, the scan is read again. */
const mostLooks = 3;

export function createIngest(deps: {
  door: Authenticator;
  minds: CompiledRelays;
  group: GroupCommit;
  clock: Clock;
  makeId: MakeId;
}): Ingest {
  const { door, minds, group, clock, makeId } = deps;

  const admit = ({ settings }: AuthenticatedRelay, relayId: string, sender: IncomingPost['sender']): void => {
    const { networks } = minds.of(relayId, settings);
    if (!networks) {
      return;
    }
    const address = sender();
    if (address === undefined || !networks.has(address)) {
      throw new RelayError('relay.network', 'the sender’s address is in none of the relay’s networks');
    }
  };

  /** The scan, ready for the commit; a promise only if something is prefetched. */
  const prepare = (
    { secretId, owner, settings }: AuthenticatedRelay,
    { relayId, variables }: IncomingPost,
    cameAt: number,
  ): IncomingScan<Prefetched> | Promise<IncomingScan<Prefetched>> => {
    const mind = minds.of(relayId, settings);
    const { secretProperty, names, questions } = mind.settings;
    const proved = secretProperty ? verifySharedSecret(variables, secretProperty) : variables;
    if (!proved) {
      throw new RelayError('relay.proof', 'the secret scan property is missing or wrong');
    }
    const submit = mind.formerSecrets.length === 0 ? proved : withoutProperties(proved, mind.formerSecrets);
    const told = readScan(submit, names, questions);
    const asked = mind.askAhead(owner, told, cameAt);
    const ready = (ahead?: { readonly ahead: Prefetched; readonly sameAs?: string }): IncomingScan<Prefetched> => ({
      id: makeId(),
      relayId,
      secretId,
      settings,
      receivedAt: clock.now(),
      tid: told.tid,
      sid: told.sid,
      userid: told.userid,
      udid: told.udid,
      scanid: told.scanid,
      givenStatus: told.givenStatus,
      givenText: told.givenText,
      scannedAtUtc: told.scannedAtUtc,
      answers: told.answers,
      properties: told.properties,
      submit,
      repeatKey: repeatKey(told),
      ahead: ahead?.ahead,
      sameAs: ahead?.sameAs,
    });
    return asked instanceof Promise ? asked.then(ready) : ready(asked);
  };

  return {
    admit,
    async take(entered, sent) {
      let by: AuthenticatedRelay | undefined = entered;
      // Retries share one deadline.
      const cameAt = clock.now();
      for (let looks = 0; by !== undefined && looks < mostLooks; looks++) {
        const preparing = prepare(by, sent, cameAt);
        const scan: IncomingScan<Prefetched> = preparing instanceof Promise ? await preparing : preparing;
        const result = await group.add(scan);
        if (result.kind === 'unknown') {
          return result;
        }
        if (result.kind !== 'changed') {
          const { settings } = minds.of(sent.relayId, by.settings);
          return { kind: 'answered', result, document: documentFor(result, scan, settings) };
        }
        door.forget(sent.relayId);
        by = await door.enter(sent.relayId, sent.secret);
        if (by) {
          admit(by, sent.relayId, sent.sender);
        }
      }
      return { kind: by === undefined ? 'unknown' : 'changed' };
    },
  };
}

/** A second submit answers the first one's questions: no more are asked. */
function documentFor({ kind, scan }: Committed, incoming: IncomingScan, { questions }: RelaySettings): string {
  const { ask, ...kept } = readReply(scan.reply);
  if (ask === undefined || kind === 'completed' || incoming.scanid === scan.id) {
    return replyDocument({ valid: scan.valid, text: scan.text, ...kept });
  }
  const open = questions.filter(
    ({ id }) => ask.includes(id) && !scan.answers.some(({ questionId }) => questionId === id),
  );
  // Posts from the account have its scan id; a device that posts directly gets ours.
  const scanid = scan.scanid === undefined ? { scanid: scan.id } : {};
  return replyDocument({ valid: scan.valid, text: scan.text, ...kept, ...scanid, questions: open });
}
