/**
 * The form that creates or changes a relay: service, channel, which scans to post, and a preview. For a
 * relay with rules, it does not ask which scans to post. Pure.
 */
import { z } from 'zod';
import type { Service } from '../../../codereadr/types.js';
import { countOf, plural } from '../../../english.js';
import type { Notable, Relay } from '../../../relay/relays/types.js';
import { type Block, divider, pickable } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { richText } from '../../block-kit/text.js';
import { notableLabels } from '../../channel-posts/describe/describe-relay.js';
import { createForm, type DraftOf, fieldsOf } from '../../forms/form.js';
import { type Choice, optionsOf } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import { formOrigin } from '../../forms/settings-form.js';

/** Stands for any service that sends scans to the relay; no id of the account looks like it. */
export const anyService = 'any';

/** Stands for the services of a relay that has several. */
export const severalServices = 'several';

const notable = z.enum(['all', 'invalid']);
const relayChoice = z.object({ service: z.string(), channel: z.string(), notable });

/** The values of a relay's form. `service`: its id, `anyService` or `severalServices`. */
export type RelayChoice = z.output<typeof relayChoice>;

/**
 * `relay`: the one being changed, none for a new one. `notable`: the stored choice of scans, where the form does not
 * ask for one.
 */
export const relayFormMetadata = z.object({
  ...formOrigin,
  relay: z.string().optional(),
  notable: notable.optional(),
});
/** The metadata of the question about a shared channel, which was a window of its own in older versions. */
export const relaySharedMetadata = relayFormMetadata.extend({ chosen: relayChoice });

export const anyServiceChoice: Choice = [anyService, 'Any service', 'Every service that posts to the webhook URL'];

export function serviceChoice({ id, name }: Service): Choice {
  return [id, shortName(name, 75)];
}

interface RelayFormContent {
  /** The account's services; undefined if it could not list them. */
  readonly services?: readonly Service[] | undefined;
  /** The relay being changed; none for a new one. */
  readonly relay?: Relay | undefined;
}

function serviceInput({ services = [], relay }: RelayFormContent) {
  const severalOption: readonly Choice[] =
    relay && relay.serviceIds.length > 1
      ? [[severalServices, shortName(relay.serviceName, 75), 'The current services']]
      : [];
  const texts = { placeholder: 'Choose a service', missing: 'Choose a service.' };
  const choices = [...severalOption, anyServiceChoice, ...pickable(services).map(serviceChoice)];
  const menu = optionsOf(choices);
  const search = kinds.picker({ ...texts, action: 'relay.service', menu });
  const byId = kinds.select(choices, texts);
  const draw: typeof byId.draw = (frame, id) =>
    search.draw(
      frame,
      menu.find(({ value }) => value === id),
    );
  return { kind: { ...byId, draw }, variesWith: () => menu };
}

/** The maker of the form's fields, from the chosen values or the relay's settings. */
const field = fieldsOf<Partial<RelayChoice>>();

function formOf(content: RelayFormContent) {
  const { kind, variesWith } = serviceInput(content);
  const joining = 'Scandesk joins public channels by itself. Invite it to a private channel first.';
  const hasRules = (content.relay?.settings.rules.length ?? 0) > 0;
  return createForm(
    'relay',
    { field: 'relay.notable', rerender: 'relay.notable' },
    {
      service: field(kind, {
        label: 'Service',
        hint: 'Only scans from this service are posted. Scans from other services are received but not posted.',
        rerenders: true,
        action: 'relay.service',
        variesWith,
        path: 'service',
      }),
      channel: field(kinds.channel({ missing: 'Choose a channel.', orCurrent: true }), {
        label: 'Channel',
        hint: hasRules ? `For test scans, and the default for new rules. ${joining}` : joining,
        rerenders: true,
        action: 'relay.channel',
        path: 'channel',
      }),
      notable: field(
        kinds.radio((['all', 'invalid'] as const).map((value): Choice<Notable> => [value, notableLabels[value]])),
        {
          label: 'Scans to post',
          hint: 'Scans that were not checked count as valid.',
          rerenders: true,
          collapsible: true,
          path: 'notable',
          initial: 'all',
        },
      ),
    },
  );
}

export const relayForm = formOf({});
export type RelayDraft = DraftOf<typeof relayForm.fields>;

export interface RelayFormOptions extends RelayFormContent {
  readonly draft: RelayDraft;
  /** The agreement to post in the channel, where another organization can read it. */
  readonly agreement: readonly Block[];
  /** The posts that the form's current settings would have made. */
  readonly preview: readonly Block[];
}

export function relayFields(options: RelayFormOptions): Block[] {
  const { services, relay, draft, agreement, preview } = options;
  const { draw } = formOf(options);
  // Without a list of services, the menu holds *Any service*, and the several services of a relay.
  const service = services?.length || draft.service === severalServices ? draft.service : anyService;
  const rules = relay?.settings.rules.length ?? 0;
  return [
    ...draw({ ...draft, service }, 'service'),
    ...(services === undefined
      ? [richText('The account’s services could not be listed. You can still choose “Any service”.')]
      : []),
    ...draw(draft, 'channel'),
    ...agreement,
    ...(rules > 0 ? [rulesLine(rules)] : draw(draft, 'notable')),
    divider,
    ...preview,
    ...(relay ? [] : [richText('Nothing is posted yet: the next step shows the URL that its service posts to.')]),
  ];
}

/** With rules, the rules decide what is posted and where. */
function rulesLine(rules: number): Block {
  return richText(
    `Its ${countOf(rules, 'rule')} ${plural(rules, 'decides', 'decide')} which scans are posted, and where.`,
  );
}
