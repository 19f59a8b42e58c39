/** Scans, at relays and in the account. What a relay answers is judged. */
import { postScan } from '../helpers/relay.js';
import { judgeGate } from './gate-law.js';
import { type Clock, type Step, texts } from './history.js';
import { type GateResult, minuteMs, type ScanTruth, type ServiceTruth, timeText } from './truth.js';
import { type JudgedRelay, serviceSlots, type World } from './world.js';

/** When a device says that it made a scan, in whole seconds: no two say the same. */
export function madeAt(world: World, lateMinutes: number, clock: Clock): number {
  const now = world.clock.now();
  const start = clock === 'right' ? now - lateMinutes * minuteMs : Date.UTC(clock, 5, 1) + world.number * 1_000_000;
  let made = Math.floor(start / 1_000) * 1_000;
  while (world.used.has(made)) {
    made += 1_000;
  }
  world.used.add(made);
  return made;
}

export async function scanAtGate(world: World, step: Extract<Step, { do: 'gate' }>): Promise<void> {
  const relay = world.relays[step.relay % world.relays.length] as JudgedRelay;
  if (relay.removed) {
    return;
  }
  const text = texts[step.text] ?? '';
  const made = madeAt(world, step.lateMinutes, step.clock);
  const form = {
    tid: text,
    // A service that posts without the account.
    sid: '999',
    userid: world.account.people.user,
    udid: world.account.people.udid,
    scanned_at_utc: timeText(made),
    // A template's constant: it is the id of another scan, if there is one.
    ...(step.scanId ? { scanid: world.scans.find(({ account }) => account)?.account?.id ?? '77' } : {}),
  };
  const { arrived, result, admitted } = await passGate(world, relay, { text, made }, () =>
    postScan(`${world.app.relayUrl}${relay.path}`, form).then(({ body }) => body),
  );
  const scan = { text, made, arrived, gate: { relay, result, admitted } };
  world.scans.push(scan);
  world.sent.push({ scan, path: relay.path, form });
}

/** A scan comes to the relay: its answer is judged. */
export async function passGate(
  world: World,
  relay: JudgedRelay,
  { text, made }: Pick<ScanTruth, 'text' | 'made'>,
  send: () => Promise<string>,
) {
  // Databases of the account before, and deleted ones, cannot be asked.
  const isGone = world.connection > 0 || relay.databases.some(({ removedAt }) => removedAt !== undefined);
  const undisturbed = (await world.undisturbed()) && !isGone;
  const states = await world.app.mirror.states(world.owner);
  const arrived = world.clock.now();
  const body = await world.answered(send());
  const { result, admitted, shown } = readAnswer(body);
  world.note(`${relay.name} is sent ${JSON.stringify(text)} made ${timeText(made)}: ${shown}`);
  // An answer of the account is good for ten seconds more.
  const justAsked = arrived - 10_000;
  const databasesAt = relay.databases.map(({ id }) =>
    Math.min(states.find(({ databaseId }) => databaseId === id)?.fetchedAt ?? justAsked, justAsked),
  );
  const scan = { text, made, arrived };
  const still = undisturbed && !world.moved;
  const before = world.scans.filter(({ gate: passed }) => passed?.relay === relay);
  const wrong = judgeGate({ relay, scan, result, admitted, shown, databasesAt, undisturbed: still }, before);
  world.answers.push(result);
  const unsure = result === 'unknown_accepted' || result === 'unknown_rejected';
  world.verdict(wrong, still && !shown.includes('calls left'), unsure, `relay: ${shown}`);
  return { arrived, result, admitted };
}

export async function scanAgain(world: World, which: number): Promise<void> {
  const sent = world.sent[which % Math.max(1, world.sent.length)];
  if (!sent) {
    return;
  }
  const { body } = await world.answered(postScan(`${world.app.relayUrl}${sent.path}`, sent.form));
  if (sent.scan.gate?.relay.removed) {
    world.verdict(body === '' ? [] : ['a removed relay answers a scan'], true, false, 'again');
    return;
  }
  const { admitted, shown } = readAnswer(body);
  world.note(`the scan of ${timeText(sent.scan.made)} comes again: ${shown}`);
  world.verdict(
    admitted === sent.scan.gate?.admitted ? [] : ['answers the same scan in another way'],
    true,
    false,
    'again',
  );
}

export async function scanInAccount(world: World, step: Extract<Step, { do: 'scan' }>): Promise<void> {
  const slot = serviceSlots[step.service] ?? 'record';
  if (!world.services.has(slot)) {
    await world.createService(slot);
  }
  const service = world.services.get(slot) as ServiceTruth;
  const was = service.now;
  const text = texts[step.text] ?? '';
  const made = madeAt(world, step.lateMinutes, step.clock);
  const arrived = world.clock.now();
  const send = async () => {
    const scanned = await world.account.scan(service.id, text, timeText(made));
    if (scanned.scan_id === undefined) {
      throw new Error(`a scan in the account: ${JSON.stringify(scanned)}`);
    }
    return scanned;
  };
  if (was.kind !== 'postback') {
    const { scan_id, shown } = await send();
    const status = was.kind === 'record' ? 'none' : shown.kind === 'valid' ? 'valid' : 'invalid';
    world.note(`${slot} scans ${JSON.stringify(text)} made ${timeText(made)}: ${status}`);
    world.scans.push({
      text,
      made,
      arrived,
      account: { id: scan_id ?? '', service, was, status, from: world.nextMoment() },
    });
    return;
  }
  const relay = world.relays[0] as JudgedRelay;
  let id = '';
  const { result, admitted } = await passGate(world, relay, { text, made }, async () => {
    const { scan_id, posted } = await send();
    id = scan_id ?? '';
    return posted?.body ?? '';
  });
  const status = admitted ? 'valid' : 'invalid';
  const account = { id, service, was, status, from: arrived } as const;
  world.scans.push({ text, made, arrived, account, gate: { relay, result, admitted } });
}

function readAnswer(body: string): { result: GateResult; admitted: boolean; shown: string } {
  const [, status, shown = ''] = /<status>(\d)<\/status><text>([^<]*)</.exec(body) ?? [];
  if (status === undefined) {
    throw new Error(`no answer to a scan: ${body}`);
  }
  const code = /^code (\w+)$/.exec(shown)?.[1] as GateResult | undefined;
  return {
    result: code ?? (shown.startsWith('Could not be checked') ? 'unknown_rejected' : 'late'),
    admitted: status === '1',
    shown,
  };
}
