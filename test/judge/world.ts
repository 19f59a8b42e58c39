/**
 * A world in which one history happens: databases, services and relays of its own in the judge's account, Scandesk beside
 * it, and the judge's record of all that was done.
 */

import type { Owner } from '../../src/ownership.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import { createShelf } from '../exports/world.js';
import { gate } from '../helpers/relay.js';
import type { JudgedAccount } from './account.js';
import { type JudgedApp, startJudgedApp } from './app.js';
import type { Kind } from './card-law.js';
import type { ShownCard } from './cards.js';
import { setValue } from './changes.js';
import type { MovableClock } from './clock.js';
import { goToClockChange } from './events.js';
import { type History, texts } from './history.js';
import type { ShownSearch } from './scans.js';
import { stillness } from './stillness.js';
import {
  DatabaseTruth,
  type Limit,
  minuteMs,
  type RelayTruth,
  type ScanTruth,
  type ServiceState,
  ServiceTruth,
  type Truth,
  timeText,
} from './truth.js';

export interface Counted {
  /** Of the answers while the account could answer, the number of sure ones, and the titles of those not sure. */
  sure: number;
  notSure: string[];
  questions: number;
}

export interface JudgedRelay extends RelayTruth {
  readonly id: string;
  readonly path: string;
}

interface Sent {
  readonly scan: ScanTruth;
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The texts of results; what could not be checked keeps the product's own, which says why. */
const answers = Object.fromEntries(
  (['valid', 'invalid', 'duplicate', 'limit', 'unknown_accepted'] as const).map((code) => [
    code,
    { text: `code ${code}` },
  ]),
);
/** A pass begins five minutes after the last, or one for each call that the last took, where that is longer. */
const copiedWithinMs = 9 * minuteMs;
const momentMs = 5;
/** How often the mirror polls. */
const pollMs = 15_000;
/** The services of a history; `new` is made during it. */
export const serviceSlots = ['once', 'often', 'record', 'postback', 'new'] as const;
export type ServiceSlot = (typeof serviceSlots)[number];
let histories = 0;

/** The settings by which a relay does what the truth says. */
export function relaySettingsOf(judging: object, { kind, ...settings }: Limit) {
  const { minutes: withinMinutes, ...most } = { minutes: 0, ...settings };
  const within = withinMinutes === 0 ? {} : { withinMinutes };
  const limits = kind === 'none' ? {} : { [kind]: { ...most, ...within } };
  return relaySettingsSchema.parse({ judging, answers, ...limits });
}

export class World {
  readonly steps: string[] = [];
  readonly databases: DatabaseTruth[] = [];
  /** The databases that lookups search: all, or those that admins chose. */
  searched: readonly DatabaseTruth[] = [];
  readonly services = new Map<ServiceSlot, ServiceTruth>();
  /** Those that were deleted. */
  readonly goneServices: ServiceTruth[] = [];
  readonly relays: JudgedRelay[] = [];
  readonly scans: Writable<ScanTruth>[] = [];
  readonly sent: Sent[] = [];
  /** The times that devices said already. */
  readonly used = new Set<number>();
  /** Cards and searches that were shown, and can be shared. */
  readonly cards: ShownCard[] = [];
  /** The last title of each barcode's own card. */
  readonly titles = new Map<string, { readonly title: string; readonly kind: Kind } | undefined>();
  readonly searches: ShownSearch[] = [];
  /** How many accounts were connected before. */
  connection = 0;
  /** Where people are. */
  readonly zone = 'Europe/Berlin';
  /** The answers in the order of the questions, as a relay's result, or a headline and the number of scans. */
  readonly answers: string[] = [];
  readonly owner: Owner;
  readonly number: number;
  /** The processes on one store, which take turns, one each step. */
  readonly apps: JudgedApp[] = [];
  private turn = 0;
  isChosen = false;
  /** How many services were made. */
  private made = 0;
  /** Another workspace that connected the same account. */
  readonly neighbour: Owner;
  /** Where files go. */
  readonly shelf = createShelf();
  key: string;
  /** Whether the clock had to move before the last question was answered. */
  moved = false;

