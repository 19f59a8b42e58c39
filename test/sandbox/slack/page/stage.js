/**
 * The browser side of renderer tests: draws blocks with the page's own modules, and reports the form's state and the
 * requests that the app would have received.
 */
import { blocksIn, drawBlock } from '../../../../src/sandbox/slack/page/blocks/index.ts';
import { createFormState } from '../../../../src/sandbox/slack/page/form-state.ts';
import { createKeyedList } from '../../../../src/sandbox/slack/page/keyed-list.ts';
import { drawMrkdwn, drawPlain } from '../../../../src/sandbox/slack/page/mrkdwn.ts';

const people = [
  { id: 'U0ADA', name: 'ada', real_name: 'Ada Admin', tz: 'Europe/Berlin', color: '#a00' },
  { id: 'U0MIA', name: 'mia', real_name: 'Mia Member', tz: 'America/Chicago', color: '#0a0' },
];
const channel = (id, name, more = {}) => ({ id, name, is_private: false, is_im: false, is_ext_shared: false, ...more });
const channels = [
  channel('C0GATE', 'front-gate'),
  channel('C0SHARED', 'partner', { is_ext_shared: true }),
  channel('C0SECRET', 'managers', { is_private: true }),
];

const stage = {
  now: Date.UTC(2025, 5, 15, 12, 0, 0),
  zone: 'Europe/Berlin',
  acts: [],
  asked: [],
  confirmed: [],
  yes: true,
  options: { options: [] },
  form: createFormState(),
  directory() {
    return { me: { ...people[0], tz: stage.zone }, people, channels, now: () => stage.now };
  },
  surface(kind) {
    return {
      kind,
      directory: stage.directory(),
      form: stage.form,
      channel: 'C0GATE',
      async act(blockId, actionId, chosen) {
        stage.acts.push({ blockId, actionId, chosen });
      },
      async ask(blockId, actionId, typed) {
        stage.asked.push({ blockId, actionId, typed });
        return stage.options;
      },
      async upload(file) {
        return { id: `F0${file.name.toUpperCase().replace(/\W/g, '')}`, name: file.name, content: await file.text() };
      },
      async confirm(question) {
        stage.confirmed.push(question);
        return stage.yes;
      },
    };
  },
  /** Clears page and form. */
  clear(options = {}) {
    document.body.replaceChildren();
    Object.assign(stage, { acts: [], asked: [], confirmed: [], yes: true, form: createFormState() }, options);
    stage.list = undefined;
  },
  /** Draws blocks as the page does: a second call updates the same place and keeps what is unchanged. */
  draw(blocks, { kind = 'modal', errors = {} } = {}) {
    stage.list ??= createKeyedList(document.body);
    const shown = blocksIn(blocks);
    stage.form.keepOnly(shown);
    const surface = stage.surface(kind);
    stage.list.show(
      shown.map((block, index) => ({
        key: block.block_id ?? String(index),
        signature: JSON.stringify([block, errors[block.block_id]]),
        draw: () => drawBlock(block, surface, errors[block.block_id]),
      })),
    );
  },
  values: () => stage.form.values(),
  /** The HTML of a mrkdwn text, without the element around it. */
  mrkdwn: (text, verbatim) => drawMrkdwn(text, stage.directory(), verbatim).innerHTML,
  mrkdwnWords: (text) => drawMrkdwn(text, stage.directory()).textContent,
  plain(text, emoji) {
    const box = document.createElement('div');
    box.append(...drawPlain(text, emoji));
    return box.textContent;
  },
  /** The text of each block, drawn separately. */
  texts: (blocks) => blocks.map((block) => drawBlock(block, stage.surface('message')).textContent),
};
window.stage = stage;
document.body.setAttribute('data-ready', 'true');
