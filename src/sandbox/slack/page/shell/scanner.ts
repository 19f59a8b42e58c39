/**
 * The scanner: a simulated phone with a service, device, user and barcode to pick, a button to scan, and the response.
 * A scan to a direct service without a response stays on the device until it is sent again.
 */
import type { ScannerState, ScanResult } from '../../../codereadr/api.js';
import { RequestFailed, type ScannerClient } from '../client.js';
import { el, fill, freshId, pushButton } from '../dom.js';
import { createRefresher } from '../live.js';
import { picker, setChoices } from './scanner-picker.js';
import { createQuestions } from './scanner-questions.js';
import { drawResult } from './scanner-result.js';
import { drawUnsent } from './scanner-unsent.js';
import { drawServiceUrl } from './scanner-url.js';

type Service = ScannerState['services'][number];

export interface Scanner {
  readonly node: HTMLElement;
  /** Reloads the choices. A service whose URL was set in the meantime becomes the selected one. */
  refresh(): Promise<void>;
  focus(): void;
}

/** The questions asked before a scan; all other questions come after it, if at all. */
const earlyConditions = new Set(['pre_submit', 'shared_submit']);

export interface ScannerEvents {
  onState(state: ScannerState): void;
  /** Called when a service's URL answered a scan of this barcode with HTTP 200. */
  onScan(barcode: string): void;
}