  constructor(
    readonly url: string,
    readonly account: JudgedAccount,
    readonly clock: MovableClock,
    readonly counted: Counted,
  ) {
    histories += 1;
    this.number = histories;
    this.key = account.desk.apiKey;
    this.owner = { installation: `T${histories}`, team: `T${histories}` };
    this.neighbour = { installation: `N${histories}`, team: `N${histories}` };
  }

  get app(): JudgedApp {
    return this.apps[this.turn % this.apps.length] as JudgedApp;
  }

  startApp(): Promise<JudgedApp> {
    return startJudgedApp(this.url, this.account.desk, this.clock, this.shelf);
  }

  nextTurn(): void {
    this.turn += 1;
  }

  /** After what the account did just now: a pass that began at that moment may have read the account before it. */
  nextMoment(): number {
    this.clock.advance(1);
    return this.clock.now();
  }

  /** What happened, for a report. */
  get happened(): string {
    return this.steps.map((line) => `  ${line}`).join('\n');
  }

  get truth(): Truth {
    return { databases: this.searched, scans: this.scans };
  }

  async begin({ relays, values, steps, chosen, atClockChange }: History): Promise<void> {
    const { account, clock } = this;
    // What the history before left in caches is old by now.
    clock.advance(60 * minuteMs);
    if (atClockChange) {
      goToClockChange(this);
    }
    for (const [at, ignoresCase] of [true, false, true].entries()) {
      this.databases.push(await this.createDatabase(`${at}`, ignoresCase));
    }
    for (const { database, text, held } of values) {
      await setValue(this, this.databases[database] as DatabaseTruth, texts[text] ?? '', held, false);
    }
    this.apps.push(await this.startApp());
    const { store, relays: made } = this.app;
    // Names of the history before: the account is the same.
    await store.db.deleteFrom('keyv').execute();
    account.desk.calls.length = 0;
    const lookupDatabases = this.databases.map(({ id }) => id);
    this.isChosen = chosen;
    this.search();
    account.onListed = () => this.listServices();
    await store.workspaces.connect(this.owner, this.key, { connectedBy: 'U1', connectedAt: clock.now() });
    await store.workspaces.change(this.owner, chosen ? { lookupDatabases } : {});
    for (const [at, { databases, limit, unknown, readings = false }] of relays.entries()) {
      const checked = databases.map((each) => this.databases[each] as DatabaseTruth);
      const judging = { kind: 'database', databaseIds: checked.map(({ id }) => id), unknown, liveShare: 100, readings };
      const { path, relay } = await made.create({
        ...gate,
        owner: this.owner,
        serviceName: `Relay ${at}`,
        settings: relaySettingsOf(judging, limit),
      });
      this.relays.push({
        id: relay.id,
        name: `Relay ${at}`,
        databases: checked,
        limit,
        acceptsUnknown: unknown === 'accept',
        readings,
        path,
        removed: false,
      });
    }
    await Promise.all(
      serviceSlots.map((slot, at) =>
        slot !== 'new' && steps.some((step) => step.do === 'scan' && step.service === at)
          ? this.createService(slot)
          : undefined,
      ),
    );
    await this.wait(1);
    this.note(
      `relays: ${this.relays.map(({ name, databases, limit }) => `${name} by ${databases.map((one) => this.nameOf(one)).join(', ')}, ${JSON.stringify(limit)}`).join('; ')}`,
    );
    this.note(
      `values: ${values.map(({ database, text, held }) => `${JSON.stringify(texts[text])} ${held ? 'valid' : 'not valid'} in D${database}`).join(', ')}`,
    );
  }

