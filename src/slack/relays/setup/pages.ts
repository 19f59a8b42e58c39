/** The modal of a relay's device pages: it shows how many URLs work, creates new ones, and revokes them. */
import { plural } from '../../../english.js';
import type { PagePaths } from '../../../pages/index.js';
import { actions, type Block, button, confirm, type ModalView, modalView } from '../../block-kit/elements.js';
import { noticeBlocks } from '../../block-kit/notice.js';
import { bold, momentAfter, preformatted, richText } from '../../block-kit/text.js';
import { encode, longest, originMetadata } from '../../bolt/metadata.js';
import type { ActionContext, ActorContext } from '../../bolt/routing/context.js';
import { action, type Listener } from '../../bolt/routing/listeners.js';
import { withAudit } from '../form/save.js';
import { relayOf } from '../load-views.js';
import { relayButton } from '../relay-view.js';
import { pushedModal } from '../settings/flow.js';

interface PagesOptions {
  /** The creation times of the URLs that work, newest first. */
  readonly madeAt: readonly number[];
  /** The URLs just created, which are shown once. */
  readonly urls?: Readonly<Record<keyof PagePaths, string>>;
  readonly done?: string | undefined;
}

function pagesView(relay: string, channel: string | undefined, { madeAt, urls, done }: PagesOptions): ModalView {
  const value = encode(relayButton, { relay }, longest.button);
  const blocks: Block[] = [
    ...noticeBlocks({ done }),
    richText(
      'The account doesn’t store direct scans, so it can’t show them on devices. These two pages can: one lists a device’s recent scans, the other looks up a barcode. Nobody can send scans with their URLs.',
    ),
    ...(urls ? urlsBlocks(urls) : []),
    ...(urls && madeAt.length === 1 ? [] : [createdBlock(madeAt)]),
    actions([
      button('New URLs', 'relay.pages.new', { value }),
      ...(madeAt.length > 0
        ? [
            button('Revoke all', 'relay.pages.end', {
              value,
              style: 'danger',
              confirm: confirm(
                'Revoke all page URLs?',
                'Devices that use them see nothing until you enter new URLs in their service.',
                'Revoke',
              ),
            }),
          ]
        : []),
    ]),
  ];
  return modalView('Device pages', blocks, {
    callback_id: 'relay.pages',
    close: 'Back',
    private_metadata: encode(originMetadata, { channel }),
  });
}

function createdBlock(madeAt: readonly number[]): Block {
  const [newest] = madeAt;
  if (newest === undefined) {
    return richText('There are no page URLs yet.');
  }
  const which = plural(
    madeAt.length,
    'The page URLs were created ',
    `${madeAt.length} pairs of page URLs work, the newest created `,
  );
  return richText([momentAfter(which, newest), '.']);
}

function urlsBlocks({ history, lookup }: NonNullable<PagesOptions['urls']>): Block[] {
  const urlBlocks = (name: string, url: string): Block[] => [richText([bold(name)]), preformatted(url)];
  return [
    richText(
      'Copy them now: they are shown only once. Enter them in the service as its direct history URL and direct lookup URL.',
    ),
    ...urlBlocks('Recent scans', history),
    ...urlBlocks('Barcode lookup', lookup),
  ];
}

async function pagesModal(
  { deps, actor }: ActorContext,
  relay: string,
  options: Pick<PagesOptions, 'urls' | 'done'> = {},
): Promise<ModalView> {
  await relayOf({ deps, actor }, relay);
  return pagesView(relay, actor.channelId, { madeAt: await deps.devicePages.madeAt(actor.owner, relay), ...options });
}

function pagesAction(
  id: string,
  auditName: string,
  changePages: (context: ActionContext, relay: string) => Promise<Pick<PagesOptions, 'urls' | 'done'>>,
): Listener {
  return action(id, {
    role: 'manager',
    data: relayButton,
    metadata: originMetadata,
    run: async (context) => {
      const { relay } = context.data;
      await relayOf(context, relay);
      const options = await withAudit(context, auditName, { relay }, () => changePages(context, relay));
      await context.inside.show(await pagesModal(context, relay, options));
    },
  });
}

export const pagesListeners: readonly Listener[] = [
  action(
    'relay.pages.open',
    pushedModal('Device pages', (context, relay) => pagesModal(context, relay)),
  ),
  pagesAction('relay.pages.new', 'relay/new_pages', async ({ deps, actor }, relay) => {
    const paths = await deps.devicePages.make(actor.owner, relay);
    const absolute = (path: string) => new URL(path, deps.config.PUBLIC_URL).href;
    return { urls: { history: absolute(paths.history), lookup: absolute(paths.lookup) } };
  }),
  pagesAction('relay.pages.end', 'relay/end_pages', async ({ deps, actor }, relay) => {
    await deps.devicePages.end(actor.owner, relay);
    return { done: 'All page URLs revoked.' };
  }),
];
