/** What people do to a list of lent things in a life: they lend, extend, bring back, and change the list. */
import { linkMember } from '../../src/workspaces/members.js';
import type { Chance } from '../helpers/faults/chance.js';
import { createLentReader, type LentList, linked, maker } from './lent-reader.js';
import type { Reader } from './reader.js';
import { hour, type World } from './world.js';

const nights = [undefined, { from: '22:00', to: '06:00' }, { from: '13:00', to: '15:30' }] as const;
const ways = { out: '202', in: '203' };

export async function openLent(world: World, chance: Chance, reader: Reader) {
  const { places, owner } = world;
  const drawn = (): LentList => ({
    minutes: chance.pick([30, 120, 600]),
    channel: chance.pick(['C1', 'C2', 'C3']),
    quiet: chance.pick(nights),
    daily: chance.percent(50),
  });
  const lent = createLentReader(drawn(), reader.relay);
  const { list } = lent;
  const from = (id: string) => [{ kind: 'from' as const, what: 'service' as const, ids: [id] }];
  const input = () => {
    const { minutes, channel, quiet, daily } = list;
    const custody = { due: { by: 'time' as const, minutes, services: {} }, channel, quiet, daily };
    const common = { in: from(ways.in), out: from(ways.out), refused: false, zone: 'UTC', devices: {} };
    return { name: 'Tools', settings: { ...common, custody: { ...custody, others: 'managers' as const } } };
  };
  let id = '';
  const make = async () => {
    await linkMember({ store: world.store }, owner, linked.user, { id: linked.person, name: 'Mara' });
    id = await places.create(owner, input(), maker.person);
    await world.settle();
  };
  const save = async () => {
    await places.change(id, input());
    await world.settle();
  };
  await make();
  let lentSoFar = 0;
  const scan = async (tid: string, way: keyof typeof ways, userid = linked.user) => {
    reader.arrived(world.now());
    await world.scan(tid, { sid: ways[way], userid, status: '1', text: 'yes' });
    await world.settle();
  };
  const some = () => (lent.out.length > 0 ? chance.pick(lent.out) : undefined);
  const answer = async (change: { says: 'back'; by: string } | { says: 'extend'; by: string; until: number }) => {
    const thing = some();
    if (thing?.incident === undefined) return;
    const loan = await places.changeLoan(owner, thing.incident, change);
    if (loan?.isCurrent) {
      await (change.says === 'back' ? lent.saidBack(thing.tid) : lent.extended(thing.tid, change.until));
    }
    await world.settle();
  };

  const deeds: Readonly<Record<string, () => Promise<unknown>>> = {
    lend: async () => {
      const tid = chance.percent(25) ? (some()?.tid ?? 'LENT-0') : `LENT-${++lentSoFar}`;
      const user = chance.pick([linked.user, '2']);
      lent.lent(tid, user, world.now());
      await scan(tid, 'out', user);
    },
    bringBack: async () => {
      const thing = some();
      if (thing) {
        lent.broughtBack(thing.tid);
        await scan(thing.tid, 'in');
      }
    },
    sayBack: () => answer({ says: 'back', by: linked.person }),
    extend: () => answer({ says: 'extend', by: linked.person, until: world.now() + chance.pick([1, 5, 30]) * hour }),
    editDue: async () => {
      list.minutes = chance.pick([30, 120, 600]);
      lent.dueEdited(world.now());
      await save();
    },
    editList: async () => {
      Object.assign(list, drawn(), { minutes: list.minutes });
      lent.edited(world.now());
      await save();
    },
    forgetLent: async () => {
      const thing = some();
      if (thing) {
        lent.broughtBack(thing.tid);
        await world.forget(thing.tid);
        await places.forget(owner, thing.tid);
      }
    },
  };
  return { ...lent, deeds, make };
}
