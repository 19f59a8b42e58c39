/** Listeners of the modals of device responses and questions. */
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import type { ModalView } from '../../../block-kit/elements.js';
import type { ViewNotice } from '../../../block-kit/notice.js';
import type { ActorContext, ViewContext } from '../../../bolt/routing/context.js';
import { action, type Listener, modal, opener } from '../../../bolt/routing/listeners.js';
import { formStateIn } from '../../../forms/view-state.js';
import { relayOf } from '../../load-views.js';
import { SettingsRejectedError, type SettingsVersion, shownPart, versionOf } from '../etag.js';
import { formRerender, pushedModal, refreshRelay, saveAndShow } from '../flow.js';
import { type Change, changeSettings } from '../save.js';
import { answerForm, answerMetadata, answerView, readAnswer } from './answer-form.js';
import { answerButton, answersMetadata, answersView, mostQuestions } from './answers-view.js';
import { freeQuestionId, questionForm, questionMetadata, questionView, readQuestion } from './question-form.js';

async function responsesModal(context: ActorContext, relay: string, notice: ViewNotice = {}): Promise<ModalView> {
  const { settings } = (await relayOf(context, relay)).relay;
  return answersView(settings, { channel: context.actor.channelId, relay }, notice);
}

/** Saves a form that was opened on top of the list of responses, and shows the result in the list. */
async function saveInList(
  context: ViewContext,
  relay: string,
  change: Change,
  seenVersion: SettingsVersion,
): Promise<void> {
  const listBelow = (notice: ViewNotice) => responsesModal(context, relay, notice);
  if (await saveAndShow(context, relay, 'relay/answers', change, seenVersion, listBelow)) {
    await refreshRelay(context, context.view, relay);
  }
}

const answersOpen = pushedModal('Responses', (context, relay) => responsesModal(context, relay));

const answerOpen = opener('relay.answer', {
  role: 'manager',
  data: answerButton,
  modalTitle: 'Response',
  push: true,
  async view(context) {
    const { relay, finding } = context.data;
    const { settings } = (await relayOf(context, relay)).relay;
    const answer = shownPart.answer(finding)(settings);
    const metadata = { channel: context.actor.channelId, relay, finding, seen: versionOf(answer) };
    return answerView(answerForm(finding).draft(answer ?? {}), metadata);
  },
});

async function answerRerendered(
  context: ActorContext,
  metadata: z.output<typeof answerMetadata>,
  view: ViewOutput,
  example = false,
): Promise<ModalView> {
  const { serviceName } = (await relayOf(context, metadata.relay)).relay;
  const draft = answerForm(metadata.finding).entered(formStateIn(view));
  return answerView(draft, metadata, example ? serviceName : undefined);
}

export const answerRerender = formRerender(answerMetadata, (context, metadata, view) =>
  answerRerendered(context, metadata, view, context.action.action_id === 'relay.again'),
);

const answerSubmitted = modal('relay.answer', {
  role: 'manager',
  metadata: answerMetadata,

  fields({ view, metadata }) {
    const read = readAnswer(metadata.finding, formStateIn(view));
    return 'errors' in read ? read : { close: 'this', input: read.answer };
  },

  redraw: (context) => answerRerendered(context, context.metadata, context.view),

  run: (context, answer) => {
    const { relay, finding, seen: version } = context.metadata;
    const change: Change = (settings) => {
      const { [finding]: _, ...others } = settings.answers;
      return { ...settings, answers: answer ? { ...others, [finding]: answer } : others };
    };
    return saveInList(context, relay, change, { part: shownPart.answer(finding), version });
  },
});

async function questionModal(context: ActorContext, relay: string, id: string | undefined): Promise<ModalView> {
  const { settings } = (await relayOf(context, relay)).relay;
  const question = settings.questions.find((each) => each.id === id);
  return questionView(questionForm.draft(question ?? {}), settings, {
    ...{ channel: context.actor.channelId, relay },
    ...(question ? { id: question.id, seen: versionOf(question) } : {}),
  });
}

const questionAdd = opener('relay.question.add', {
  role: 'manager',
  metadata: answersMetadata,
  modalTitle: 'New question',
  push: true,
  view: (context) => questionModal(context, context.metadata.relay, undefined),
});

const questionMenu = action('relay.question.menu', {
  role: 'manager',
  data: z.string(),
  metadata: answersMetadata,
  modalTitle: ({ data }) => (data.startsWith('change:') ? 'Edit question' : undefined),
  push: true,
  run: async (context) => {
    const { inside, metadata } = context;
    const { relay } = metadata;
    const [, verb, id = ''] = /^(change|remove):(\d+)$/.exec(context.data) ?? [];
    if (verb === 'change') {
      await context.modal.fill('Edit question', () => questionModal(context, relay, id));
      return;
    }
    await changeSettings(context, relay, 'relay/answers', (settings) => ({
      ...settings,
      questions: settings.questions.filter((question) => question.id !== id),
    }));
    await inside.show(await responsesModal(context, relay, { done: 'Question deleted.' }));
    await refreshRelay(context, inside.view, relay);
  },
});

async function questionRerendered(
  context: ActorContext,
  metadata: z.output<typeof questionMetadata>,
  view: ViewOutput,
): Promise<ModalView> {
  const { settings } = (await relayOf(context, metadata.relay)).relay;
  return questionView(questionForm.entered(formStateIn(view)), settings, metadata);
}

export const questionRerender = formRerender(questionMetadata, questionRerendered);

const questionSubmitted = modal('relay.question', {
  role: 'manager',
  metadata: questionMetadata,

  fields({ view }) {
    const read = readQuestion(formStateIn(view));
    return 'errors' in read ? read : { close: 'this', input: read.question };
  },

  redraw: (context) => questionRerendered(context, context.metadata, context.view),

  run: (context, question) => {
    const { relay, id, seen: version } = context.metadata;
    const change: Change = (settings) => {
      const { questions } = settings;
      const at = questions.findIndex((each) => each.id === id);
      if (at < 0 && questions.length >= mostQuestions) {
        throw new SettingsRejectedError(`a relay has at most ${mostQuestions} questions`);
      }
      const stored = { ...question, id: id ?? freeQuestionId(questions) };
      return { ...settings, questions: at < 0 ? [...questions, stored] : questions.with(at, stored) };
    };
    return saveInList(context, relay, change, { part: shownPart.question(id), version });
  },
});

export const answersListeners: readonly Listener[] = [
  ...[action('relay.answers', answersOpen), answerOpen, questionAdd, questionMenu],
  ...[answerSubmitted, questionSubmitted],
];
