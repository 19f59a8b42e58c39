/** Listeners of the list of responses and questions, which opens their forms. */
import { z } from 'zod';
import { action, type Listener, opener } from '../../../bolt/routing/listeners.js';
import { pushedModal, refreshRelay } from '../flow.js';
import { changeSettings } from '../save.js';
import { answer } from './answer.js';
import { answerButton, answersMetadata, responsesModal } from './answers-view.js';
import { question } from './question.js';

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
      await context.modal.fill('Edit question', () => question.open(context, { relay, id }));
      return;
    }
    await changeSettings(context, relay, 'relay/answers', (settings) => ({
      ...settings,
      questions: settings.questions.filter((each) => each.id !== id),
    }));
    await inside.show(await responsesModal(context, relay, { done: 'Question deleted.' }));
    await refreshRelay(context, inside.view, relay);
  },
});

export const answersListeners: readonly Listener[] = [
  action('relay.answers', pushedModal('Responses', responsesModal)),
  opener('relay.answer', {
    role: 'manager',
    data: answerButton,
    modalTitle: 'Response',
    push: true,
    view: (context) => answer.open(context, context.data),
  }),
  opener('relay.question.add', {
    role: 'manager',
    metadata: answersMetadata,
    modalTitle: 'New question',
    push: true,
    view: (context) => question.open(context, { relay: context.metadata.relay }),
  }),
  questionMenu,
];