export function createScanner(client: ScannerClient, events: ScannerEvents): Scanner {
  let state: ScannerState | undefined;
  let drawnFor: { readonly id: string | undefined; readonly signature: string } | undefined;
  let busy = false;
  /** The barcode as it was picked: a text box drops line breaks, which a barcode may contain. */
  let pickedBarcode: string | undefined;

  const service = picker('Service', 'scanner-service', () => showService());
  const device = picker('Device', 'scanner-device', () => void run(showKept));
  const user = picker('User', 'scanner-user', () => undefined);
  const url = el('div');
  const samples = el('div', { class: 'samples', role: 'group', 'aria-label': 'Sample barcodes' });
  const valueId = freshId('value');
  const value = el('input', {
    id: valueId,
    class: 'box barcode-box',
    type: 'text',
    'data-test': 'scanner-value',
    placeholder: 'Enter a barcode, or pick one',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    oninput: () => {
      pickedBarcode = undefined;
      mark();
    },
  });
  const barcodeNow = (): string => pickedBarcode ?? value.value;
  const questions = createQuestions();
  const scan = el(
    'button',
    { type: 'submit', class: 'button button-primary scan', 'data-test': 'scanner-scan' },
    'Scan',
  );
  const result = el('div', { class: 'result-place', 'aria-live': 'assertive' });
  const keptScans = el('div', { class: 'kept' });
  const form = el(
    'form',
    {
      class: 'phone',
      onsubmit: (event: Event) => {
        event.preventDefault();
        void run(go);
      },
    },
    el('div', { class: 'phone-top', 'aria-hidden': 'true' }),
    el('div', { class: 'scanner-service' }, service.row, url),
    el('div', { class: 'scanner-row' }, el('label', { for: valueId }, 'Barcode'), value),
    samples,
    questions.node,
    scan,
    result,
    keptScans,
    el('div', { class: 'scanner-setup' }, device.row, user.row),
  );
  const trouble = el('p', { class: 'empty scanner-trouble', role: 'status' });
  const node = el('div', { class: 'scanner' }, trouble, form);

  const current = (): Service | undefined => state?.services.find((one) => one.id === service.select.value);

  const mark = (): void => {
    for (const chip of samples.querySelectorAll('button')) {
      chip.setAttribute('aria-pressed', String(chip.dataset.value === barcodeNow()));
    }
  };

  /** Shows the samples, questions and URL of the selected service. */
  const showService = (): void => {
    const one = current();
    const signature = JSON.stringify(one ?? null);
    if (signature === drawnFor?.signature) return;
    if (drawnFor && drawnFor.id !== one?.id) fill(result);
    drawnFor = { id: one?.id, signature };
    fill(
      samples,
      ...(one?.samples ?? []).map((sample) =>
        pushButton(
          {
            class: 'sample',
            title: sample.hint,
            'data-test': 'scanner-sample',
            'data-value': sample.value,
            onclick: () => {
              value.value = sample.value;
              pickedBarcode = sample.value;
              mark();
              scan.focus();
            },
          },
          el('span', { class: 'barcode' }, sample.value),
          el('small', {}, sample.hint),
        ),
      ),
    );
    mark();
    questions.show((one?.questions ?? []).filter((question) => earlyConditions.has(question.condition)));
    if (!one || !state) {
      fill(url);
      return;
    }
    const { api_key: key } = state;
    fill(
      url,
      drawServiceUrl(one, async (address, receiverOnly) => {
        const refused = await client.setUrl(key, one, address, receiverOnly);
        if (refused === undefined) await refresh();
        return refused;
      }),
    );
  };

  const showKept = async (): Promise<void> => {
    const deviceId = device.select.value;
    if (deviceId === '') return;
    const scans = await client.kept(deviceId);
    if (deviceId === device.select.value)
      fill(
        keptScans,
        drawUnsent(scans, () => void run(upload)),
      );
  };

  /** Runs a request to the account; an error or a timeout shows in place of the result. */
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (busy) return;
    busy = true;
    scan.setAttribute('aria-busy', 'true');
    try {
      await work();
    } catch (error) {
      const why =
        error instanceof RequestFailed && error.code !== 'unreachable'
          ? error.message
          : 'The scanning account is not responding. Try again.';
      fill(result, el('p', { class: 'field-error', role: 'alert', 'data-test': 'scanner-trouble' }, why));
    } finally {
      busy = false;
      scan.removeAttribute('aria-busy');
    }
  };

  const show = async (answer: ScanResult, barcode: string): Promise<void> => {
    fill(result, drawResult(answer, barcode), answer.asks && drawAsked(answer.asks, barcode));
    if (answer.posted?.http_status === 200) events.onScan(barcode);
    result.scrollIntoView({ block: 'nearest' });
    await showKept();
  };

  /** Draws the device's follow-up questions; their answers complete the scan. */
  const drawAsked = (asks: NonNullable<ScanResult['asks']>, barcode: string): HTMLElement => {
    const asked = createQuestions();
    asked.show(asks.questions);
    const send = async (): Promise<void> => {
      const answers = asked.answers();
      if (answers) await show(await client.answer(asks.pending_id, answers), barcode);
    };
    const button = { type: 'button', class: 'button button-primary', 'data-test': 'scanner-send-answers' };
    return el(
      'div',
      { class: 'asked' },
      asked.node,
      el('button', { ...button, onclick: () => void run(send) }, 'Send answers'),
    );
  };

  const upload = async (): Promise<void> => {
    const results = await client.upload(device.select.value);
    const still = results.filter((one) => one.shown.kind === 'kept').length;
    const words =
      still === 0 ? `${results.length} uploaded.` : `${results.length - still} uploaded, ${still} still on the device.`;
    const last = results.at(-1);
    fill(
      result,
      el('p', { class: 'upload-words', role: 'status', 'data-test': 'scanner-uploaded' }, words),
      last && drawResult(last, ''),
    );
    await showKept();
  };

  const go = async (): Promise<void> => {
    const one = current();
    if (!one) return;
    const barcode = barcodeNow();
    if (barcode === '') {
      value.focus();
      fill(result, el('p', { class: 'field-error', role: 'alert' }, 'Enter a barcode first, or pick one.'));
      return;
    }
    const answers = questions.answers();
    if (!answers) return;
    const answer = await client.scan({
      service_id: one.id,
      device_id: device.select.value,
      user_id: user.select.value,
      value: barcode,
      ...(Object.keys(answers).length > 0 ? { answers } : {}),
    });
    await show(answer, barcode);
  };

  const refresh = createRefresher(async (): Promise<void> => {
    const before = state?.services;
    try {
      state = await client.state();
    } catch {
      trouble.textContent = 'There is no scanning account here. Start the demo to get one.';
      form.hidden = true;
      return;
    }
    trouble.textContent = '';
    form.hidden = false;
    events.onState(state);
    setChoices(service.select, state.services);
    const redirectedService = state.services.find(
      ({ id, postback_url: url }) => url !== '' && before?.some((was) => was.id === id && was.postback_url !== url),
    );
    if (redirectedService) service.select.value = redirectedService.id;
    setChoices(device.select, state.devices);
    setChoices(user.select, state.users);
    showService();
    await showKept().catch(() => undefined);
  });

  return { node, refresh, focus: () => value.focus() };
}
