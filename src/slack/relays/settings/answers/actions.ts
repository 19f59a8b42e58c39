/** Click and submission handlers for the modals of device responses and questions. */
import type { ViewOutput } from '@slack/bolt';
import type { Answer, RelaySettings, ResultCode } from '../../../../relay/index.js';
import type { ModalView } from '../../../block-kit/elements.js';
import type { ActionContext, BaseContext, Handler, ViewContext, ViewHandler } from '../../../bolt/routing/context.js';
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
import { answerButton, answerNotes, questionNotes, settingActions, settingNotes } from '../ids.js';
import { type Change, changeSettings } from '../save.js';
import { answerDraft, answerEntered, answerView, readAnswer } from './answer-form.js';
import { answersView, mostQuestions } from './answers-view.js';
import { freeQuestionId, questionDraft, questionEntered, questionView, readQuestion } from './question-form.js';

type Asking = Pick<BaseContext, 'deps' | 'actor'>;
type Told = { readonly done?: string; readonly trouble?: string };

async function answersWindow(context: Asking, relay: string, told: Told = {}): Promise<ModalView> {
  const { settings } = (await relayOf(context, relay)).relay;
  return answersView(settings, {
    notes: settingNotes.write({ channel: context.actor.channelId, relay }),
    answerValue: (finding) => answerButton.write({ relay, finding }),
    ...told,
  });
}

/** Saves a form on top of the list, and shows the result in the list. */
async function keepInList(context: ViewContext, relay: string, change: Change, seen: SettingsVersion): Promise<void> {
  try {
    await changeSettings(context, relay, 'relay/answers', change, seen);
  } catch (error) {
    if (!(error instanceof SettingsRejectedError)) {
      throw error;
    }
    const trouble = error instanceof EditConflictError ? notSaved(error) : 'Not saved: the text is too long.';
    return showBelow(context, () => answersWindow(context, relay, { trouble }), trouble);
  }
  await showBelow(context, () => answersWindow(context, relay, { done: saved }), saved);
  await refreshRelay(context, context.view, relay);
}

export const answersOpen = pushing('Responses', (context, relay) => answersWindow(context, relay));

export const answerOpen: Handler<ActionContext> = {
  role: 'manager',
  modalTitle: 'Response',
  push: true,
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const { relay, finding } = answerButton.read(buttonValue(context));
    await context.modal.fill('Response', async () => {
      const found = await relayOf(context, relay);
      return answerView(finding, answerDraft(found.relay.settings.answers[finding]), {
        notes: answerNotes.write({
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

async function answerRedrawn(context: Asking, view: ViewOutput, example = false): Promise<ModalView> {
  const notes = answerNotes.read(view.private_metadata);
  const { serviceName } = (await relayOf(context, notes.relay)).relay;
  return answerView(notes.finding, answerEntered(formStateIn(view)), {
    notes: answerNotes.write(notes),
    example,
    service: serviceName,
  });
}

export const answerRedraw = rerendering((context, view) =>
  answerRedrawn(context, view, context.action.action_id === settingActions.again),
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
    const { relay, finding, seen } = answerNotes.read(view.private_metadata);
    const read = readAnswer(formStateIn(view));
    return 'errors' in read ? read : { close: 'this', input: { relay, finding, answer: read.answer, seen } };
  },

  redraw: (context) => answerRedrawn(context, context.view),

  run: (context, { relay, finding, answer, seen: version }) => {
    const change: Change = (settings) => {
      const { [finding]: _, ...others } = settings.answers;
      return { ...settings, answers: answer ? { ...others, [finding]: answer } : others };
    };
    return keepInList(context, relay, change, { part: shownPart.answer(finding), version });
  },
};

async function questionWindow(context: Asking, relay: string, id: string | undefined): Promise<ModalView> {
  const { settings } = (await relayOf(context, relay)).relay;
  const question = settings.questions.find((each) => each.id === id);
  return questionView(questionDraft(question), settings, {
    notes: questionNotes.write({
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
    const { relay } = settingNotes.read(clickedModal(context).view.private_metadata);
    await context.modal.fill('New question', () => questionWindow(context, relay, undefined));
  },
};

export const questionMenu: Handler<ActionContext> = {
  role: 'manager',
  modalTitle: (context) => (chosenValue(context).startsWith('change:') ? 'Edit question' : undefined),
  push: true,
  run: async (clicked) => {
    const context = withOrigin(clicked);
    const inside = clickedModal(context);
    const { relay } = settingNotes.read(inside.view.private_metadata);
    const [, what, id = ''] = /^(change|remove):(\d+)$/.exec(chosenValue(context)) ?? [];
    if (what === 'change') {
      await context.modal.fill('Edit question', () => questionWindow(context, relay, id));
      return;
    }
    await changeSettings(context, relay, 'relay/answers', (settings) => ({
      ...settings,
      questions: settings.questions.filter((question) => question.id !== id),
    }));
    await inside.show(await answersWindow(context, relay, { done: 'Question deleted.' }));
    await refreshRelay(context, inside.view, relay);
  },
};

async function questionRedrawn(context: Asking, view: ViewOutput): Promise<ModalView> {
  const notes = questionNotes.read(view.private_metadata);
  const { settings } = (await relayOf(context, notes.relay)).relay;
  return questionView(questionEntered(formStateIn(view)), settings, {
    notes: questionNotes.write(notes),
    changing: notes.id !== undefined,
  });
}

export const questionRedraw = rerendering(questionRedrawn);

interface QuestionSent {
  readonly relay: string;
  readonly id: string | undefined;
  readonly question: Omit<RelaySettings['questions'][number], 'id'>;
  readonly seen: string | undefined;
}

export const questionSubmitted: ViewHandler<QuestionSent> = {
  role: 'manager',

  fields({ view }) {
    const { relay, id, seen } = questionNotes.read(view.private_metadata);
    const read = readQuestion(formStateIn(view));
    return 'errors' in read ? read : { close: 'this', input: { relay, id, question: read.question, seen } };
  },

  redraw: (context) => questionRedrawn(context, context.view),

  run: (context, { relay, id, question, seen: version }) => {
    const change: Change = (settings) => {
      const { questions } = settings;
      const at = questions.findIndex((each) => each.id === id);
      if (at < 0 && questions.length >= mostQuestions) {
        throw new SettingsRejectedError(`a relay has at most ${mostQuestions} questions`);
      }
      const kept = { ...question, id: id ?? freeQuestionId(questions) };
      return { ...settings, questions: at < 0 ? [...questions, kept] : questions.with(at, kept) };
    };
    return keepInList(context, relay, change, { part: shownPart.question(id), version });
  },
};
