/** Click and submission handlers for the modals of device responses and questions. */
import type { ViewOutput } from '@slack/bolt';
import type { Answer, RelaySettings, ResultCode } from '../../../../relay/index.js';
import type { ModalView } from '../../../block-kit/elements.js';
import type { ActionContext, ActorContext, Handler, ViewContext, ViewHandler } from '../../../bolt/routing/context.js';
import { withOrigin } from '../../../bolt/routing/origin.js';
import { formStateIn } from '../../../forms/view-state.js';
import { relayOf } from '../../load-views.js';
import { EditConflictError, notSaved, SettingsRejectedError } from '../edit-conflict.js';
import { type SettingsVersion, shownPart, versionOf } from '../etag.js';
import {
  buttonValue,
  chosenValue,
  clickedModal,
  pushing,
  refreshRelay,
  rerendering,
  saved,
  showBelow,
} from '../flow.js';
import { answerButtonMetadata, answerMetadata, questionMetadata, settingActions, settingMetadata } from '../ids.js';
import { type Change, changeSettings } from '../save.js';
import { answerForm, answerView, readAnswer } from './answer-form.js';
import { answersView, mostQuestions } from './answers-view.js';
import { freeQuestionId, questionForm, questionView, readQuestion } from './question-form.js';

type Notice = { readonly done?: string; readonly problem?: string };

async function responsesModal(context: ActorContext, relay: string, notice: Notice = {}): Promise<ModalView> {
  const { settings } = (await relayOf(context, relay)).relay;
  return answersView(settings, {
    metadata: settingMetadata.write({ channel: context.actor.channelId, relay }),
    answerValue: (finding) => answerButtonMetadata.write({ relay, finding }),
    ...notice,
  });
}

/** Saves a form on top of the list, and shows the result in the list. */
async function saveInList(context: ViewContext, relay: string, change: Change, seen: SettingsVersion): Promise<void> {
  try {
    await changeSettings(context, relay, 'relay/answers', change, seen);
  } catch (error) {
    if (!(error instanceof SettingsRejectedError)) {
      throw error;
    }
    const problem = error instanceof EditConflictError ? notSaved(error) : 'Not saved: the text is too long.';
    return showBelow(context, () => responsesModal(context, relay, { problem }), problem);
  }
  await showBelow(context, () => responsesModal(context, relay, { done: saved }), saved);
  await refreshRelay(context, context.view, relay);
}

export const answersOpen = pushing('Responses', (context, relay) => responsesModal(context, relay));

export const answerOpen: Handler<ActionContext> = {
  role: 'manager',
  modalTitle: 'Response',
  push: true,
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const { relay, finding } = answerButtonMetadata.read(buttonValue(context));
    await context.modal.fill('Response', async () => {
      const found = await relayOf(context, relay);
      return answerView(finding, answerForm(finding).draft({ answer: found.relay.settings.answers[finding] }), {
        metadata: answerMetadata.write({
          channel: context.actor.channelId,
          relay,
          finding,
          seen: versionOf(shownPart.answer(finding)(found.relay.settings)),
        }),
        example: false,
        service: found.relay.serviceName,
      });
    });
  },
};

async function answerRerendered(context: ActorContext, view: ViewOutput, example = false): Promise<ModalView> {
  const metadata = answerMetadata.read(view.private_metadata);
  const { serviceName } = (await relayOf(context, metadata.relay)).relay;
  const { finding } = metadata;
  return answerView(finding, answerForm(finding).entered(formStateIn(view)), {
    metadata: answerMetadata.write(metadata),
    example,
    service: serviceName,
  });
}

export const answerRerender = rerendering((context, view) =>
  answerRerendered(context, view, context.action.action_id === settingActions.again),
);

interface AnswerSent {
  readonly relay: string;
  readonly finding: ResultCode;
  readonly answer: Answer | undefined;
  readonly seen: string | undefined;
}

export const answerSubmitted: ViewHandler<AnswerSent> = {
  role: 'manager',

  fields({ view }) {
    const { relay, finding, seen } = answerMetadata.read(view.private_metadata);
    const read = readAnswer(finding, formStateIn(view));
    return 'errors' in read ? read : { close: 'this', input: { relay, finding, answer: read.answer, seen } };
  },

  redraw: (context) => answerRerendered(context, context.view),

  run: (context, { relay, finding, answer, seen: version }) => {
    const change: Change = (settings) => {
      const { [finding]: _, ...others } = settings.answers;
      return { ...settings, answers: answer ? { ...others, [finding]: answer } : others };
    };
    return saveInList(context, relay, change, { part: shownPart.answer(finding), version });
  },
};

async function questionModal(context: ActorContext, relay: string, id: string | undefined): Promise<ModalView> {
  const { settings } = (await relayOf(context, relay)).relay;
  const question = settings.questions.find((each) => each.id === id);
  return questionView(questionForm.draft({ question }), settings, {
    metadata: questionMetadata.write({
      channel: context.actor.channelId,
      relay,
      ...(question ? { id: question.id, seen: versionOf(question) } : {}),
    }),
    changing: question !== undefined,
  });
}

export const questionAdd: Handler<ActionContext> = {
  role: 'manager',
  modalTitle: 'New question',
  push: true,
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const { relay } = settingMetadata.read(clickedModal(context).view.private_metadata);
    await context.modal.fill('New question', () => questionModal(context, relay, undefined));
  },
};

export const questionMenu: Handler<ActionContext> = {
  role: 'manager',
  modalTitle: (context) => (chosenValue(context).startsWith('change:') ? 'Edit question' : undefined),
  push: true,
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const inside = clickedModal(context);
    const { relay } = settingMetadata.read(inside.view.private_metadata);
    const [, what, id = ''] = /^(change|remove):(\d+)$/.exec(chosenValue(context)) ?? [];
    if (what === 'change') {
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
};

async function questionRerendered(context: ActorContext, view: ViewOutput): Promise<ModalView> {
  const metadata = questionMetadata.read(view.private_metadata);
  const { settings } = (await relayOf(context, metadata.relay)).relay;
  return questionView(questionForm.entered(formStateIn(view)), settings, {
    metadata: questionMetadata.write(metadata),
    changing: metadata.id !== undefined,
  });
}

export const questionRerender = rerendering(questionRerendered);

interface QuestionSent {
  readonly relay: string;
  readonly id: string | undefined;
  readonly question: Omit<RelaySettings['questions'][number], 'id'>;
  readonly seen: string | undefined;
}

export const questionSubmitted: ViewHandler<QuestionSent> = {
  role: 'manager',

  fields({ view }) {
    const { relay, id, seen } = questionMetadata.read(view.private_metadata);
    const read = readQuestion(formStateIn(view));
    return 'errors' in read ? read : { close: 'this', input: { relay, id, question: read.question, seen } };
  },

  redraw: (context) => questionRerendered(context, context.view),

  run: (context, { relay, id, question, seen: version }) => {
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
};
