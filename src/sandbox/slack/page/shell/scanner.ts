/**
 * Draws the scanner: a phone on which one picks a service, a device, a user and a barcode, scans, and reads what a device
 * would show. What nobody answered stays on the device until it is sent again.
 */
import type { ScannerState, ScanResult } from '../../../account/api.js';
import type { ScannerClient } from '../client.js';
import { el, fill, freshId } from '../dom.js';
import { drawQuestion, type QuestionField } from './scanner-question.js';
import { drawResult } from './scanner-result.js';
import { drawServiceUrl } from './scanner-url.js';

type Service = ScannerState['services'][number];

export interface Scanner {
  readonly node: HTMLElement;
  /** Asks again what there is to pick. */
  refresh(): Promise<void>;
}

function picker(label: string, test: string, onchange: () => void): { row: HTMLElement; select: HTMLSelectElement } {
  const id = freshId('pick');
  const select = el('select', { id, class: 'box', 'data-test': test, onchange });
  return { select, row: el('div', { class: 'scanner-row' }, el('label', { for: id }, label), select) };
}

function offer(select: HTMLSelectElement, items: readonly { readonly id: string; readonly name: string }[]): void {
  const before = select.value;
  const same =
    select.options.length === items.length &&
    items.every((item, index) => select.options[index]?.value === item.id && select.options[index]?.text === item.name);
  if (same) return;
  fill(select, ...items.map((item) => el('option', { value: item.id }, item.name)));
  if (items.some((item) => item.id === before)) select.value = before;
}

