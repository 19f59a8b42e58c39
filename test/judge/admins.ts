/** What admins change while people look barcodes up: services and databases in the account, relays in Scandesk. */
import { databases as operations } from '../../src/codereadr/operations/index.js';
import { setValue } from './changes.js';
import type { Step } from './history.js';
import { texts } from './history.js';
import type { DatabaseTruth } from './truth.js';
import { relaySettingsOf, serviceSlots, type World } from './world.js';

const mostDatabases = 5;

export async function changeService(world: World, step: Extract<Step, { do: 'service' }>): Promise<void> {
  // What posts to a relay stays as it is.
  const named = serviceSlots[step.service] ?? 'new';
  const slot = named === 'postback' ? 'new' : named;
  const of = world.databases[step.database];
  const database = of?.removedAt === undefined && step.kind !== 'record' ? of : undefined;
  const state = { kind: database ? step.kind : 'record', database } as const;
  const service = world.services.get(slot);
  const said = `${slot} is ${state.kind}${database ? ` by ${world.nameOf(database)}` : ''}`;
  if (step.change === 'make' || !service) {
    if (!service) {
      await world.createService(slot, state);
      world.note(`a service is made: ${said}`);
    }
    return;
  }
  // The account changes no method.
  if (step.change === 'settings' && (!service.now.database || !database)) {
    return;
  }
  const { id } = service;
  switch (step.change) {
    case 'settings':
      await call(world, 'services', 'update', { service_id: id, ...world.settingsOf(state) });
      service.change(state, world.nextMoment());
      world.note(`a service is changed: ${said}`);
      return;
    case 'name': {
      const name = `J${world.number} renamed ${world.nextMoment()}`;
      await call(world, 'services', 'update', { service_id: id, service_name: name });
      service.change({ name }, world.nextMoment());
      world.note(`${slot} is named ${name}`);
      return;
    }
    case 'remove':
      await call(world, 'services', 'delete', { service_id: id });
      world.remove(service);
      world.services.delete(slot);
      world.nextMoment();
      world.note(`${slot} is deleted`);
  }
}

export async function changeDatabase(world: World, step: Extract<Step, { do: 'database' }>): Promise<void> {
  if (step.change === 'make') {
    if (world.databases.length < mostDatabases) {
      const made = await world.createDatabase(`${world.databases.length}`, step.text % 2 === 0);
      world.databases.push(made);
      world.search();
      await setValue(world, made, texts[step.text] ?? '', true, false);
      world.note(`${world.nameOf(made)} is made, with ${JSON.stringify(texts[step.text])}`);
    }
    return;
  }
  const database = world.databases[step.database] as DatabaseTruth;
  // The account keeps a database that a service names.
  const isNamed = [...world.services.values()].some(({ now }) => now.database === database);
  const left = world.searched.filter(({ removedAt }) => removedAt === undefined);
  if (database.removedAt === undefined && !isNamed && left.length > 1) {
    await call(world, 'databases', 'delete', { database_id: database.id });
    database.remove(world.nextMoment());
    world.note(`${world.nameOf(database)} is deleted`);
  }
}

export async function changeRelay(world: World, step: Extract<Step, { do: 'relay' }>): Promise<void> {
  const relay = world.relays[step.relay % world.relays.length];
  if (!relay || relay.removed || world.connection > 0) {
    return;
  }
  const { relays } = world.app;
  // The service that posts to the first relay would be answered by nobody.
  if (step.change === 'remove') {
    if (relay !== world.relays[0] || !world.services.has('postback')) {
      await relays.remove(world.owner, relay.id);
      relay.removed = true;
      world.note(`${relay.name} is removed`);
    }
    return;
  }
  const checked = step.databases.flatMap((at) => world.databases[at] ?? []);
  const databases = checked.filter(({ removedAt }) => removedAt === undefined);
  if (databases.length === 0) {
    return;
  }
  const unknown = relay.acceptsUnknown ? 'accept' : 'reject';
  const { readings } = relay;
  const judging = { kind: 'database', databaseIds: databases.map(({ id }) => id), unknown, liveShare: 100, readings };
  await relays.change(world.owner, relay.id, { settings: relaySettingsOf(judging, step.limit) });
  relay.databases = databases;
  relay.limit = step.limit;
  world.nextMoment();
  world.app.mirror.wake();
  await world.settled();
  world.note(
    `${relay.name} is changed: by ${databases.map((one) => world.nameOf(one)).join(', ')}, ${JSON.stringify(step.limit)}`,
  );
}

/** Another workspace that connected the same account changes a value through Scandesk. */
export async function changeNextDoor(world: World, { database, text, held }: Extract<Step, { do: 'nextDoor' }>) {
  const of = world.databases[database] as DatabaseTruth;
  const value = texts[text] ?? '';
  const before = of.holds(value);
  if (of.removedAt !== undefined || before === undefined || before === held || world.account.broken) {
    return;
  }
  const { accounts, mirror, store } = world.app;
  const { neighbour } = world;
  if ((await store.workspaces.apiKey(neighbour)) !== world.key) {
    await store.workspaces.connect(neighbour, world.key, { connectedBy: 'U1', connectedAt: world.clock.now() });
    await world.settled();
  }
  const account = accounts.open(world.key);
  const input = { database_id: of.id, value, validity: held };
  await world.answered(account.client.call(operations.editvalue, input));
  of.set(value, held, world.nextMoment(), false);
  const change = { section: 'databases', action: 'editvalue', input: { ...input, validity: held ? '1' : '0' } };
  await world.answered(mirror.noteChange(neighbour, account, change));
  world.note(`${JSON.stringify(value)} is ${held ? '' : 'not '}valid in ${world.nameOf(of)}, by another workspace`);
}

async function call(world: World, section: string, action: string, variables: Readonly<Record<string, string>>) {
  const answer = await world.account.call(section, action, variables);
  if (!answer.includes('<status>1')) {
    throw new Error(`${section}/${action}: ${answer}`);
  }
}
