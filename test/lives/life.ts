/** A life: what people, devices and machines do to a relay and a list of lent things, drawn by chance, and what naive readers say of it. */

import type { TestDatabases } from '../helpers/databases.js';
import { type Chance, createChance } from '../helpers/faults/chance.js';
import { openLent } from './lent.js';
import { isOfList, isOfRelay } from './lent-reader.js';
import { allWeek, createReader, type LifeRule, longestLifeMs, rightHand, silentMs, stepMs } from './reader.js';
import { hour, minute, openWorld, type World } from './world.js';

/** Plays the life of a seed; returns what happened, and what the reader found wrong. */
export async function playLife(
  databases: TestDatabases,
  seed: number,
  atEnd: (world: World) => Promise<void> = async () => undefined,
) {
  const chance = createChance(seed);
  const world = await openWorld(databases);
  try {
    const played = await play(world, chance);
    await atEnd(world);
    return played;
  } finally {
    await world.close();
  }
}

const nights = [undefined, { from: '22:00', to: '06:00' }, { from: '13:00', to: '15:30' }] as const;

function toRule({ id, channel, person, how, digestMinutes, quiet, on }: LifeRule): object {
  const common = {
    ...{ id, name: id, on, channel, mention: { users: [person], groups: [] } },
    ...(quiet ? { quiet: { ...allWeek, ...quiet } } : {}),
  };
  const escalate = { minutes: 15, users: [person], groups: [] };
  switch (id) {
    case 'scans':
      return { ...common, how, digestMinutes, when: [{ kind: 'result', is: 'invalid' }] };
    case 'vip':
      return { ...common, how, digestMinutes, when: [{ kind: 'value_pattern', pattern: '^VIP' }] };
    case 'burst':
      return { ...common, escalate, when: { kind: 'burst', n: 3, minutes: 10 } };
    case 'silence':
      return {
        ...common,
        when: {
          kind: 'silence',
          of: 'relay',
          minutes: silentMs / minute,
          hours: { ...allWeek, from: '00:00', to: '00:00' },
        },
      };
  }
}