export function createScanner(client: ScannerClient, onState: (state: ScannerState) => void): Scanner {
  let state: ScannerState | undefined;
  let drawnFor = '';
  let questions: readonly QuestionField[] = [];
  let scanning = false;
  /** The barcode that was picked: a text box drops line breaks, and a barcode is not to lose any. */
  let picked: string | undefined;

  const service = picker('Service', 'scanner-service', () => chosen());
  const device = picker('Device', 'scanner-device', () => void showKept());
  const user = picker('User', 'scanner-user', () => undefined);
  const url = el('div');
  const samples = el('div', { class: 'samples', role: 'group', 'aria-label': 'Sample barcodes' });
  const valueId = freshId('value');
  const value = el('input', {
    id: valueId,
    class: 'box barcode-box',
    type: 'text',
    'data-test': 'scanner-value',
    placeholder: 'Type a barcode, or pick one',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    oninput: () => {
      picked = undefined;
      mark();
    },
  });
  const barcodeNow = (): string => picked ?? value.value;
  const asked = el('div', { class: 'questions' });
  const scan = el(
    'button',
    { type: 'submit', class: 'button button-primary scan', 'data-test': 'scanner-scan' },
    'Scan',
  );
  const result = el('div', { class: 'result-place', 'aria-live': 'assertive', 'data-test': 'scanner-results' });
  const kept = el('div', { class: 'kept' });
  const form = el(
    'form',
    {
      class: 'phone',
      onsubmit: (event: Event) => {
        event.preventDefault();
        void go();
      },
    },
    el('div', { class: 'phone-top', 'aria-hidden': 'true' }),
    result,
    el('div', { class: 'scanner-row' }, el('label', { for: valueId }, 'Barcode'), value),
    samples,
    asked,
    scan,
    kept,
    el('div', { class: 'scanner-setup' }, service.row, url, device.row, user.row),
  );
  const trouble = el('p', { class: 'empty', role: 'status' });
  const node = el('div', { class: 'scanner' }, trouble, form);

  const current = (): Service | undefined => state?.services.find((one) => one.id === service.select.value);

  const mark = (): void => {
    for (const chip of samples.querySelectorAll('button')) {
      chip.setAttribute('aria-pressed', String(chip.dataset.value === barcodeNow()));
    }
  };

  /** Samples, questions and the address of the service that is picked. */
  const chosen = (): void => {
    const one = current();
    const signature = JSON.stringify(one ?? null);
    if (signature === drawnFor) return;
    const before = drawnFor === '' ? undefined : (JSON.parse(drawnFor) as Service | null)?.id;
    drawnFor = signature;
    fill(
      samples,
      ...(one?.samples ?? []).map((sample) =>
        el(
          'button',
          {
            type: 'button',
            class: 'sample',
            title: sample.hint,
            'data-test': 'scanner-sample',
            'data-value': sample.value,
            onclick: () => {
              value.value = sample.value;
              picked = sample.value;
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
    questions = (one?.questions ?? []).map(drawQuestion);
    fill(asked, ...questions.map((question) => question.node));
    if (one && state) {
      const { api_key: key } = state;
      fill(
        url,
        drawServiceUrl(one, async (address) => {
          const refused = await client.setUrl(key, one, address);
          if (refused === undefined) await refresh();
          return refused;
        }),
      );
    } else fill(url);
    if (before !== undefined && before !== one?.id) fill(result);
  };

  const showKept = async (): Promise<void> => {
    const deviceId = device.select.value;
    if (deviceId === '') return;
    const scans = await client.kept(deviceId);
    if (deviceId !== device.select.value) return;
    if (scans.length === 0) {
      fill(kept);
      return;
    }
    const words =
      scans.length === 1 ? '1 scan is kept on this device.' : `${scans.length} scans are kept on this device.`;
    fill(
      kept,
      el(
        'div',
        { class: 'kept-box', 'data-test': 'scanner-kept', 'data-count': String(scans.length) },
        el('span', {}, words),
        el(
          'button',
          { type: 'button', class: 'button button-small', 'data-test': 'scanner-upload', onclick: () => void upload() },
          'Upload',
        ),
      ),
    );
  };

  const show = (answer: ScanResult, barcode: string): void => {
    fill(result, drawResult(answer, barcode));
  };

  const fail = (): void => {
    fill(result, el('p', { class: 'field-error' }, 'The scanning account does not answer. Please scan again.'));
  };

  const upload = async (): Promise<void> => {
    try {
      const results = await client.upload(device.select.value);
      const last = results.at(-1);
      const still = results.filter((one) => one.shown.kind === 'kept').length;
      if (last) {
        const words =
          still === 0 ? `${results.length} sent and answered.` : `${results.length - still} sent, ${still} still kept.`;
        fill(result, el('p', { class: 'upload-words', role: 'status' }, words), drawResult(last, ''));
      }
      await showKept();
    } catch {
      fail();
    }
  };

  const go = async (): Promise<void> => {
    const one = current();
    if (!one || scanning) return;
    if (barcodeNow() === '') {
      value.focus();
      fill(result, el('p', { class: 'field-error' }, 'Type a barcode first, or pick one below.'));
      return;
    }
    scanning = true;
    scan.setAttribute('aria-busy', 'true');
    const barcode = barcodeNow();
    const answers = Object.fromEntries(
      questions.map((question) => [question.id, question.answer()]).filter(([, answer]) => answer !== ''),
    );
    try {
      const answer = await client.scan({
        service_id: one.id,
        device_id: device.select.value,
        user_id: user.select.value,
        value: barcode,
        ...(Object.keys(answers).length > 0 ? { answers } : {}),
      });
      show(answer, barcode);
      await showKept();
    } catch {
      fail();
    } finally {
      scanning = false;
      scan.removeAttribute('aria-busy');
    }
  };

  const refresh = async (): Promise<void> => {
    try {
      state = await client.state();
    } catch {
      trouble.textContent = 'The scanning account is not there. Start the demo to have one.';
      form.hidden = true;
      return;
    }
    trouble.textContent = '';
    form.hidden = false;
    onState(state);
    offer(service.select, state.services);
    offer(device.select, state.devices);
    offer(user.select, state.users);
    chosen();
    await showKept().catch(() => undefined);
  };

  return { node, refresh };
}
