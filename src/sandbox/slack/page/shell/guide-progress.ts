/**
 * Progress through the getting-started guide. A step counts only once the workspace or the account shows that it
 * succeeded.
 * The browser stores it per installation of the app.
 */
import type { ScannerState } from '../../../codereadr/api.js';
import type { ShownMessage, ShownView } from '../../api.js';

export const stepNames = ['connect', 'lookup', 'relay', 'scan'] as const;
export type StepName = (typeof stepNames)[number];

export interface Progress {
  has(step: StepName): boolean;
  /** The first unfinished step. */
  current(): StepName | undefined;
  /** Tells when the app was installed: a new installation starts the guide over. */
  installed(at: number | undefined): void;
  sawViews(stack: readonly ShownView[]): void;
  sawMessages(messages: readonly ShownMessage[]): void;
  sawServices(services: ScannerState['services']): void;
  /** Tells that a device has scanned this barcode and got an answer. */
  scanned(barcode: string): void;
}

const memory = 'scandesk-demo-guide';

/** The modal that follows when the account has accepted a key. */
const afterConnect = 'connect.databases';
/** A button that only a result card has, never an error message. */
const onCard = '"action_id":"lookup.share"';
const scanPosted = 'scandesk_scan';

function remembered(at: number): StepName[] {
  try {
    const storedProgress: unknown = JSON.parse(localStorage.getItem(memory) ?? 'null');
    const { installedAt, done } = (storedProgress ?? {}) as { installedAt?: unknown; done?: unknown };
    return installedAt === at && Array.isArray(done) ? stepNames.filter((name) => done.includes(name)) : [];
  } catch {
    return [];
  }
}

function remember(installedAt: number, done: ReadonlySet<StepName>): void {
  try {
    localStorage.setItem(memory, JSON.stringify({ installedAt, done: [...done] }));
  } catch {
    // Without storage, progress is only lost until the next visit.
  }
}

export function createProgress(onChange: () => void): Progress {
  let done = new Set<StepName>();
  let installedAt: number | undefined;
  const barcodes = new Set<string>();

  const succeed = (step: StepName): void => {
    if (done.has(step) || installedAt === undefined) return;
    done.add(step);
    remember(installedAt, done);
    onChange();
  };
  const shows = (message: ShownMessage, text: string): boolean => JSON.stringify(message.blocks ?? []).includes(text);

  return {
    has: (step) => done.has(step),
    current: () => stepNames.find((step) => !done.has(step)),
    installed(at) {
      if (at === installedAt) return;
      installedAt = at;
      done = new Set(at === undefined ? [] : remembered(at));
      onChange();
    },
    sawViews(stack) {
      if (stack.some((view) => view.callback_id === afterConnect)) succeed('connect');
    },
    sawMessages(messages) {
      if (messages.some((message) => shows(message, onCard))) succeed('lookup');
      const posted = messages.filter((message) => message.metadata?.event_type === scanPosted);
      // A whole text: the ids of blocks contain any short barcode by chance.
      const mine = [...barcodes].map((barcode) => `"text":${JSON.stringify(barcode)}`);
      if (posted.some((message) => mine.some((barcode) => shows(message, barcode)))) succeed('scan');
    },
    sawServices(services) {
      if (services.some((service) => /\/relay\//.test(service.postback_url))) succeed('relay');
    },
    scanned(barcode) {
      barcodes.add(barcode);
    },
  };
}