  async createDatabase(name: string, ignoresCase: boolean): Promise<DatabaseTruth> {
    const database_name = `J${this.number}-${name}${ignoresCase ? ' ignores case' : ''}`;
    const case_sensitivity = ignoresCase ? '0' : '1';
    const id = await this.account.create('databases', { database_name, case_sensitivity });
    return new DatabaseTruth(id, ignoresCase, this.apps.length > 0 ? this.clock.now() : undefined);
  }

  async createService(
    slot: ServiceSlot,
    of: Pick<ServiceState, 'kind' | 'database'> = this.usualService(slot),
  ): Promise<void> {
    const { account, number } = this;
    const state = { ...of, at: this.clock.now(), name: `J${number} ${slot} ${this.made++}` };
    const id = await account.create('services', { service_name: state.name, ...this.settingsOf(of) });
    await account.call('services', 'adduserpermission', { service_id: id, user_id: account.people.user });
    this.services.set(slot, new ServiceTruth(id, state));
  }

  private usualService(slot: ServiceSlot): Pick<ServiceState, 'kind' | 'database'> {
    const kind = slot === 'new' ? 'once' : slot;
    return { kind, database: kind === 'once' ? this.databases[0] : kind === 'often' ? this.databases[1] : undefined };
  }

  /** The settings by which the account makes a service what it is. */
  settingsOf({ kind, database }: Pick<ServiceState, 'kind' | 'database'>): Readonly<Record<string, string>> {
    const settings: Readonly<Record<string, string>> = {
      once: { validation_method: 'database', duplicate_value: '0' },
      often: { validation_method: 'database', duplicate_value: '1' },
      record: { validation_method: 'record' },
      postback: { validation_method: 'postback', postback_url: kind === 'postback' ? this.postbackUrl() : '' },
    }[kind];
    return { ...settings, ...(database ? { database_id: database.id } : {}) };
  }

  /** Scandesk is told what services there are. */
  private listServices(): void {
    for (const service of this.services.values()) {
      service.now.seenAt ??= this.clock.now();
    }
  }

  /** Says again which databases lookups search. */
  search(): void {
    const first = this.databases.slice(0, 3);
    this.searched = this.isChosen ? first : this.databases;
  }

  postbackUrl(): string {
    return `${this.app.relayUrl}${this.relays[0]?.path}`;
  }

  async end(): Promise<void> {
    const { account } = this;
    account.mend();
    account.onListed = () => undefined;
    await this.apps[0]?.store.workspaces.disconnect(this.owner);
    await this.apps[0]?.store.workspaces.disconnect(this.neighbour);
    // Else each poll of the histories after would read them.
    for (const { id, removed } of this.relays) {
      if (!removed) {
        await this.apps[0]?.relays.remove(this.owner, id);
      }
    }
    for (const app of this.apps) {
      await app.stop();
    }
    await this.empty();
  }

  /** Deletes what the account has. */
  async empty(): Promise<void> {
    const { account } = this;
    await account.deleteScans(
      this.scans.flatMap(({ account: kept }) => (kept && kept.to === undefined ? kept.id : [])),
    );
    if (this.services.size > 0) {
      await account.call('services', 'delete', {
        service_id: [...this.services.values()].map(({ id }) => id).join(','),
      });
      for (const service of this.services.values()) {
        this.remove(service);
      }
      this.services.clear();
    }
    for (const { id, removedAt } of this.databases) {
      const answer = removedAt === undefined ? await account.call('databases', 'delete', { database_id: id }) : '';
      if (answer.includes('<error')) {
        throw new Error(`a database stays, which lookups of the next history would search: ${answer}`);
      }
    }
  }

  note(line: string): void {
    this.steps.push(`${timeText(this.clock.now())} ${line}`);
  }

  /** The service is deleted now. */
  remove(service: ServiceTruth): void {
    const now = this.clock.now();
    service.removedAt = now;
    // The account deletes the scans with it.
    for (const { account } of this.scans) {
      if (account?.service === service && account.to === undefined) {
        account.to = now;
      }
    }
    this.goneServices.push(service);
  }

