/** What a list would have counted, before it is turned on or saved: the scans of a span that people choose. */
import { z } from 'zod';
import type { PlaceSettings } from '../../places/index.js';
import type { ModalView } from '../block-kit/elements.js';
import { encode } from '../bolt/metadata.js';
import type { ActorContext } from '../bolt/routing/context.js';
import { opener } from '../bolt/routing/listeners.js';
import { accountOf } from '../connection/account.js';
import { listModal } from './actions.js';
import { type EnteredList, enteredRecords, previewMetadata } from './entered-list.js';
import { gateNames } from './gates.js';
import { findList } from './listed.js';
import { placesPreviewView, previewedSpan } from './views.js';

export const spanChosen = opener('places.span', {
  role: 'manager',
  data: z.string(),
  metadata: previewMetadata,
  modalTitle: 'Preview',
  view: (context) => previewModal(context, context.metadata, context.data),
});

const dayMs = 24 * 3_600_000;
export const previewGone = 'This preview was too old. Nothing was saved: enter the list again.';

/** The values of the form that a preview follows; undefined: the preview is too old. */
export async function enteredIn(
  { deps, actor }: ActorContext,
  { entered, name, settings }: z.output<typeof previewMetadata>,
): Promise<EnteredList | undefined> {
  if (entered !== undefined) {
    return await enteredRecords.find(deps, actor.owner, entered);
  }
  return name === undefined || settings === undefined ? undefined : { name, settings };
}

export async function previewModal(
  context: ActorContext,
  metadata: z.output<typeof previewMetadata>,
  chosenSpan?: string,
): Promise<ModalView> {
  const { deps, actor } = context;
  const input = await enteredIn(context, metadata);
  if (!input) {
    return listModal(context, { problem: previewGone });
  }
  const settings = await withDevices(context, input.settings);
  const list = metadata.list === undefined ? undefined : await findList(context, metadata.list);
  const span = previewedSpan(settings, chosenSpan, list);
  const preview = await deps.places.preview(actor.owner, settings, {
    list,
    ...(span === 'today' ? {} : { span: Number(span) * dayMs }),
  });
  const nameOf = await gateNames(deps, actor.owner);
  const gates = [...new Set(preview.gates.map(nameOf))];
  const previewOptions = { span, list, gates, private_metadata: encode(previewMetadata, metadata) };
  return placesPreviewView(preview, { ...metadata, ...input }, previewOptions);
}

/** Settings with the other ids of their devices: the account's scans name a device by another id than relays do. */
export async function withDevices({ deps, actor }: ActorContext, settings: PlaceSettings): Promise<PlaceSettings> {
  const chosenUdids = [...settings.in, ...settings.out].flatMap((one) =>
    one.kind === 'from' && one.what === 'device' ? one.ids : [],
  );
  if (chosenUdids.length === 0) {
    return settings;
  }
  const devices = await (await accountOf(deps, actor.owner)).names.devices();
  const ids = devices.filter(({ udid }) => chosenUdids.includes(udid)).map(({ udid, id }) => [udid, id] as const);
  return { ...settings, devices: Object.fromEntries(ids) };
}
