/** The modals of lists: all lists with their buttons, and the preview before a list is switched on. Pure. */
import { z } from 'zod';
import { countOf } from '../../english.js';
import {
  mostPlaceLists,
  type PlaceBoard,
  type PlaceList,
  type PlaceListInput,
  type PlaceSettings,
  type PlacesPreview,
} from '../../places/index.js';
import { actions, type Block, button, confirm, divider, type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, momentAfter, richText } from '../block-kit/text.js';
import { encode } from '../bolt/metadata.js';
import { channelElements } from '../channel-posts/describe/describe-relay.js';
import { initialOption, optionsOf } from '../forms/inputs.js';
import { stillCounting } from '../lent/thing-lines.js';
import { isOverdue, type LentList } from '../lent/things.js';
import { boardsTitle, isShownIn } from './boards-view.js';
import type { previewMetadata } from './entered-list.js';
import { headLine, insideText, oddLines } from './figures-lines.js';
import { placesMetadata } from './form.js';
import type { ListedPlaces } from './listed.js';

export const placesTitle = 'Lists';

/** The data of a list's buttons: its id. */
export const placesData = z.string();

type Listed = ListedPlaces & Partial<Omit<LentList, 'list'>> & { readonly boards?: readonly PlaceBoard[] };

export function placesListView(
  lists: readonly Listed[],
  { channel, now, ...notice }: ViewNotice & { readonly channel?: string | undefined; readonly now: number },
): ModalView {
  return modalView(
    placesTitle,
    [
      ...noticeBlocks(notice),
      ...(lists.length === 0
        ? [
            richText(
              [bold('Count who is inside, or keep who has what.')],
              'A list says which scans mean in and which mean out. Each barcode is where its newest scan says.',
            ),
          ]
        : []),
      ...lists.flatMap((listed) => listBlocks(listed, now)),
      ...(lists.length < mostPlaceLists
        ? [actions([button('New list', 'places.new', { style: 'primary' })], 'places.new')]
        : [richText(`A workspace has at most ${mostPlaceLists} lists.`)]),
    ],
    { callback_id: 'places.list', private_metadata: encode(placesMetadata, { channel }) },
  );
}

function listBlocks(listed: Listed, now: number): Block[] {
  const { id, name } = listed.list;
  const { out } = listed;
  const isLent = out !== undefined;
  const odd = oddLines(listed.figures, isLent);
  const boards = listed.boards ?? [];
  const channels = boards.filter(({ lost }) => !lost).map(({ channel }) => channel);
  const showText = boardsTitle(isShownIn(boards));
  const label = (verb: string) => ({ accessibility_label: `${verb} the list ${name}`.slice(0, 75), value: id });
  return [
    isLent
      ? richText(
          [
            bold(`${shortName(name)} · ${outText(out.length)}`),
            ...loanTexts({ out, counting: listed.figures.counting }, now).map((text) => ` · ${text}`),
          ],
          'Who has it',
          ...odd,
        )
      : richText(
          headLine(name, listed.figures, listed.list.settings.capacity),
          [`A new day begins ${dayText(listed.list)}`, momentAfter(' · counted since ', listed.figures.since)],
          ...(channels.length > 0 ? [['Shown in ', ...channelElements(channels)]] : []),
          ...odd,
        ),
    actions(
      [
        button('Edit', 'places.edit', label('Edit')),
        ...(isLent ? [] : [button(showText, 'places.boards', label(showText))]),
        button('Reset', 'places.reset', {
          ...label('Reset'),
          confirm: confirm(
            'Reset this list?',
            isLent
              ? 'Nothing counts as lent from now on, until it is scanned out again.'
              : 'Everyone counts as outside from now on, and its figures begin at 0.',
            'Reset',
          ),
        }),
        button('Delete', 'places.delete', {
          ...label('Delete'),
          style: 'danger',
          confirm: confirm(
            'Delete this list?',
            `${isLent ? 'Nobody is reminded of what they have' : 'Who is inside is no longer counted'}. The scans stay.`,
            'Delete',
          ),
        }),
      ],
      `places.${id}`,
    ),
    divider,
  ];
}

const overdueText = (overdue: number) => `${overdue.toLocaleString('en-US')} overdue`;

function loanTexts({ out, counting }: Pick<LentList, 'out' | 'counting'>, now: number): readonly string[] {
  const overdue = out.filter((place) => isOverdue(place, now)).length;
  return [...(overdue > 0 ? [overdueText(overdue)] : []), ...(counting ? [stillCounting] : [])];
}

