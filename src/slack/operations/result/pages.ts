/**
 * The pages of a result: stored for 24 hours, so that another page costs no call, and turned by buttons.
 * Keys include the workspace, so no workspace can read another's.
 */

import { type Owner, ownerKey } from '../../../ownership.js';
import { message } from '../../block-kit/elements.js';
import { bold, richText, textElement } from '../../block-kit/text.js';
import { SlackError } from '../../bolt/errors.js';
import { noticeView } from '../../bolt/problem/notice.js';
import type { SlackDeps } from '../../bolt/routing/deps.js';
import { action } from '../../bolt/routing/listeners.js';
import { pageMetadata } from '../metadata.js';
import { type Result, resultShape } from './result.js';
import { type ResultPage, resultMessage, resultView } from './result-blocks.js';

const ttlMs = 24 * 60 * 60_000;

type Deps = Pick<SlackDeps, 'store' | 'random'>;

const records = ({ store }: Deps) => store.keyv<unknown>('result', { ttlMs });
const keyOf = (owner: Owner, id: string) => `${ownerKey(owner)}:${id}`;

export async function saveResult(deps: Deps, owner: Owner, result: Result): Promise<string> {
  const id = deps.random.bytes(12).toString('base64url');
  await records(deps).set(keyOf(owner, id), result);
  return id;
}

/** Undefined if expired, or another owner's. */
export async function findResult(deps: Deps, owner: Owner, id: string): Promise<Result | undefined> {
  const found = resultShape.safeParse(await records(deps).get(keyOf(owner, id)));
  return found.success ? found.data : undefined;
}

const gone = 'These results have expired.';
const again = 'Run the search again.';

export const pageTurned = action(['form.before', 'form.next'], {
  role: 'everyone',
  async run({ deps, actor, action, inside, respond }) {
    const { kept: id, page } = pageMetadata.read('value' in action ? action.value : undefined);
    const result = await findResult(deps, actor.owner, id);
    const shown: ResultPage | undefined = result && {
      result,
      page,
      pageValue: (other) => pageMetadata.write({ kept: id, page: other }),
    };
    if (inside) {
      await inside.show(shown ? resultView(shown) : noticeView('Results expired', gone, [textElement(again)]));
      return;
    }
    if (!respond) {
      throw new SlackError('slack.state', 'page button outside a modal and a message');
    }
    if (shown) {
      await respond(resultMessage(shown), { replace: true });
    } else {
      await respond(message(`${gone} ${again}`, [richText([bold(gone), textElement(` ${again}`)])]));
    }
  },
});
