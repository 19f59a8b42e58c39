/** The buttons of the message about an overdue thing. Each change leaves an audit entry, and the message shows it. */
import { DateTime } from 'luxon';
import { countOf } from '../../english.js';
import type { Loan, LoanChange, Place, PlaceList } from '../../places/index.js';
import { message, type RichTextElement } from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { barcodeElement, momentAfter, richText, textElement } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import { savingView } from '../bolt/problem/loading.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { action, type Listener, modal } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import { extendForm, extendMetadata, extendTitle, extendView } from './extend-form.js';
import { overdueData } from './overdue-message.js';
import { thingData } from './thing-lines.js';

const auditNames = { back: 'places/returned', extend: 'places/extended', not_mine: 'places/not_mine' } as const;

/** Changes a loan. @returns the text to show where nothing was changed */
async function change(context: BaseContext, post: string, wish: LoanChange): Promise<RichTextElement[] | undefined> {
  const { deps, actor } = context;
  const loan = await deps.places.changeLoan(actor.owner, post, wish);
  if (!loan?.isCurrent) {
    return changedLine(loan);
  }
  const { list, place } = loan;
  const until = wish.says === 'extend' ? { until: new Date(wish.until).toISOString() } : {};
  await record(context, { what: auditNames[wish.says], detail: { list: list.name, value: place.value, ...until } });
  return undefined;
}

/** The changes since the message with the button was sent. */
function changedLine(loan: Loan | undefined): RichTextElement[] {
  const lead = textElement('Nothing was changed: ');
  if (!loan) {
    return [lead, textElement('nothing is known of this thing any more.')];
  }
  const { inside, at, back, extendedBy, dueAt } = loan.place;
  return inside
    ? [lead, momentAfter('it is back since ', back?.at ?? at)]
    : extendedBy !== undefined && dueAt !== undefined
      ? [lead, momentAfter('it was extended until ', dueAt)]
      : [lead, momentAfter('it was scanned out again ', at)];
}

function answerAction(id: string, says: 'back' | 'not_mine'): Listener {
  return action(id, {
    role: 'everyone',
    data: overdueData,
    async run(context) {
      const line = await change(context, context.data, { says, by: context.actor.userId });
      const noted = says === 'not_mine' ? [textElement('Noted. The list’s channel is told.')] : undefined;
      const answer = line ?? noted;
      await (answer && context.postPrivately(message('About the thing that was due', [richText(answer)])));
    },
  });
}

const extend = action('loan.extend', {
  role: 'everyone',
  data: overdueData,
  modalTitle: extendTitle,
  async run({ deps, actor, data: post, modal: opened }) {
    await opened.fill(extendTitle, async () => {
      const loan = await deps.places.loan(actor.owner, post);
      return loan?.isCurrent
        ? extendView(
            { value: loan.place.value, now: deps.clock.now() },
            { channel: actor.channelId, post, zone: loan.list.settings.zone },
          )
        : noticeView(extendTitle, 'Nothing to extend', changedLine(loan));
    });
  },
});

const remind = action('loan.remind', {
  role: 'everyone',
  data: overdueData,
  async run(context) {
    const { deps, actor, data: post, postPrivately } = context;
    const loan = await deps.places.loan(actor.owner, post);
    const line = loan?.isCurrent ? await remindOf(context, loan.list, [loan.place]) : changedLine(loan);
    await postPrivately(message('About the thing that is due', [richText(line)]));
  },
});

/** Reminds of overdue things of a list. @returns what to say */
export async function remindOf(
  context: BaseContext,
  list: PlaceList,
  things: readonly Place[],
): Promise<RichTextElement[]> {
  const count = await context.deps.places.remindNow(list, things);
  if (count > 0) {
    await record(context, { what: 'places/reminded', detail: { list: list.name, count } });
  }
  const left = things.length - count;
  return [
    textElement(`${shortName(list.name)}: `),
    ...(count > 0
      ? [textElement(`${countOf(count, 'reminder')} on the way, or waiting for the end of quiet hours.`)]
      : []),
    ...(left > 0
      ? [textElement(` ${countOf(left, 'thing')} had a reminder within the last hour, or is no longer overdue.`)]
      : []),
  ];
}

const waitDays = 90;

const tell = action('loan.tell', {
  role: 'everyone',
  data: thingData,
  async run(context) {
    const { deps, actor, data, postPrivately } = context;
    const list = (await deps.places.lists(actor.owner)).find(({ id }) => id === data.list);
    const place = list && (await deps.places.place(list, data));
    if (!list || !place || place.inside) {
      const since = place && [barcodeElement(place.value), momentAfter(' is back since ', place.back?.at ?? place.at)];
      await postPrivately(message('It is back', [richText(since ?? 'Nothing is known of this thing any more.')]));
      return;
    }
    const { value, at: outAt } = place;
    const loan = { ...data, outAt };
    const forMs = waitDays * 24 * 3_600_000;
    const { until } = await deps.relays.watches.watch(actor.owner, {
      value,
      channel: '',
      who: actor.userId,
      forMs,
      loan,
    });
    await record(context, { what: 'relay/watch', detail: { value, list: list.name, until } });
    const line = [
      textElement('You get a direct message once '),
      barcodeElement(value),
      momentAfter(' is back, until ', until),
    ];
    await postPrivately(message('You get a message once it is back', [richText(line)]));
  },
});

const longestMs = 366 * 24 * 3_600_000;

const extended = modal('loan.extend', {
  role: 'everyone',
  metadata: extendMetadata,
  fields({ view, deps, metadata: { zone } }) {
    const errors: Record<string, string> = {};
    const { date = '', time = '' } = extendForm.read(formStateIn(view), errors);
    const until = DateTime.fromISO(`${date}T${time}`, { zone }).toMillis();
    const ahead = until - deps.clock.now();
    if (Object.keys(errors).length > 0 || !(ahead > 0 && ahead <= longestMs)) {
      return { errors: { [extendForm.nameOf('date')]: 'Choose a time from now on, a year ahead at most.', ...errors } };
    }
    return { show: savingView(extendTitle), input: until };
  },
  async run(context, until: number) {
    const { metadata, actor, modal: opened } = context;
    const line = await change(context, metadata.post, { says: 'extend', by: actor.userId, until });
    const done = [momentAfter('Due ', until), textElement('. It is reminded of again then.')];
    const title = line ? 'Not extended' : 'Extended';
    if (!(await opened.showOutcome(noticeView(extendTitle, title, line ?? done)))) {
      await context.postPrivately(message(title, [richText(line ?? done)]));
    }
  },
});

export const loanActions: readonly Listener[] = [
  answerAction('loan.back', 'back'),
  answerAction('loan.not_mine', 'not_mine'),
  ...[extend, extended, remind, tell],
];
