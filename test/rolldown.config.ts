/** The build of the processes that tests and benchmarks start: parts of the app, most with an entry outside `src`. */
import { defineConfig } from 'rolldown';
import { forNode } from '../rolldown.config.js';

const benchServers = ['app-server', 'bare-server', 'bolt-server', 'relay-server'];

export default defineConfig([
  forNode('dist/test', {
    'store-process': 'test/helpers/store-process.mjs',
    'export-process': 'test/exports/export-process.mjs',
    bench: 'test/bench/main.ts',
    ...Object.fromEntries(benchServers.map((name) => [name, `test/bench/${name}.ts`])),
  }),
  forNode('dist/test', { worker: 'src/images/worker.ts' }),
]);
