/** *Erase data*, for admins: confirmed twice, then carried out in the background (`workspaces/erasures.ts`). */
import { countOfBarcodes, createScanErasure } from '../../relay/index.js';
import { createRecordErasure } from '../../workspaces/forget-records.js';
import type { ModalView } from '../block-kit/elements.js';
import { record } from '../bolt/audit.js';
import { savingView } from '../bolt/problem/loading.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { ActorContext } from '../bolt/routing/context.js';
import { modal, opener, opens } from '../bolt/routing/listeners.js';
import { formStateIn } from '../forms/view-state.js';
import {
  confirmEraseView,
  type DataCounts,
  eraseForm,
  eraseMetadata,
  eraseTitle,
  eraseView,
  eraseWord,
  erasingMessage,
  erasingView,
  mostCounted,
} from './erase-view.js';
import { recordNamespaces } from './records.js';

export const eraseCommand: Subcommand = {
  name: 'erase',
  usage: 'erase',
  description: 'Erase scans, the copy of the account and stored cards',
  role: 'admin',
  ...opens(eraseTitle, eraseModal),
};

export const eraseOpen = opener('erase.open', { role: 'admin', modalTitle: eraseTitle, view: eraseModal });

async function eraseModal({ deps, actor }: ActorContext): Promise<ModalView> {
  const underWay = await deps.erasures.find(actor.owner);
  return underWay ? erasingView(underWay.at) : eraseView(await countStored({ deps, actor }), actor.channelId);
}

async function countStored({ deps: { store, clock, mirror }, actor: { owner } }: ActorContext): Promise<DataCounts> {
  const [received, cards, alerts, scans, databases] = await Promise.all([
    createScanErasure(store, clock).count(owner, mostCounted),
    createRecordErasure(store, clock).count(owner, recordNamespaces, undefined),
    countOfBarcodes(store.db, owner),
    mirror?.scansState(owner),
    mirror?.states(owner),
  ]);
  const copied = (scans?.size ?? 0) + (databases ?? []).reduce((sum, { size }) => sum + size, 0);
  return { ...received, cards, alerts, copied };
}

export const eraseSubmitted = modal('erase', {
  role: 'admin',
  metadata: eraseMetadata,
  fields: ({ metadata }) => ({ show: confirmEraseView(metadata), input: undefined }),
  // Nothing is left to do: the permission is checked, and the second confirmation is open.
  run: () => Promise.resolve(),
});

export const eraseConfirmed = modal('erase.confirm', {
  role: 'admin',
  metadata: eraseMetadata,

  fields({ view }) {
    const { word = '' } = eraseForm.read(formStateIn(view), {});
    return word.trim().toUpperCase() === eraseWord
      ? { show: savingView(eraseTitle), input: undefined }
      : { errors: { [eraseForm.nameOf('word')]: `Type ${eraseWord}.` } };
  },

  async run(context) {
    const { deps, actor, metadata, modal: window } = context;
    await deps.erasures.request(actor.owner, { who: actor.userId, at: deps.clock.now() });
    const { scans, posts } = metadata.counts;
    await record(context, { what: 'workspace/erase', detail: { scans, posts } });
    if (!(await window.showOutcome(erasingView()))) {
      await context.postPrivately(erasingMessage());
    }
  },
});
