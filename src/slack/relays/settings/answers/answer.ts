/** The form for the device response to one result code, with an example of each variable. */
import { z } from 'zod';
import {
  type Answer,
  answerSchema,
  defaultAnswer,
  isUrlTemplate,
  type ResultCode,
  resultCodes,
  sampleAnswer,
  templatePlaceholders,
} from '../../../../relay/index.js';
import { resultWords } from '../../../../scans/result-words.js';
import { actions, type Block, button, cut } from '../../../block-kit/elements.js';
import { noticeBlocks } from '../../../block-kit/notice.js';
import { bold, bulletList, code, richText } from '../../../block-kit/text.js';
import { boundsOf } from '../../../forms/bounds.js';
import { createForm, type DraftOf, fieldsOf, type Kind, when } from '../../../forms/form.js';
import { type Choice, longestText } from '../../../forms/inputs.js';
import * as kinds from '../../../forms/kinds.js';
import { inputActions } from '../../../inputs/kinds.js';
import { relayOrigin, relaySettingsForm } from '../settings-form.js';
import { responsesModal } from './answers-view.js';

const colors: readonly Choice[] = [
  ['none', 'Default'],
  ['#1a7f37', 'Green'],
  ['#c62828', 'Red'],
  ['#b26a00', 'Amber'],
  ['#1264a3', 'Blue'],
  ['other', 'Other…'],
];

const colorCode: Kind<string> = {
  ...kinds.text({ max: 7, placeholder: '#1a7f37' }),
  read(state, name, errors) {
    const entered = state.text(name).trim();
    if (!answerSchema.shape.color.safeParse(entered).success) {
      errors[name] = 'Enter a color like #1a7f37.';
    }
    return entered;
  },
};

/** The maker of the form's fields, from the stored response; `{}` if the relay has none for the result. */
const field = fieldsOf<Partial<Answer>>();

const formOf = (finding: ResultCode) =>
  createForm('answer', inputActions, {
    text: field(kinds.text({ multiline: true, placeholder: defaultAnswer(finding) }), {
      label: 'Text',
      hint: 'The placeholders listed below are replaced with their values.',
      optional: true,
      path: 'text',
    }),
    kind: field(
      kinds.radio<Answer['kind']>([
        ['plain', 'Plain text'],
        ['page', 'Web page', 'The text is HTML; inserted values are escaped'],
        ['url', 'URL', 'The text is a URL that devices open; inserted values are encoded'],
      ]),
      { label: 'Format', path: 'kind', initial: 'plain' },
    ),
    title: field(kinds.text(boundsOf(answerSchema.shape.title)), {
      label: 'Heading',
      optional: true,
      path: 'title',
    }),
    color: field(kinds.select(colors, { none: 'none' }), {
      label: 'Color',
      rerenders: true,
      from(answer) {
        const color = answer.color?.toLowerCase() ?? 'none';
        return colors.some(([value]) => value === color) ? color : 'other';
      },
    }),
    hex: field(colorCode, {
      label: 'Color code',
      shown: when('color', 'other'),
      path: 'color',
    }),
  });

const placeholderDescriptions: Readonly<Record<(typeof templatePlaceholders)[number], string>> = {
  value: 'the barcode',
  response: 'the response from the database or account',
  user: 'the user who scanned it',
  device: 'the device',
  service: 'the service',
  count: 'how often the barcode was scanned, including this time',
  time: 'the time; for a duplicate, the time of the first scan',
  database: 'the database that contains it',
};

const metadata = z.object({ ...relayOrigin, finding: z.enum(resultCodes) });

export const answer = relaySettingsForm({
  id: 'relay.answer',
  title: 'Response',
  audit: 'relay/answers',
  metadata,
  list: (context, { relay }, notice) => responsesModal(context, relay, notice),
  form: ({ finding }) => formOf(finding),
  source: ({ settings }, { finding }) => settings.answers[finding] ?? {},
  part: ({ answers }, { finding }) => answers[finding] ?? null,
  draw(draft, { subject, keys: { finding }, clicked }) {
    const { draw } = formOf(finding);
    return [
      richText([bold(resultWords[finding])], 'Leave the text blank to show the default text.'),
      ...draw(draft, 'text'),
      ...(draft.text.length > longestText
        ? noticeBlocks({
            problem: 'The current text is too long to edit here. Saving replaces it with what you enter.',
          })
        : []),
      placeholdersBlock,
      ...draw(draft, 'kind', 'title', 'color', 'hex'),
      ...(clicked === 'relay.again' ? exampleBlocks(finding, draft, subject.serviceName) : []),
      actions([button('Show example', 'relay.again')]),
    ];
  },
  check({ kind, text = '' }, problem) {
    if (kind === 'url' && !isUrlTemplate(text)) {
      problem('text', 'Enter a URL that begins with https://. Its host can’t be a placeholder.');
    }
  },
  change(settings, { color, hex = color, ...values }, { finding }) {
    const { [finding]: _, ...others } = settings.answers;
    const answer = formOf(finding).write<Partial<Answer>>({}, { ...values, hex });
    const isDefault = answer.text === undefined && answer.title === undefined && answer.color === undefined;
    return {
      ...settings,
      answers: isDefault ? others : { ...others, [finding]: { text: '', kind: 'plain', ...answer } },
    };
  },
});

const placeholdersBlock = bulletList(
  templatePlaceholders.map((placeholder) => [code(`{${placeholder}}`), ` ${placeholderDescriptions[placeholder]}`]),
);

function exampleBlocks(
  finding: ResultCode,
  draft: DraftOf<ReturnType<typeof formOf>['fields']>,
  serviceName: string,
): Block[] {
  const text =
    draft.text === ''
      ? defaultAnswer(finding)
      : sampleAnswer({ text: draft.text, kind: draft.kind ?? 'plain' }, serviceName);
  return [
    richText(
      [bold('Example')],
      [...(draft.title === '' ? [] : [bold(draft.title), '\n']), text === '' ? '(blank)' : cut(text, 1_000)],
    ),
  ];
}
