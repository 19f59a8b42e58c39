/**
 * A person in the simulated workspace, over HTTP: posts, clicks, fills in forms, reads. It uses only the workspace's
 * documented API, as the page does.
 */
import type {
  ActionRequest,
  RecordedCall,
  SayResult,
  ShownMessage,
  ShownView,
  SubmitResult,
  WorkspaceState,
} from '../../src/sandbox/slack/api.js';

type Json = Record<string, unknown>;

export interface Person {
  readonly id: string;
  state(): Promise<WorkspaceState>;
  say(channel: string, text: string): Promise<SayResult>;
  messages(channel: string): Promise<ShownMessage[]>;
  views(): Promise<ShownView[]>;
  act(request: Omit<ActionRequest, 'as'>): Promise<Json>;
  submit(viewId: string, values: Json): Promise<SubmitResult>;
  close(viewId: string): Promise<Json>;
  /** Polls until there is a match; fails with the last messages. */
  waitForMessage(channel: string, has: (message: ShownMessage) => boolean): Promise<ShownMessage>;
  waitForView(has: (view: ShownView) => boolean): Promise<ShownView>;
}

const patienceMs = 15_000;

export function createPerson(base: string, id: string): Person {
  const get = async (path: string): Promise<Json> => (await fetch(new URL(path, base))).json() as Promise<Json>;
  const post = async (path: string, body: Json): Promise<Json> => {
    const answer = await fetch(new URL(path, base), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ as: id, ...body }),
    });
    return answer.json() as Promise<Json>;
  };
  const messages = async (channel: string) =>
    (await get(`/sandbox/messages?as=${id}&channel=${channel}`)).messages as ShownMessage[];
  const views = async () => (await get(`/sandbox/views?as=${id}`)).stack as ShownView[];

  async function waitFor<T>(list: () => Promise<T[]>, has: (item: T) => boolean): Promise<T> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const items = await list();
      const found = items.findLast(has);
      if (found) {
        return found;
      }
      if (Date.now() > until) {
        throw new Error(`not there in time; the last ones were ${JSON.stringify(items.slice(-3))}`);
      }
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  return {
    id,
    state: async () => (await get(`/sandbox/state?as=${id}`)) as unknown as WorkspaceState,
    say: async (channel, text) => (await post('/sandbox/say', { channel, text })) as unknown as SayResult,
    messages,
    views,
    act: (request) => post('/sandbox/action', { ...request }),
    submit: async (viewId, values) =>
      (await post('/sandbox/submit', { view_id: viewId, values })) as unknown as SubmitResult,
    close: (viewId) => post('/sandbox/close', { view_id: viewId }),
    waitForMessage: (channel, has) => waitFor(() => messages(channel), has),
    waitForView: (has) => waitFor(views, has),
  };
}

/** The app's Web API calls, without tokens. */
export async function callsOf(base: string): Promise<RecordedCall[]> {
  return ((await (await fetch(new URL('/sandbox/calls?since=0', base))).json()) as { calls: RecordedCall[] }).calls;
}
