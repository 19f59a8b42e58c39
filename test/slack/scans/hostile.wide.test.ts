/** Whatever is typed into a search is data: it is compared, shown letter by letter, and does nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visible } from '../../../src/slack/block-kit/text.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const texts: Readonly<Record<string, string>> = {
  'a percent sign': '%',
  'an underscore': '_',
  'a single quote': "'",
  SQL: "';drop/**/table/**/scans;--",
  'SQL of PostgreSQL': '$$;select(pg_sleep(9))--',
  'a backslash': '\\',
  mrkdwn: '*bold*_it_~x~`code`',
  'a mention of everybody': '<!channel>',
  'a mention in words': '@channel',
  'a person': '<@U0ADA>',
  'a link': '<https://x.example|y>',
  'a URL': 'https://x.example/a?b=c',
  'an emoji': ':100:',
  'an entity': '&amp;lt;',
  'the JavaScript name “constructor”': 'constructor',
  'the JavaScript name “__proto__”': '__proto__',
  'a template': '{{7*7}}',
  'a regular expression': '(a+)+$',
  'control characters': '\u0007\u001b[31m',
  'a change of the writing direction': '\u202egnp.exe',
  'a character without width': '0\u200b1',
  'ten thousand letters': 'x'.repeat(10_000),
};

describe('hostile text in a search', () => {
  let testApp: TestApp;
  let mia: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    mia = testApp.person('U0MIA');
    await connect(testApp.person('U0ADA'));
  }, 60_000);
  afterAll(() => testApp?.stop());

  it.each(Object.entries(texts))('hostile text in quotes is searched as a barcode: %s', async (_what, text) => {
    const answer = await mia.command(`/scans since 2020-01-01 "${text}"`);
    const codes = shownTexts(answer.blocks as never).filter(({ code }) => code);
    expect(read(answer.blocks as never)).toContain('Nothing found.');
    expect(codes[0]?.text.slice(0, 100)).toBe(visible(text).slice(0, 100));
    expect(answer.text).toBe('No scans found.');
    expect(JSON.stringify(answer.blocks)).not.toMatch(/"type":"(broadcast|user|link)"/);
  });

  it.each(Object.entries(texts))(
    'hostile text is searched as a name, response, answer and property: %s',
    async (_what, text) => {
      const [more, shown] =
        text.length > 1_000
          ? ['', 'scans.response']
          : [
              ` service:"${text}" user:"${text}" device:"${text}" answer:"${text}" property:"${text}=${text}"`,
              'scans.property',
            ];
      const answer = await mia.command(`/scans response:"${text}"${more}`);
      expect(read(answer.blocks as never)).toContain('Nothing found.');
      expect(JSON.stringify(answer.blocks)).not.toMatch(/"type":"(broadcast|user|link)"/);
      await mia.clickMessage(answer, 'scans.form');
      const form = await mia.seesForm('scans.search');
      expect(JSON.stringify(form.view.blocks)).toContain(shown);
      await mia.close(form);
    },
  );

  it.each([
    'saved:',
    'when:',
    'result:',
    'user:""',
    'today today',
    '"',
    'property:x',
    'servce:<!channel>',
    'saved:"<!channel>"',
  ])('a search that is not understood is answered without an error reference or a mention: %s', async (text) => {
    const answer = await mia.command(`/scans ${text}`);
    expect(read(answer.blocks as never)).not.toContain('Reference');
    expect(JSON.stringify(answer.blocks)).not.toMatch(/"type":"(broadcast|user|link)"/);
    expect(answer.text).not.toContain('<!');
  });

  it('hostile text can be the name of a saved search', async () => {
    await mia.clickMessage(await mia.command('/scans today'), 'scans.save');
    const form = await mia.seesForm('scans.save');
    const name = `<!channel> *x* :100: '; drop`;
    await mia.submit(form, { 'scans.save.name': { 'scans.field': { type: 'plain_text_input', value: name } } });
    await mia.close(await mia.seesForm('notice'));
    await mia.say('/scans');
    const search = await mia.seesForm('scans.search');
    expect(JSON.stringify(search.view.blocks)).toContain(JSON.stringify(name));
    await mia.click(search, 'scans.saved.list');
    const list = await mia.seesForm('scans.saved.list');
    expect(read(list.view.blocks as never)).toContain(name);
    const found = await eventually(async () => mia.command(`/scans saved:"${name}"`), 'the results');
    expect(read(found.blocks as never)).toContain(`${name}\nScans today`);
    expect(JSON.stringify(found.blocks)).not.toMatch(/"type":"(broadcast|user|link)"/);
  });
});