async function play(world: World, chance: Chance) {
  const drawn = (id: LifeRule['id'], channel: string, person: string): LifeRule => ({
    ...{ id, channel, person, on: true, mutedUntil: 0 },
    ...{ how: id === 'burst' || id === 'silence' ? 'each' : chance.pick(['each', 'digest'] as const) },
    ...{ digestMinutes: chance.pick([15, 60, 240]), quiet: chance.pick(nights) },
  });
  const rules = [
    ...[drawn('scans', 'C1', 'U1'), drawn('vip', 'C1', 'U7')],
    ...[drawn('burst', 'C2', 'U2'), drawn('silence', 'C2', 'U4')],
  ];
  const reader = createReader(rules);
  const story: string[] = rules.map((rule) => JSON.stringify(rule));
  const save = () => world.edit(rules.map(toRule));
  await save();
  // Lists cost time: half of the lives have one.
  const lent = chance.percent(50) ? await openLent(world, chance, reader) : undefined;
  if (lent) {
    story.push(JSON.stringify(lent.list));
  }
  let looked = 0;
  let scanned = 0;
  const look = async () => {
    const heard = world.heard.slice(looked);
    reader.look(heard.filter(isOfRelay), world.now());
    lent?.look(heard.filter(isOfList), world.now());
    looked = world.heard.length;
  };
  const pass = async (ms: number) => {
    const end = world.now() + ms;
    while (world.now() < end) {
      await world.pass(Math.min(stepMs, end - world.now()));
      await look();
    }
  };
  const scan = async (tid = chance.percent(40) ? `VIP-${++scanned}` : `T-${++scanned}`) => {
    reader.scan(tid, world.now());
    await world.scan(tid);
    await world.settle();
    await look();
    return tid;
  };
  const tids: string[] = [];
  const { relay } = reader;
  const muted = (rule: LifeRule) => ({ kind: 'rule' as const, relayId: world.relay.id, ruleId: rule.id });
  const mutes = new Map<LifeRule, string>();

  const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
    scan: async () => tids.push(await scan()),
    burst: async () => {
      for (let n = 0; n < 3; n++) {
        await world.pass(minute);
        tids.push(await scan());
      }
    },
    goesOn: async () => {
      for (let n = 0; n < 6; n++) {
        await scan();
        await world.pass(6 * minute);
      }
    },
    mute: async () => {
      const rule = chance.pick(rules);
      rule.mutedUntil = world.now() + 2 * hour;
      const mute = { channel: rule.channel, what: muted(rule), who: 'U1', forMs: 2 * hour };
      const made = await world.relays.mutes.mute(world.owner, mute);
      mutes.set(rule, made!.id);
    },
    unmute: async () => {
      const rule = chance.pick(rules);
      const id = mutes.get(rule);
      rule.mutedUntil = 0;
      await (id && world.relays.mutes.stop(world.owner, { who: 'U1', channel: rule.channel }, id));
    },
    pause: async () => {
      relay.isPaused = true;
      await world.relays.pause(world.owner, world.relay.id);
    },
    resume: async () => {
      relay.isPaused = relay.isGone;
      await (relay.isGone || world.relays.resume(world.owner, world.relay.id));
    },
    quiet: async () => {
      chance.pick(rules).quiet = chance.pick(nights);
      await save();
    },
    digest: async () => {
      const rule = rules[chance.between(0, 1)]!;
      Object.assign(rule, { how: chance.pick(['each', 'digest']), digestMinutes: chance.pick([15, 60, 240]) });
      await save();
    },
    turn: async () => {
      const rule = rules[chance.between(0, 1)]!;
      rule.on = !rule.on;
      await save();
    },
    move: async () => {
      const rule = chance.pick(rules);
      // A mute is one of a channel.
      if (rule.mutedUntil < world.now()) {
        rule.channel = chance.pick(['C1', 'C2', 'C3']);
        reader.moved(rule);
        await save();
      }
    },
    archive: async () => {
      const channel = chance.pick(['C1', 'C2']);
      relay.archived.add(channel);
      world.archived.add(channel);
    },
    rename: () => world.relays.change(world.owner, world.relay.id, { serviceName: `Gate ${chance.between(1, 9)}` }),
    reinstall: async () => {
      Object.assign(relay, { isGone: true, isPaused: true });
      for (const rule of rules) {
        rule.mutedUntil = 0;
      }
      await world.uninstall();
      await pass(chance.between(1, 90) * minute);
      lent?.madeAnew(world.now());
      await lent?.make();
      await world.relays.resume(world.owner, world.relay.id);
      await world.relays.replay(world.owner, world.relay.id);
      Object.assign(relay, { isGone: false, isPaused: false });
    },
    test: () => world.scan('SCANDESK-TEST-1', { scandesk_test: '1', udid: 'scandesk-test', status: '' }),
    handOver: async () => {
      const { burst } = reader;
      if (burst?.key === undefined || burst.wasGone || burst.isAnswered) return;
      const done = await world.relays.postActions.handOver(world.owner, burst.key, { who: 'U1', to: rightHand });
      if (done?.done) {
        reader.handedOver(world.now());
      }
    },
    wrongClock: async () => {
      relay.isClockWrong = true;
      reader.clockChanged();
      lent?.clockChanged();
      world.setAhead(chance.pick([hour, 400 * 24 * hour]));
      await pass(20 * minute);
      await world.scan(`W-${++scanned}`);
      await pass(20 * minute);
      world.setAhead(0);
      await pass(90 * minute);
      reader.clockChanged();
      lent?.clockChanged();
      relay.isClockWrong = false;
      tids.push(await scan());
    },
    outage: async () => {
      relay.isDown = true;
      world.state.isDown = true;
    },
    slackIsBack: async () => allWell(),
    erase: async () => {
      if (tids.length > 0) {
        const tid = chance.pick(tids);
        reader.forgotten(tid);
        await world.forget(tid);
      }
    },
  };
  const allWell = () => {
    relay.isDown = false;
    world.state.isDown = false;
    relay.archived.clear();
    world.archived.clear();
  };
  const lentWeights = lent && ['lend', 'lend', 'lend', 'waitADay', ...Object.keys(lent.deeds)];
  const waitADay = async () => {
    // A post ends a day after its first attempt: no outage lasts as long.
    allWell();
    await pass(24 * hour);
  };
  const all: typeof deeds = { ...deeds, ...lent?.deeds, waitADay };
  const weights = ['scan', 'scan', 'scan', 'burst', 'burst', 'goesOn', 'slackIsBack', 'resume', ...Object.keys(deeds)];
  for (let n = 0; n < 16 && reader.faults.length + (lent?.faults.length ?? 0) === 0; n++) {
    const deed = chance.pick((chance.percent(40) && lentWeights) || weights);
    story.push(`${new Date(world.now()).toISOString().slice(8, 16)} ${deed}`);
    await all[deed]!();
    await world.settle();
    await look();
    await pass(chance.pick([1, 5, 20, 60, 120]) * minute);
  }
  allWell();
  await deeds.resume!();
  const end = world.now() + longestLifeMs;
  const waiting = () => reader.waiting + (lent?.waiting(world.now()) ?? 0);
  while (waiting() > 0 && world.now() < end) {
    await pass(stepMs);
  }
  return { story, faults: [...reader.faults, ...(lent?.faults ?? [])], left: waiting(), heard: world.heard };
}
