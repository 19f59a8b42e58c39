/** The modal of what a device shows: a response for each result a scan can have, and the questions asked. */
import { z } from 'zod';
import {
  type Answer,
  defaultAnswer,
  type RelaySettings,
  type ResultCode,
  resultCodes,
} from '../../../../relay/index.js';
import { resultWords } from '../../../../scans/result-words.js';
import {
  actions,
  type Block,
  button,
  cut,
  divider,
  type ModalView,
  modalView,
  plain,
  section,
} from '../../../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../../../block-kit/notice.js';
import { richText, settled } from '../../../block-kit/text.js';
import { encode, longest } from '../../../bolt/metadata.js';
import type { ActorContext } from '../../../bolt/routing/context.js';
import { possibleResultCodes } from '../../../channel-posts/describe/describe-settings.js';
import type { Choice } from '../../../forms/inputs.js';
import { heading } from '../../../forms/inputs.js';
import { relayOf } from '../../load-views.js';
import { relayOrigin } from '../settings-form.js';

type Question = RelaySettings['questions'][number];

export const mostQuestions = 10;

export const questionTypes: readonly Choice<Question['type']>[] = [
  ['manual', 'Text'],
  ['manualnumeric', 'Number'],
  ['option', 'Single choice'],
  ['dropdown', 'Single choice from a menu'],
  ['checkbox', 'Multiple choice'],
];

export const answersMetadata = z.object(relayOrigin);

/** The data of the button *Edit* of a response. */
export const answerButton = z.object({ relay: z.string(), finding: z.enum(resultCodes) });

export async function responsesModal(
  context: ActorContext,
  relay: string,
  notice: ViewNotice = {},
): Promise<ModalView> {
  const { settings } = (await relayOf(context, relay)).relay;
  return answersView(settings, { channel: context.actor.channelId, relay }, notice);
}

export function answersView(
  settings: RelaySettings,
  metadata: z.output<typeof answersMetadata>,
  notice: ViewNotice = {},
): ModalView {
  const customized = Object.keys(settings.answers) as ResultCode[];
  const shownResults = [...new Set([...possibleResultCodes(settings), ...customized])];
  const blocks: Block[] = [
    ...noticeBlocks(notice),
    richText('What devices show after a scan. Services set to “receiver only” show their own response instead.'),
    ...shownResults.map((finding) => answerSection(finding, settings.answers[finding], metadata.relay)),
    divider,
    heading('Questions'),
    richText(
      settings.questions.length === 0
        ? 'No questions yet. Devices ask questions right after a scan; the answers are added to the scan.'
        : 'Devices ask these right after a scan; the answers are added to the scan.',
    ),
    ...settings.questions.map(questionSection),
    ...(settings.questions.length < mostQuestions ? [actions([button('Add question', 'relay.question.add')])] : []),
  ];
  return modalView('Responses', blocks, {
    callback_id: 'relay.answers',
    close: 'Back',
    private_metadata: encode(answersMetadata, metadata),
  });
}

function answerSection(finding: ResultCode, answer: Answer | undefined, relay: string): Block {
  const answerText = answer?.text || defaultAnswer(finding);
  const detailElements = [
    ...(answer?.kind === 'page' ? ['web page'] : []),
    ...(answer?.kind === 'url' ? ['opened as a URL'] : []),
    ...(answer?.title ? [`heading “${answer.title}”`] : []),
    ...(answer?.color ? [answer.color] : []),
  ];
  return section(`*${resultWords[finding]}*`, {
    fields: [
      plain(cut(settled(`${answerText}${detailElements.length > 0 ? ` (${detailElements.join(', ')})` : ''}`), 500)),
    ],
    accessory: button('Edit', 'relay.answer', {
      value: encode(answerButton, { relay, finding }, longest.button),
      accessibility_label: `Edit the response for ${resultWords[finding]}`,
    }),
  });
}

function questionSection(question: Question): Block {
  const type = questionTypes.find(([value]) => value === question.type)?.[1] ?? question.type;
  const detailElements = [
    type,
    ...(question.answers.length > 0 ? [question.answers.join(' / ')] : []),
    ...(question.when.length > 0 ? [`only for: ${question.when.map((each) => resultWords[each]).join(', ')}`] : []),
  ];
  return {
    type: 'section',
    text: plain(cut(settled(question.text), 500)),
    fields: [plain(cut(settled(detailElements.join(' · ')), 500))],
    accessory: {
      type: 'overflow',
      action_id: 'relay.question.menu',
      options: [
        { text: plain('Edit'), value: `change:${question.id}` },
        { text: plain('Delete'), value: `remove:${question.id}` },
      ],
    },
  };
}
