/** Ingest of a scan: sender check, parsing, prefetch, commit, answer. For a scan that must not be stored it throws. */
import type { Clock } from '../../clock.js';
import type { MakeId } from '../../database/ids.js';
import type { DeviceClocks } from '../../scans/device-clocks.js';
import { utcMoment } from '../../scans/received/received-scan-rows.js';
import { repeatKey } from '../../scans/received/repeat-keys.js';
import { isTestScan } from '../../scans/received/test-scan.js';
import type { CommitResult, IncomingScan } from '../commit/index.js';
import type { Variables } from '../postback/form.js';
import { type ParsedScan, readScan } from '../postback/parse.js';
import { readReply, replyDocument } from '../postback/xml-response.js';
import { RelayError } from '../record/errors.js';
import type { RelaySettings } from '../record/settings.js';
import type { Prefetched } from '../validation/index.js';
import type { AuthenticatedRelay, Authenticator } from './authenticate.js';
import type { ScanBatcher } from './batcher.js';
import type { CompiledRelay, CompiledRelays } from './decide.js';
import { verifySharedSecret, withoutProperties } from './shared-secret.js';

export interface IncomingRequest {
  /** The sender's IP address, as far as it can be trusted; called only if needed. */
  readonly sender: () => string | undefined;
  readonly variables: Variables;
}

export type IngestResult =
  | { readonly kind: 'answered'; readonly result: Committed; readonly document: string }
  | { readonly kind: 'unknown' }
  /** The settings changed too often while the scan was handled. */
  | { readonly kind: 'changed' };

export type Committed = Exclude<CommitResult, { kind: 'unknown' | 'changed' }>;

/** The cached relay may be seconds old: if the commit finds other settings, the scan is handled again by these. */
const maxAttempts = 3;

export function createIngest(deps: {
  authenticator: Pick<Authenticator, 'forget'>;
  compiledRelays: CompiledRelays;
  batcher: ScanBatcher;
  clock: Clock;
  makeId: MakeId;
  deviceClocks: DeviceClocks;
}) {
  const { authenticator, compiledRelays, batcher, clock, makeId, deviceClocks } = deps;

  const checkSender = ({ relayId, settings }: AuthenticatedRelay, sender: IncomingRequest['sender']): void => {
    const { networks } = compiledRelays.compile(relayId, settings);
    if (!networks) {
      return;
    }
    const address = sender();
    if (address === undefined || !networks.has(address)) {
      throw new RelayError('relay.network', `the sender’s address is in none of the networks of relay ${relayId}`);
    }
  };

  const offsetOf = ({ relayId, owner }: AuthenticatedRelay, scan: ParsedScan, arrivedAt: number) => {
    const { udid, scannedAtUtc } = scan;
    const scannedAt = scannedAtUtc === undefined ? undefined : utcMoment(scannedAtUtc);
    if (udid === undefined || scannedAt === undefined || isTestScan(scan)) {
      return 0;
    }
    const observe = () => deviceClocks.observe({ owner, relayId, udid, scannedAt, receivedAt: arrivedAt });
    return deviceClocks.load()?.then(observe) ?? observe();
  };

  return {
    /** Checks the sender's address, before the body is read. @throws RelayError `relay.network` */
    checkSender,

    /** Ingests a scan. @throws RelayError, StoreError: nothing was stored (but see `store.unavailable`) */
    async ingest(authenticated: AuthenticatedRelay, { sender, variables }: IncomingRequest): Promise<IngestResult> {
      // All attempts share one deadline for lookups.
      const arrivedAt = clock.now();
      let relay = authenticated;
      let clockOffset: number | undefined;
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const compiled = compiledRelays.compile(relay.relayId, relay.settings);
        const { parsed, submit } = parse(variables, compiled, relay.relayId);
        if (clockOffset === undefined) {
          const offset = offsetOf(relay, parsed, arrivedAt);
          clockOffset = typeof offset === 'number' ? offset : await offset;
        }
        const clocked = clockOffset === 0 ? parsed : { ...parsed, clockOffset };
        const { prefetched, sameAs, names } = await compiled.prefetch(relay.owner, clocked, arrivedAt);
        const { relayId, secretId, settings } = relay;
        const scan: IncomingScan<Prefetched> = {
          // The scan is made field by field: this runs for every scan, and spreading costs a tenth of the whole ingest.
          id: makeId(),
          relayId,
          secretId,
          settings,
          receivedAt: clock.now(),
          submit,
          clockOffset,
          tid: parsed.tid,
          sid: parsed.sid,
          userid: parsed.userid,
          udid: parsed.udid,
          scanid: parsed.scanid,
          givenStatus: parsed.givenStatus,
          givenText: parsed.givenText,
          scannedAtUtc: parsed.scannedAtUtc,
          answers: parsed.answers,
          properties: parsed.properties,
          repeatKey: repeatKey(parsed),
          prefetched,
          sameAs,
          names,
        };
        const result = await batcher.add(scan);
        if (result.kind === 'unknown') {
          return result;
        }
        if (result.kind !== 'changed') {
          return { kind: 'answered', result, document: documentFor(result, scan, compiled.settings) };
        }
        authenticator.forget(relayId);
        relay = { ...relay, settings: result.settings };
        checkSender(relay, sender);
      }
      return { kind: 'changed' };
    },
  };
}

/** Parses a scan. `submit`: the variables without any secret, as they are stored. */
function parse(
  variables: Variables,
  { settings, retiredSecrets }: CompiledRelay,
  relayId: string,
): { parsed: ParsedScan; submit: Variables } {
  const { secretProperty, names, questions } = settings;
  const verified = secretProperty ? verifySharedSecret(variables, secretProperty) : variables;
  if (!verified) {
    throw new RelayError('relay.proof', `the secret scan property of relay ${relayId} is missing or wrong`);
  }
  const submit = retiredSecrets.length === 0 ? verified : withoutProperties(verified, retiredSecrets);
  return { parsed: readScan(submit, names, questions), submit };
}

/** The answer's document. A second submit answers the questions of the first one: no more are asked. */
function documentFor({ kind, scan }: Committed, incomingScan: IncomingScan, { questions }: RelaySettings): string {
  const { ask: askedQuestions, ...stored } = readReply(scan.reply);
  if (askedQuestions === undefined || kind === 'completed' || incomingScan.scanid === scan.id) {
    return replyDocument({ valid: scan.valid, text: scan.text, ...stored });
  }
  const open = questions.filter(
    ({ id }) => askedQuestions.includes(id) && !scan.answers.some(({ questionId }) => questionId === id),
  );
  // Scans posted by the account have its scan id; a device that posts directly gets the relay's.
  const scanid = scan.scanid === undefined ? { scanid: scan.id } : {};
  return replyDocument({ valid: scan.valid, text: scan.text, ...stored, ...scanid, questions: open });
}
