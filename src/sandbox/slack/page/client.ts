/** The page's HTTP client: the workspace's API, always as one person, and the simulated account's scanner API. */
import type { KeptScan, ScannerState, ScanRequest, ScanResult } from '../../codereadr/api.js';
import type {
  ActionRequest,
  ActionResult,
  Channel,
  Container,
  SayResult,
  ShownMessage,
  ShownView,
  SubmitRequest,
  SubmitResult,
  WorkspaceState,
} from '../api.js';
import type { OptionsAnswer, UploadedFile } from './context.js';
import { isRecord, str } from './json.js';

/** The path of the embedded account on the page's own origin. */
const account = '/account';

/** An error response, or a server that cannot be reached (`code` is then `unreachable`). */
export class RequestFailed extends Error {
  constructor(
    readonly code: string,
    why: string,
    options?: ErrorOptions,
  ) {
    super(why, options);
    this.name = 'RequestFailed';
  }
}

async function requestJson(path: string, init: RequestInit = {}): Promise<unknown> {
  let answer: Response;
  let body: unknown;
  try {
    answer = await fetch(path, init);
    body = await answer.json();
  } catch (cause) {
    throw new RequestFailed('unreachable', 'The workspace is not responding. Is it still running?', { cause });
  }
  if (answer.ok) return body;
  const errorBody = isRecord(body) ? body : undefined;
  throw new RequestFailed(
    str(errorBody, 'error') ?? `http_${answer.status}`,
    str(errorBody, 'why') ?? `The workspace responded with status ${answer.status}.`,
  );
}

function post(path: string, body: unknown): Promise<unknown> {
  return requestJson(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export interface Client {
  readonly as: string;
  messages(channel: string): Promise<readonly ShownMessage[]>;
  views(): Promise<readonly ShownView[]>;
  home(): Promise<ShownView | null>;
  state(): Promise<WorkspaceState>;
  say(channel: string, text: string, threadTs?: string, fileIds?: readonly string[]): Promise<SayResult>;
  act(request: Omit<ActionRequest, 'as'>): Promise<ActionResult>;
  options(container: Container, blockId: string, actionId: string, value: string): Promise<OptionsAnswer>;
  submit(request: Omit<SubmitRequest, 'as'>): Promise<SubmitResult>;
  close(viewId: string, all: boolean): Promise<void>;
  openHome(tab?: 'home' | 'messages'): Promise<void>;
  shortcut(callbackId: string, channel?: string, messageTs?: string): Promise<ActionResult>;
  upload(file: File): Promise<UploadedFile>;
  createChannel(name: string, isPrivate: boolean): Promise<Channel>;
  invite(channel: string, user: string): Promise<void>;
}

export async function fetchState(as: string | null): Promise<WorkspaceState> {
  return (await requestJson(`/sandbox/state${as === null ? '' : `?as=${encodeURIComponent(as)}`}`)) as WorkspaceState;
}

export function createClient(as: string): Client {
  const personParam = encodeURIComponent(as);
  return {
    as,
    async messages(channel) {
      const answer = await requestJson(`/sandbox/messages?as=${personParam}&channel=${encodeURIComponent(channel)}`);
      return (answer as { messages: readonly ShownMessage[] }).messages;
    },
    views: async () =>
      ((await requestJson(`/sandbox/views?as=${personParam}`)) as { stack: readonly ShownView[] }).stack,
    home: async () => ((await requestJson(`/sandbox/home?as=${personParam}`)) as { view: ShownView | null }).view,
    state: () => fetchState(as),
    say: async (channel, text, threadTs, fileIds) =>
      (await post('/sandbox/say', {
        as,
        channel,
        text,
        ...(threadTs ? { thread_ts: threadTs } : {}),
        ...(fileIds ? { files: fileIds } : {}),
      })) as SayResult,
    act: async (request) => (await post('/sandbox/action', { as, ...request })) as ActionResult,
    options: async (container, blockId, actionId, value) =>
      (await post('/sandbox/options', {
        as,
        container,
        block_id: blockId,
        action_id: actionId,
        value,
      })) as OptionsAnswer,
    submit: async (request) => (await post('/sandbox/submit', { as, ...request })) as SubmitResult,
    close: async (viewId, all) => {
      await post('/sandbox/close', { as, view_id: viewId, all });
    },
    openHome: async (tab = 'home') => {
      await post('/sandbox/home', { as, tab });
    },
    shortcut: async (callbackId, channel, messageTs) =>
      (await post('/sandbox/shortcut', {
        as,
        callback_id: callbackId,
        ...(channel ? { channel } : {}),
        ...(messageTs ? { message_ts: messageTs } : {}),
      })) as ActionResult,
    async upload(file) {
      const form = new FormData();
      form.append('as', as);
      form.append('file', file, file.name);
      return ((await requestJson('/sandbox/upload', { method: 'POST', body: form })) as { file: UploadedFile }).file;
    },
    createChannel: async (name, isPrivate) =>
      ((await post('/sandbox/channels', { as, name, private: isPrivate })) as { channel: Channel }).channel,
    invite: async (channel, user) => {
      await post('/sandbox/invite', { as, channel, user });
    },
  };
}

export interface ScannerClient {
  state(): Promise<ScannerState>;
  scan(request: ScanRequest): Promise<ScanResult>;
  kept(deviceId: string): Promise<readonly KeptScan[]>;
  upload(deviceId: string): Promise<readonly ScanResult[]>;
  /** Submits the answers to questions that a device asks after a scan. */
  answer(pendingId: string, answers: Readonly<Record<string, string>>): Promise<ScanResult>;
  /** Sets a service's postback URL, as on the account's own pages. Resolves with the account's message on failure. */
  setUrl(
    apiKey: string,
    service: ScannerState['services'][number],
    url: string,
    receiverOnly: boolean,
  ): Promise<string | undefined>;
}

export function createScannerClient(): ScannerClient {
  return {
    state: async () => (await requestJson(`${account}/scanner/state`)) as ScannerState,
    scan: async (request) => (await post(`${account}/scanner/scan`, request)) as ScanResult,
    kept: async (deviceId) =>
      (
        (await requestJson(`${account}/scanner/kept?device_id=${encodeURIComponent(deviceId)}`)) as {
          kept: readonly KeptScan[];
        }
      ).kept,
    upload: async (deviceId) =>
      ((await post(`${account}/scanner/upload`, { device_id: deviceId })) as { results: readonly ScanResult[] })
        .results,
    answer: async (pendingId, answers) =>
      (await post(`${account}/scanner/answer`, { pending_id: pendingId, answers })) as ScanResult,
    async setUrl(apiKey, service, url, receiverOnly) {
      const form = new URLSearchParams({
        section: 'services',
        action: 'update',
        api_key: apiKey,
        service_id: service.id,
        postback_url: url,
      });
      // A service that validates scans itself posts them only if its postback flag is on.
      if (service.validation_method !== 'postback' && url !== '') {
        form.set('postback_real_time_scans', '1');
        form.set('postback_uploaded_scans', '1');
        form.set('postback_receiver_only', receiverOnly ? '1' : '0');
      }
      const answer = await fetch(`${account}/api/`, { method: 'POST', body: form });
      const document = new DOMParser().parseFromString(await answer.text(), 'text/xml');
      if (document.querySelector('xml > status')?.textContent?.trim() === '1') return undefined;
      return document.querySelector('xml > error')?.textContent ?? 'The account did not accept this URL.';
    },
  };
}
