/**
 * Progress through the getting-started guide: what the workspace has done, whoever did it, and what this page has seen
 * since. A step counts only once the workspace or the account shows that it succeeded.
 */
import type { ScannerState } from '../../../codereadr/api.js';
import type { GuideStep, ShownMessage, ShownView } from '../../api.js';

export const stepNames = ['connect', 'lookup', 'relay', 'scan'] as const satisfies readonly GuideStep[];
export type StepName = GuideStep;

export interface Progress {
  has(step: StepName): boolean;
  /** The first unfinished step. */
  current(): StepName | undefined;
  /** Tells when the app was installed, and what was done since: a new installation starts the guide over. */
  installed(at: number | undefined, done: readonly StepName[]): void;
  sawViews(stack: readonly ShownView[]): void;
  sawMessages(messages: readonly ShownMessage[]): void;
  sawServices(services: ScannerState['services']): void;
  /** Tells that a service's URL has answered a scan of this barcode. */
  scanned(barcode: string): void;
}

/** The modal that follows when the account has accepted a key. */
const connectedCallbackId = 'connect.databases';
/** A button that only a result card has, never an error message. */
const cardButton = '"action_id":"lookup.share"';
const scanEventType = 'scandesk_scan';

export function createProgress(onChange: () => void): Progress {
  let done = new Set<StepName>();
  let installedAt: number | undefined;
  const barcodes = new Set<string>();

  const succeed = (step: StepName): void => {
    if (done.has(step)) return;
    done.add(step);
    onChange();
  };
  const shows = (message: ShownMessage, text: string): boolean => JSON.stringify(message.blocks ?? []).includes(text);

  return {
    has: (step) => done.has(step),
    current: () => stepNames.find((step) => !done.has(step)),
    installed(at, steps) {
      // What was seen before the workspace told of its installation belongs to it.
      const isAnother = installedAt !== undefined && at !== installedAt;
      const before = isAnother ? new Set<StepName>() : done;
      const now = new Set([...before, ...steps]);
      if (at === installedAt && now.size === done.size) return;
      installedAt = at;
      done = now;
      onChange();
    },
    sawViews(stack) {
      if (stack.some((view) => view.callback_id === connectedCallbackId)) succeed('connect');
    },
    sawMessages(messages) {
      if (messages.some((message) => shows(message, cardButton))) succeed('lookup');
      const posted = messages.filter((message) => message.metadata?.event_type === scanEventType);
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
