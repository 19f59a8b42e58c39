/**
 * The embedded account of the judge, empty at first, with faults on the wire of Scandesk. The judge speaks to it beside
 * that wire, as other clients do.
 */
import { type Call, type DeskHarness, startDesk, xmlError } from '../lookup/harness.js';
import type { MovableClock } from './clock.js';
import type { Fault } from './history.js';

const direct = 'judge';
const quotaUsed =
  '<?xml version="1.0" encoding="UTF-8"?><xml><status>1</status><minute left="0" limit="30"/><day left="0" limit="21600"/></xml>';

interface Holding {
  readonly released: Promise<void>;
  readonly release: () => void;
  holds(call: Call): boolean;
}

/** Takes the last item out of an answer that counts its items. */
function cutShort(answer: string): string {
  const tag = /<(value|scan|service|database)\b(?: [^>]*)?>/.exec(answer)?.[1];
  const last = tag === undefined ? -1 : answer.lastIndexOf(`<${tag} `);
  const end = answer.lastIndexOf(`</${tag}>`);
  return answer.includes('<count>') && last >= 0 && end > last
    ? answer.slice(0, last) + answer.slice(end + `</${tag}>`.length)
    : answer;
}

export class JudgedAccount {
  private fault: Fault | undefined;
  private holding: Holding | undefined;
  /** The number of answers that are held back. */
  held = 0;
  /** Called when Scandesk is told what services there are. */
  onListed: () => void = () => undefined;

  private constructor(
    readonly desk: DeskHarness,
    readonly people: { readonly user: string; readonly device: string; readonly udid: string },
  ) {
    desk.onWire((call) => this.onWire(call));
  }

  static async start(clock: MovableClock): Promise<JudgedAccount> {
    const desk = await startDesk({ clock, callsPerMinute: 1_000_000 });
    const state = (await (await fetch(desk.apiUrl.replace('/api/', '/scanner/state'))).json()) as {
      services: { id: string }[];
      users: { id: string }[];
      devices: { id: string; udid: string }[];
    };
    const account = new JudgedAccount(desk, {
      user: state.users[0]?.id ?? '',
      device: state.devices[0]?.id ?? '',
      udid: 'judge-device',
    });
    const ids = (tag: string, xml: string) =>
      [...xml.matchAll(new RegExp(`<${tag} id="(\\d+)"`, 'g'))].map(([, id]) => id ?? '');
    await account.call('services', 'delete', { service_id: state.services.map(({ id }) => id).join(',') });
    for (const database_id of ids('database', await account.call('databases', 'retrieve', {}))) {
      await account.call('databases', 'delete', { database_id });
    }
    await account.deleteScans(ids('scan', await account.call('scans', 'retrieve', {})));
    return account;
  }

  /** A call of another client. */
  async call(section: string, action: string, variables: Readonly<Record<string, string>>): Promise<string> {
    const body = new URLSearchParams({ section, action, api_key: this.desk.apiKey, [direct]: '1', ...variables });
    return await (await fetch(this.desk.apiUrl, { method: 'POST', body })).text();
  }

  async create(section: string, variables: Readonly<Record<string, string>>): Promise<string> {
    const answer = await this.call(section, 'create', variables);
    const id = /<id>(\d+)/.exec(answer)?.[1];
    if (id === undefined) {
      throw new Error(`${section}/create: ${answer}`);
    }
    return id;
  }

  /** What a database says of a value. */
  async holds(database_id: string, value: string): Promise<boolean | undefined> {
    const answer = await this.call('databases', 'showvalues', { database_id, value });
    const said = /validity="(\d)"/.exec(answer)?.[1];
    return said === undefined ? undefined : said === '1';
  }

  async deleteScans(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) {
      await this.call('scans', 'delete', { scan_id: ids.join(',') });
    }
  }

  /** A scan by a device of the account. */
  async scan(service_id: string, value: string, scanned_at: string) {
    const { user, device } = this.people;
    const answer = await fetch(this.desk.apiUrl.replace('/api/', '/scanner/scan'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service_id, device_id: device, user_id: user, value, scanned_at }),
    });
    return (await answer.json()) as {
      scan_id?: string;
      shown: { kind: string; text: string };
      posted?: { body?: string };
    };
  }

  break(fault: Fault): void {
    this.mend();
    this.fault = fault;
    if (fault === 'slow') {
      this.hold(() => true);
    }
  }

  mend(): void {
    this.fault = undefined;
    this.release();
  }

  get broken(): Fault | undefined {
    return this.fault;
  }

  /** Holds back the answers to the calls that `holds` selects, until `release`. */
  hold(holds: Holding['holds']): void {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.holding = { released, release, holds };
  }

  release(): void {
    this.holding?.release();
    this.holding = undefined;
  }

  get isHolding(): boolean {
    return this.holding !== undefined;
  }

  private async onWire({ operation, variables }: Call): Promise<string | undefined> {
    if (variables.has(direct) || !variables.has('section')) {
      return undefined;
    }
    switch (this.fault) {
      case 'outage':
        return 'reset';
      case 'key':
        return xmlError('100', 'API key invalid');
      case 'minute':
        return operation === 'limits/retrieve' ? quotaUsed : xmlError('111', 'minute limit used up');
      case 'day':
        return operation === 'limits/retrieve' ? quotaUsed : xmlError('113', 'day limit used up');
      case 'services':
      case 'databases':
        return operation === `${this.fault}/retrieve` ? 'reset' : await this.answered(operation, variables);
      case 'short':
        return cutShort(await this.again(variables));
      default: {
        if (!this.holding?.holds({ operation, variables })) {
          return await this.answered(operation, variables);
        }
        const { released } = this.holding;
        this.held += 1;
        const body = await this.again(variables);
        await released;
        this.held -= 1;
        return body;
      }
    }
  }

  private async answered(operation: string, variables: URLSearchParams): Promise<string | undefined> {
    if (operation === 'services/retrieve') {
      this.onListed();
    }
    return variables.get('api_key') === this.desk.apiKey ? undefined : await this.again(variables);
  }

  /** As the account answers now, by whatever key it is asked: it stands for several accounts, one after the other. */
  private async again(variables: URLSearchParams): Promise<string> {
    const body = new URLSearchParams([...variables].filter(([name]) => name !== 'api_key'));
    body.set('api_key', this.desk.apiKey);
    body.set(direct, '1');
    return await (await fetch(this.desk.apiUrl, { method: 'POST', body })).text();
  }

  close(): Promise<void> {
    this.mend();
    return this.desk.close();
  }
}