  nameOf(database: DatabaseTruth): string {
    return `D${this.databases.indexOf(database)}${database.ignoresCase ? '' : ' (minds case)'}`;
  }

  /** Resolves once nothing happens any more. Calls of passes are a moment apart. */
  async settled(times = 3): Promise<void> {
    for (let quiet = 0, rounds = 0; quiet < times && rounds < 500; rounds += 1) {
      const before = this.activity();
      this.clock.advance(momentMs);
      await this.still();
      quiet = this.activity() === before ? quiet + 1 : 0;
    }
  }

  private activity(): number {
    const { desk } = this.account;
    return desk.calls.length + desk.answered() + this.clock.sleeps;
  }

  still(): Promise<void> {
    return stillness(() => this.account.held);
  }

  /** Waits for an answer; where nothing else happens, the clock goes on as it would for people who wait. */
  async answered<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const ended = work.finally(() => {
      done = true;
    });
    ended.catch(() => undefined);
    this.moved = false;
    for (;;) {
      await Promise.race([ended.catch(() => undefined), this.still()]);
      if (done) {
        return await ended;
      }
      this.moved = true;
      this.clock.advance(1_000);
    }
  }

  async wait(minutes: number): Promise<void> {
    for (let left = minutes * minuteMs, part = Math.max(minuteMs, left / 2); left > 0; left -= part) {
      this.clock.advance(Math.min(left, part));
      await this.settled(4);
    }
    await this.copied();
  }

  /** Waits until the copy is as young as it should be by now, where that is possible. */
  async copied(): Promise<void> {
    const { account, app, clock, owner } = this;
    for (let tries = 0; tries < 400 && !account.broken && !account.isHolding; tries += 1) {
      const values = await app.mirror.states(owner);
      const scans = await app.mirror.scansState(owner);
      const since = clock.now() - copiedWithinMs;
      if (values.length > 0 && values.every(({ fetchedAt = 0 }) => fetchedAt > since) && (scans?.at ?? 0) > since) {
        return;
      }
      await this.settled(2);
      // The clock goes to when the next sleeper wakes; work under way while the time moved polls again by itself.
      clock.advance(Math.min(Math.max(momentMs, (clock.next() ?? 0) - clock.now()), pollMs));
    }
  }

  /** Whether calls are left as far as the app knows, the account answers, and no page is on its way. */
  async undisturbed(): Promise<boolean> {
    const { account, app } = this;
    const { minute, day } = app.accounts.open(this.key).client.callsLeft();
    return (
      !account.broken && !account.isHolding && account.held === 0 && (minute.left ?? 99) > 20 && (day.left ?? 99) > 20
    );
  }

  /** Whether nobody could be surer: a service with a limit is gone since less than a day, or no database is left. */
  isExcused(kind: string, now: number): boolean {
    const isGone = this.goneServices.some(
      ({ removedAt = 0, states }) => states.some((was) => was.kind === 'once') && removedAt > now - 24 * 60 * minuteMs,
    );
    return kind === 'incomplete' && isGone;
  }

  /** Whether calls are left today: until the day ends, the app asks nothing by a key whose calls are used up. */
  hasCallsToday(): boolean {
    return this.app.accounts.open(this.key).client.callsLeft().day.left !== 0;
  }

  isDown(): boolean {
    const { broken } = this.account;
    return broken === 'outage' || broken === 'key' || broken === 'minute' || broken === 'day';
  }

  verdict(wrong: readonly string[], undisturbed: boolean, unsure: boolean, what: string): void {
    this.counted.questions += 1;
    if (undisturbed && unsure) {
      this.counted.notSure.push(what);
    } else if (undisturbed) {
      this.counted.sure += 1;
    }
    if (wrong.length > 0) {
      throw new Error(`wrong: ${wrong.join('; ')}`);
    }
  }
}
