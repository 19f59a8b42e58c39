/** The command `/scandesk audit`, and the filters and page buttons of the modal it opens. */
import { z } from 'zod';
import type { ModalView } from '../block-kit/elements.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { ActorContext } from '../bolt/routing/context.js';
import { type DataSchema, type Listener, type Output, opener, opens } from '../bolt/routing/listeners.js';
import { type AuditMetadata, auditMetadata, auditPageData, auditTitle } from './audit-view.js';
import { auditModal } from './load-audit.js';

export const audit: Subcommand = {
  name: 'audit',
  usage: 'audit',
  description: 'Show who changed what, when and where',
  role: 'manager',
  ...opens(auditTitle, newestEntries),
};

export const auditOpen = opener('audit.open', { role: 'manager', modalTitle: auditTitle, view: newestEntries });

function newestEntries(context: ActorContext): Promise<ModalView> {
  return auditModal(context, { channel: context.actor.channelId });
}

/** A listener that draws the modal again with another page or filter. */
function redrawWith<D extends DataSchema>(
  id: string,
  data: D,
  nextMetadata: (metadata: AuditMetadata, data: Output<D>) => AuditMetadata,
): Listener {
  return opener(id, {
    role: 'manager',
    data,
    metadata: auditMetadata,
    modalTitle: auditTitle,
    view: (context) => auditModal(context, nextMetadata(context.metadata, context.data)),
  });
}

function firstPage({ before: _, ...metadata }: AuditMetadata): AuditMetadata {
  return metadata;
}

export const auditOlder = redrawWith('audit.older', auditPageData, (metadata, { before }) => ({ ...metadata, before }));

export const auditNewest = redrawWith('audit.newest', undefined, firstPage);

export const auditPerson = redrawWith('audit.person', z.string(), (metadata, who) => ({ ...firstPage(metadata), who }));

export const auditAnybody = redrawWith('audit.anybody', undefined, (metadata) => ({
  ...firstPage(metadata),
  who: undefined,
}));

export const auditSection = redrawWith('audit.section', z.string(), (metadata, section) => ({
  ...firstPage(metadata),
  section: section === 'all' ? undefined : section,
}));
