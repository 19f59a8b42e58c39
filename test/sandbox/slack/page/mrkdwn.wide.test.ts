import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PageStage, type Renderers, setPageStage } from './page-stage.js';

let pages: PageStage;
let stage: Renderers;
beforeAll(async () => {
  pages = await setPageStage();
  stage = await pages.openStage();
});
afterAll(async () => {
  await stage?.close();
  await pages?.close();
});

const mention = (kind: string, text: string, more = '') => `<span class="mention${more}" ${kind}>${text}</span>`;
const emoji = (name: string, character: string) =>
  `<span class="emoji" title=":${name}:" data-emoji="${name}">${character}</span>`;
const link = (url: string, text: string) => `<a href="${url}" target="_blank" rel="noopener noreferrer">${text}</a>`;

describe('mrkdwn', () => {
  const cases: readonly (readonly [what: string, text: string, markup: string])[] = [
    ['plain words', 'just words', '<p>just words</p>'],
    ['bold text', 'a *bold* word', '<p>a <strong>bold</strong> word</p>'],
    ['italic text', '_it_', '<p><em>it</em></p>'],
    ['struck-out text', '~gone~', '<p><s>gone</s></p>'],
    ['marks in marks', '*b _bi_ ~bs~*', '<p><strong>b <em>bi</em> <s>bs</s></strong></p>'],
    ['marks inside words as text', 'snake_case_name 2*3*4', '<p>snake_case_name 2*3*4</p>'],
    ['a mark before a space as text', '* a * b *', '<p>* a * b *</p>'],
    ['marks on two lines as text', '*a\nb*', '<p>*a\nb*</p>'],
    ['marks beside punctuation', '(*a*), *b*!', '<p>(<strong>a</strong>), <strong>b</strong>!</p>'],
    ['inline code', 'say `*x* :100:` now', '<p>say <code>*x* :100:</code> now</p>'],
    ['a code block', 'a\n```\n*x*\n  y\n```\nb', '<p>a</p><pre>*x*\n  y</pre><p>b</p>'],
    ['a code block within a line', '```x```', '<pre>x</pre>'],
    ['an unclosed code block as text', '```x', '<p>```x</p>'],
    ['quotes', '> one\n&gt; two\nthree', '<blockquote>one\ntwo</blockquote><p>three</p>'],
    ['a quote to the end of the text', '>>> one\n\ntwo', '<blockquote>one\n\ntwo</blockquote>'],
    ['escaped characters, decoded once', '&lt;b&gt; &amp;amp; &quot;', '<p>&lt;b&gt; &amp;amp; &amp;quot;</p>'],
    [
      'a link',
      '<https://a.example/x?a=1&amp;b=2>',
      `<p>${link('https://a.example/x?a=1&amp;b=2', 'https://a.example/x?a=1&amp;b=2')}</p>`,
    ],
    [
      'a link with a label',
      '<https://a.example|a &lt;label&gt;>',
      `<p>${link('https://a.example/', 'a &lt;label&gt;')}</p>`,
    ],
    ['a mail link', '<mailto:a@b.example|write>', `<p>${link('mailto:a@b.example', 'write')}</p>`],
    ['a bare URL', 'see https://a.example/x.', `<p>see ${link('https://a.example/x', 'https://a.example/x')}.</p>`],
    ['a javascript link as text', '<javascript:alert(1)|x>', '<p>&lt;javascript:alert(1)|x&gt;</p>'],
    ['a mention of a person', '<@U0MIA>', `<p>${mention('data-user="U0MIA"', '@Mia Member')}</p>`],
    ['a mention of the reader', '<@U0ADA>', `<p>${mention('data-user="U0ADA"', '@Ada Admin', ' mention-me')}</p>`],
    ['a mention of an unknown person', '<@U0WHO|who>', `<p>${mention('data-user="U0WHO"', '@who')}</p>`],
    ['a channel', '<#C0GATE|old-name>', `<p>${mention('data-channel="C0GATE"', '#front-gate')}</p>`],
    ['a user group', '<!subteam^S0GROUP|@gate>', `<p>${mention('data-usergroup="S0GROUP"', '@gate')}</p>`],
    [
      'mentions of everybody',
      '<!here> <!channel> <!everyone>',
      `<p>${['here', 'channel', 'everyone'].map((range) => mention(`data-broadcast="${range}"`, `@${range}`, ' mention-all')).join(' ')}</p>`,
    ],
    ['an escaped broadcast as text', '&lt;!channel&gt;', '<p>&lt;!channel&gt;</p>'],
    ['an unknown command as its words', '<!foo^bar|words>', '<p>words</p>'],
    ['brackets without a meaning as text', '<b>bold</b> 1 < 2 > 0', '<p>&lt;b&gt;bold&lt;/b&gt; 1 &lt; 2 &gt; 0</p>'],
    [
      'known emoji names as emoji, and unknown names as text',
      ':100: :no_such_emoji: 12:30:45',
      `<p>${emoji('100', '💯')} :no_such_emoji: 12:30:45</p>`,
    ],
    ['an emoji with a skin tone', ':wave::skin-tone-3:', `<p>${emoji('wave::skin-tone-3', '👋')}</p>`],
  ];
  it.each(cases)('mrkdwn on the demo page draws %s', async (_what, text, markup) => {
    expect(await stage.call('mrkdwn', text)).toBe(markup);
  });

  it('mrkdwn draws no link for a bare URL in a text that has verbatim set', async () => {
    expect(await stage.call('mrkdwn', 'https://a.example', true)).toBe('<p>https://a.example</p>');
  });

  it('mrkdwn shows escaped text without markup in its original, unescaped form', async () => {
    const harmless = fc.string({ unit: fc.constantFrom(...'abz 019<>&"\'#@!|^%/-+.é漢😀\u001d\t') });
    await fc.assert(
      fc.asyncProperty(fc.array(harmless, { minLength: 20, maxLength: 20 }), async (texts) => {
        for (const text of texts.filter((one) => !/(^|\n)>|https?:/.test(one))) {
          const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
          expect(await stage.call('mrkdwnWords', escaped)).toBe(text);
        }
      }),
      { numRuns: 5 },
    );
  });

  it('any mrkdwn is drawn without an error, deeply nested marks included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'*_~`<>&|:! \nab'), maxLength: 300 }), async (text) => {
        expect(typeof (await stage.call('mrkdwn', text))).toBe('string');
      }),
      { numRuns: 60 },
    );
    expect(await stage.call('mrkdwnWords', '```'.repeat(4000))).toContain('```');
    expect(stage.faults).toEqual([]);
  });
});

describe('dates', () => {
  const at = Date.UTC(2025, 5, 14, 22, 30, 45) / 1000;
  const shown = (template: string, seconds = at) =>
    stage.call('mrkdwnWords', `<!date^${seconds}^${template}|fallback>`);
  const cases: readonly (readonly [template: string, shown: string])[] = [
    ['{date_num}', '2025-06-15'],
    ['{date}', 'June 15th'],
    ['{date_short}', 'Jun 15, 2025'],
    ['{date_long}', 'Sunday, June 15th, 2025'],
    ['{date_long_full}', 'June 15, 2025'],
    ['{date_pretty}', 'Today'],
    ['at {date_short_pretty} {time}', 'at today 00:30'],
    ['{time_secs}', '00:30:45'],
    ['{ago}', '13 hours ago'],
    ['{day_divider_pretty}', 'Today'],
    ['{no_such_token}', 'fallback'],
  ];
  it.each(cases)('the date template %s is shown as “%s” in the reader’s own zone', async (template, expected) => {
    expect(await shown(template)).toBe(expected);
  });

  it('a date shows yesterday and tomorrow by the reader’s calendar', async () => {
    expect(await shown('{date_pretty}', at - 86_400)).toBe('Yesterday');
    expect(await shown('{date_pretty}', at + 86_400)).toBe('Tomorrow');
    expect(await shown('{date_pretty}', at - 2 * 86_400)).toBe('June 13th');
  });

  it('a date shows its fallback text for an invalid moment', async () => {
    expect(await stage.call('mrkdwnWords', '<!date^soon^{date}|some day>')).toBe('some day');
  });
});

describe('plain text', () => {
  it('plain text turns emoji names into emoji unless emoji are switched off', async () => {
    expect(await stage.call('plain', 'a :100: b', true)).toBe('a 💯 b');
    expect(await stage.call('plain', 'a :100: b', false)).toBe('a :100: b');
  });

  it('plain text is not read as mrkdwn', async () => {
    expect(await stage.call('plain', '*a* <@U0MIA> &amp; `b`', true)).toBe('*a* <@U0MIA> &amp; `b`');
  });
});
