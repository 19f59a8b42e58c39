import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import { pageSize, type ScanPage } from '../../../src/lookup/index.js';
import { summarise } from '../../../src/lookup/summary.js';
import { checkView } from '../../../src/sandbox/slack/blocks/check.js';
import { visible } from '../../../src/slack/block-kit/text.js';
import { scansView } from '../../../src/slack/lookup/more-scans.js';
import { read, shownTexts } from '../block-kit/reading.js';
import { anyScans, hostileText, noon, scan } from './lookup-samples.js';

const page = (more: Partial<ScanPage> = {}): ScanPage => {
  const scans = more.scans ?? [scan()];
  return {
    value: '00123',
    page: 0,
    scans,
    summary: summarise(scans, true, undefined),
    older: false,
    endless: false,
    asOf: noon,
    callsLeft: { minute: { resetsAt: noon }, day: { resetsAt: noon } },
    ...more,
  };
};
const view = (of: ScanPage) => scansView(of, (number) => String(number));

describe('the window of a barcode’s scans', () => {
  it('Slack accepts the window of a barcode’s scans, which shows the barcode letter by letter', () => {
    fc.assert(
      fc.property(
        hostileText(100).filter((value) => value !== ''),
        anyScans(pageSize),
        fc.boolean(),
        (value, scans, older) => {
          const made = view(page({ value, scans, older, page: 1 }));
          expect(checkView(made, systemRandom)).toMatchObject({ ok: true });
          const [first] = shownTexts(made.blocks).filter(({ code }) => code);
          expect(first).toEqual({ how: 'exact', text: visible(value), code: true });
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    [0, false, []],
    [0, true, ['Older →']],
    [1, true, ['← Newer', 'Older →']],
    [2, false, ['← Newer']],
  ] as const)(
    'the window of scans on the page with index %i, with older scans: %s, has the buttons %j',
    (number, older, turns) => {
      const { blocks } = view(page({ page: number, older }));
      const buttons = blocks.filter((block) => block.type === 'actions').flatMap((block) => shownTexts(block));
      expect(buttons.map((button) => button.text)).toEqual(turns);
    },
  );

  it('the window of a barcode’s scans says which scans it shows', () => {
    expect(read(view(page({ page: 2, scans: [scan(), scan({ id: '2' })] })).blocks)).toContain(
      'Scans 21 to 22, newest first.',
    );
  });

  it('the window of a barcode’s scans says that there are no older scans, or that it does not show them', () => {
    expect(read(view(page({ page: 3, scans: [] })).blocks)).toContain('No older scans.');
    expect(read(view(page({ endless: true })).blocks)).toContain('Older scans are not shown here.');
  });
});