/** How many things are out: "3 out". */
const outText = (out: number) => `${out.toLocaleString('en-US')} out`;

function dayText({ settings: { hour, zone } }: PlaceList): string {
  return hour === undefined ? 'only by hand' : `at ${String(hour).padStart(2, '0')}:00, ${zone.replaceAll('_', ' ')}`;
}

const spans = [
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
] as const;
export type PreviewedSpan = 'today' | (typeof spans)[number][0];

/** The spans of time that a preview offers, the usual one first: a new list that is reset only by hand has no day. */
function spansOf(
  { custody, hour }: PlaceSettings,
  list: PlaceList | undefined,
): readonly (readonly [PreviewedSpan, string])[] {
  const isKept = list !== undefined && (list.settings.custody === undefined) === (custody === undefined);
  return custody === undefined && hour === undefined && !isKept
    ? spans
    : [
        ['today', custody ? 'All that is stored' : hour === undefined ? 'Since the last reset' : 'Since the day began'],
        ...spans,
      ];
}

/** The chosen span; the usual one if none is chosen. */
export function previewedSpan(settings: PlaceSettings, chosen?: string, list?: PlaceList): PreviewedSpan {
  const offered = spansOf(settings, list);
  return (offered.find(([span]) => span === chosen) ?? offered[0]!)[0];
}

/** What happened before the list is turned on or saved, which it does not post. */
function earlierLines({ overdue, doubles }: PlacesPreview): string[] {
  return [
    ...(overdue > 0 ? [`⏰ ${overdueText(overdue)}: nobody is reminded of these, /scandesk out shows them`] : []),
    ...(doubles > 0 ? [`⚠️ ${countOf(doubles, 'barcode')} came in at two devices: only later ones are posted`] : []),
  ];
}

/** The alert that is posted as soon as the list counts: it is about now, unlike what happened before. */
function reachedLine({ reached }: PlacesPreview, { capacity }: PlaceSettings, list: PlaceList | undefined): string[] {
  const { alerts, capacity: before } = list?.settings ?? {};
  return reached === undefined || (capacity === before && alerts?.percents.includes(reached))
    ? []
    : [
        `⚠️ ${reached}% of ${capacity?.toLocaleString('en-US')} is reached: ${list === undefined ? 'Turn on' : 'Save'} posts this`,
      ];
}

export function placesPreviewView(
  preview: PlacesPreview,
  metadata: PlaceListInput & Pick<z.output<typeof previewMetadata>, 'list' | 'shared'>,
  display: {
    readonly span: PreviewedSpan;
    /** The list that is being changed. */
    readonly list: PlaceList | undefined;
    readonly gates: readonly string[];
    readonly private_metadata: string;
  },
): ModalView {
  const { scans, ins, outs, withoutGate, readFrom } = preview;
  const isLent = metadata.settings.custody !== undefined;
  const options = optionsOf(spansOf(metadata.settings, display.list));
  return modalView(
    metadata.list === undefined ? 'New list' : 'Edit list',
    [
      richText([bold(`What ${shortName(metadata.name)} would have counted`)]),
      {
        type: 'actions',
        block_id: 'places.span',
        elements: [
          { type: 'static_select', action_id: 'places.span', options, ...initialOption(options, display.span) },
          button('← Change', 'places.back'),
        ],
      },
      richText(
        [
          bold(isLent ? outText(preview.inside) : insideText(preview)),
          ` now: ${countOf(ins, 'scan')} in, ${countOf(outs, 'scan')} out, of ${countOf(scans, 'scan')}`,
        ],
        ...oddLines(preview, isLent),
        ...earlierLines(preview),
        ...(display.span === 'today' ? reachedLine(preview, metadata.settings, display.list) : []),
        ...(withoutGate > 0 ? [`⚠️ ${countOf(withoutGate, 'scan')} without a device, so without a gate`] : []),
        ...(ins + outs === 0 ? ['⚠️ No scan of this time means in or out.'] : []),
        ...(display.gates.length > 0
          ? [
              `Gates: ${display.gates
                .slice(0, 10)
                .map((each) => shortName(each))
                .join(', ')}`,
            ]
          : []),
        ...(metadata.shared
          ? ['⚠️ The channel for alerts is shared with another organization: people there read them.']
          : []),
        ...(readFrom === undefined
          ? []
          : [[momentAfter('Only scans since ', readFrom), ' were read: there are too many.']]),
      ),
    ],
    {
      callback_id: 'places.save',
      submit: metadata.list === undefined ? 'Turn on' : 'Save',
      private_metadata: display.private_metadata,
    },
  );
}
