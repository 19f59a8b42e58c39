/**
 * A crawler of everything a person can reach: each button, menu entry and choice of each modal and message once, each
 * from a fresh start. It collects one view and one message of each kind.
 */
import type { ShownMessage, ShownView } from '../../src/sandbox/slack/api.js';
import { closeAll } from '../slack/relays/relay-stage.js';
import type { Person, TestApp } from '../slack/test-app.js';

type Json = Readonly<Record<string, unknown>>;

export type Step =
  | { readonly do: 'say'; readonly text: string; readonly channel: string }
  | { readonly do: 'home' }
  | { readonly do: 'submit' }
  | {
      readonly do: 'click';
      readonly at: 'view' | 'message' | 'home';
      readonly action: string;
      readonly block: string;
      readonly chosen?: Json;
    };

export interface Collected {
  /** One view of each kind. */
  readonly views: Map<string, ShownView>;
  readonly messages: Map<string, ShownMessage>;
}

interface Place {
  readonly view?: ShownView | undefined;
  readonly home?: ShownView | null | undefined;
  readonly messages: readonly ShownMessage[];
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Masks ids, numbers and times, so that two views of one kind have the same text. */
const kindOf = (text: string) => text.replace(/[0-9A-Za-z_-]{20,}/g, '#').replace(/\d+/g, '0');

interface Element {
  readonly block: string;
  readonly action: string;
  readonly type: string;
  readonly element: Json;
  readonly input: boolean;
}

export function elementsOf(blocks: unknown): Element[] {
  return ((blocks ?? []) as Json[]).flatMap((block) => {
    const inside = [block.accessory, block.element, ...((block.elements as unknown[] | undefined) ?? [])];
    return inside.flatMap((each) => {
      const element = (each ?? {}) as Json;
      if (typeof element.action_id !== 'string' || element.url !== undefined) {
        return [];
      }
      return [
        {
          block: String(block.block_id),
          action: element.action_id,
          type: String(element.type),
          element,
          input: block.type === 'input' && block.dispatch_action !== true,
        },
      ];
    });
  });
}

/** Whether Slack generated this block id; generated ids change each time. */
const madeUp = (block: string) => /^[\w+/-]{5}$/.test(block);

function elementIn(blocks: unknown, step: { action: string; block: string; chosen?: Json }): Element | undefined {
  const value = (step.chosen?.selected_option as { value?: string } | undefined)?.value;
  const all = elementsOf(blocks).filter(({ action }) => action === step.action);
  return (
    all.find(({ block }) => block === step.block) ??
    all.find(({ element }) => value !== undefined && JSON.stringify(element).includes(JSON.stringify(value))) ??
    all[0]
  );
}

export const viewKind = (view: ShownView) =>
  kindOf(
    JSON.stringify([
      view.callback_id,
      (view.view.title as { text?: string } | undefined)?.text,
      [
        ...new Set(elementsOf(view.view.blocks).map(({ block, action }) => `${madeUp(block) ? '' : block} ${action}`)),
      ].sort(),
    ]),
  );

export const messageKind = (message: ShownMessage) =>
  kindOf(
    JSON.stringify([
      message.metadata?.event_type,
      message.ephemeral_for !== undefined,
      message.thread_ts !== undefined,
      [...new Set(elementsOf(message.blocks).map(({ action }) => action))].sort(),
      elementsOf(message.blocks).length > 0 ? '' : (message.text ?? '').replace(/`[^`]*`/g, '').slice(0, 60),
    ]),
  );

/** The choices of an element that are tried: all of its options up to 20, else one. */
export async function choicesOf(
  person: Person,
  testApp: TestApp,
  at: Pick<Place, 'view'>,
  element: Element,
): Promise<(Json | undefined)[]> {
  const flat = [
    ...((element.element.options as Json[] | undefined) ?? []),
    ...((element.element.option_groups as { options: Json[] }[] | undefined) ?? []).flatMap(({ options }) => options),
  ];
  switch (element.type) {
    case 'button':
      return [undefined];
    case 'overflow':
      return flat.map((option) => ({ selected_option: option }));
    case 'static_select':
    case 'radio_buttons':
      return flat.slice(0, 20).map((option) => ({ type: element.type, selected_option: option }));
    case 'checkboxes':
      return [{ type: element.type, selected_options: flat }];
    case 'multi_static_select':
      return [{ type: element.type, selected_options: flat.slice(0, 2) }];
    case 'external_select':
    case 'multi_external_select': {
      if (!at.view) {
        return [];
      }
      const answer = (await testApp.post('/sandbox/options', {
        as: person.id,
        container: { type: 'view', view_id: at.view.id },
        block_id: element.block,
        action_id: element.action,
        value: element.element.min_query_length === 0 ? '' : 'main',
      })) as { options?: Json[]; option_groups?: { options: Json[] }[] };
      const offered = [...(answer.options ?? []), ...(answer.option_groups ?? []).flatMap(({ options }) => options)];
      const first = offered[0];
      return first === undefined
        ? []
        : [
            element.type === 'external_select'
              ? { type: element.type, selected_option: first }
              : { type: element.type, selected_options: [first] },
          ];
    }
    case 'conversations_select':
      return [{ type: element.type, selected_conversation: 'C0STOCKROOM' }];
    case 'users_select':
      return [{ type: element.type, selected_user: 'U0MIA' }];
    case 'plain_text_input':
      return [{ type: element.type, value: 'main' }];
    default:
      return [];
  }
}

export async function crawl(
  testApp: TestApp,
  person: Person,
  starts: readonly (readonly Step[])[],
  {
    depth,
    skip,
    log,
  }: { depth: number; skip: (action: string, choice: string) => boolean; log: (line: string) => void },
): Promise<Collected> {
  const views = new Map<string, ShownView>();
  const messages = new Map<string, ShownMessage>();
  const done = new Set<string>();
  const submitted = new Set<string>();
  let channel = 'C0GENERAL';

  const look = async (): Promise<Place> => ({
    view: await person.window(),
    home: await person.home(),
    messages: [...(await person.messages(channel)), ...(await person.directMessages())],
  });

  /** Waits until nothing has changed for four looks, or for 200 looks. */
  async function settled(): Promise<Place> {
    let last = '';
    let still = 0;
    for (let n = 0; n < 200; n++) {
      const place = await look();
      const now = JSON.stringify([
        place.view?.hash,
        place.view?.id,
        place.home?.hash,
        place.messages.length,
        place.messages.at(-1),
      ]);
      still = now === last && place.view?.callback_id !== 'loading' ? still + 1 : 0;
      last = now;
      if (still >= 4) {
        return place;
      }
      await pause(40);
    }
    return look();
  }

  async function take(step: Step, place: Place): Promise<boolean> {
    if (step.do === 'say') {
      channel = step.channel;
      await person.say(step.text, step.channel);
      return true;
    }
    if (step.do === 'home') {
      await person.openHome();
      return true;
    }
    if (step.do === 'submit') {
      if (!place.view) {
        return false;
      }
      await person.submit(place.view);
      return true;
    }
    const message = place.messages.findLast(({ blocks }) =>
      elementsOf(blocks).some(({ action }) => action === step.action),
    );
    const target = step.at === 'message' ? message : step.at === 'home' ? place.home : place.view;
    const found = target && elementIn('view' in target ? target.view.blocks : target.blocks, step);
    if (!found) {
      return false;
    }
    const answer = (await testApp.post('/sandbox/action', {
      as: person.id,
      container:
        step.at === 'message'
          ? { type: 'message', channel: (target as ShownMessage).channel, ts: (target as ShownMessage).ts }
          : { type: 'view', view_id: (target as ShownView).id },
      block_id: found.block,
      action_id: step.action,
      ...(step.chosen ? { chosen: step.chosen } : {}),
    })) as { ok: boolean };
    return answer.ok;
  }

  async function walk(path: readonly Step[]): Promise<void> {
    await closeAll(person);
    const before = new Set((await look()).messages.map(({ ts }) => ts));
    let place: Place = await look();
    for (const step of path) {
      if (!(await take(step, place))) {
        log(`lost: ${JSON.stringify(path)}`);
        return;
      }
      place = await settled();
    }
    for (const message of place.messages) {
      const kind = messageKind(message);
      if (!messages.has(kind)) {
        messages.set(kind, message);
      }
    }
    if (place.view && place.view.callback_id !== 'loading' && !views.has(viewKind(place.view))) {
      views.set(viewKind(place.view), place.view);
    }
    if (place.home && path.at(-1)?.do === 'home') {
      views.set(viewKind(place.home), place.home);
    }
    if (path.length > depth) {
      return;
    }
    const next: Step[] = [];
    const offer = async (at: 'view' | 'message' | 'home', scope: string, elements: readonly Element[]) => {
      for (const element of elements) {
        if (element.input) {
          continue;
        }
        for (const chosen of await choicesOf(person, testApp, place, element)) {
          const choice = String((chosen?.selected_option as { value?: string } | undefined)?.value ?? '');
          const words = String((chosen?.selected_option as { text?: { text: string } } | undefined)?.text?.text ?? '');
          const key = kindOf(
            `${scope}|${madeUp(element.block) ? '' : element.block}|${element.action}|${element.type === 'overflow' ? words : choice}`,
          );
          if (!done.has(key) && !skip(element.action, `${choice} ${words}`)) {
            done.add(key);
            next.push({ do: 'click', at, action: element.action, block: element.block, ...(chosen ? { chosen } : {}) });
          }
        }
      }
    };
    if (place.view) {
      await offer(
        'view',
        `${place.view.callback_id} ${(place.view.view.title as { text?: string } | undefined)?.text}`,
        elementsOf(place.view.view.blocks),
      );
      const kind = viewKind(place.view);
      if (place.view.view.submit && !submitted.has(kind) && !skip('submit', place.view.callback_id)) {
        submitted.add(kind);
        next.push({ do: 'submit' });
      }
    } else {
      const fresh = place.messages.filter(({ ts }) => !before.has(ts));
      for (const message of fresh) {
        await offer('message', messageKind(message), elementsOf(message.blocks));
      }
    }
    if (place.home && path.at(-1)?.do === 'home') {
      await offer('home', 'home', elementsOf(place.home.view.blocks));
    }
    for (const step of next) {
      await walk([...path, step]);
    }
  }

  for (const start of starts) {
    log(`from ${JSON.stringify(start)}: ${views.size} views, ${messages.size} messages`);
    await walk(start);
  }
  return { views, messages };
}
