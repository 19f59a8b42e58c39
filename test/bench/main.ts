/**
 * The entry point of `npm run bench`: prints a table. `-- --json FILE` also writes the figures, `-- --docs` updates
 * the table in docs/performance.md, `-- --only NAME` runs one benchmark.
 */
import { benchAcknowledge } from './acknowledge.js';
import { benchBacklog } from './backlog.js';
import { benchCommand } from './command.js';
import { benchDecode } from './decode.js';
import { printTable, type Row, writeDocument, writeFigures } from './figures.js';
import { benchIntake } from './intake.js';
import { benchLists } from './lists.js';
import { benchLookups } from './lookups.js';
import { benchManyRelays } from './many-relays.js';
import { benchMemory } from './memory.js';
import { benchMirrorFill } from './mirror-fill.js';
import { benchOpenLoop } from './open-loop.js';
import { benchPhotos } from './photos.js';
import { benchPictures } from './pictures.js';
import { benchPrune } from './prune.js';
import { benchRemoval } from './removal.js';
import { benchRules } from './rules.js';
import { benchSearch } from './search.js';

const benches: Record<string, (figures: Map<string, number>) => Promise<Row[]>> = {
  intake: benchIntake,
  rules: benchRules,
  lists: benchLists,
  latency: benchOpenLoop,
  relays: benchManyRelays,
  backlog: benchBacklog,
  decode: benchDecode,
  command: benchCommand,
  acknowledge: benchAcknowledge,
  memory: benchMemory,
  lookups: benchLookups,
  mirror: benchMirrorFill,
  search: benchSearch,
  prune: benchPrune,
  removal: benchRemoval,
  pictures: benchPictures,
  photos: benchPhotos,
};

function option(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
}

const only = option('only');
if (only !== undefined && !(only in benches)) {
  throw new Error(`no benchmark ${only}: ${Object.keys(benches).join(', ')}`);
}
const figures = new Map<string, number>();
const rows: Row[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (only === undefined || only === name) {
    process.stderr.write(`${name} …\n`);
    rows.push(...(await bench(figures)));
  }
}
printTable(rows);
const file = option('json');
if (file) {
  writeFigures(file, figures);
}
if (process.argv.includes('--docs')) {
  writeDocument('docs/performance.md', rows, new Date().toISOString().slice(0, 10));
}
