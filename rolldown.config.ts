/**
 * The build, `npm run build`: a few files for the processes of the app and the demo, with the packages inside, and the
 * demo's page. Reading these instead of two thousand modules halves the processor time of a start.
 */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, defineConfig, type Plugin } from 'rolldown';

type Entries = Readonly<Record<string, string>>;

/** These packages stay in `node_modules`: they find files of their own there (native code, WebAssembly, fonts). */
const external = /^(sharp|@photostructure\/sqlite|zxing-wasm|bwip-js)(\/|$)/;

/** Leaves out the packages' own source maps: Node reads every map at the start, which takes a fifth of its time. */
const withoutPackageMaps: Plugin = {
  name: 'without-package-maps',
  generateBundle(_options, bundle) {
    for (const file of Object.keys(bundle).filter((name) => /^packages.*\.map$/.test(name))) {
      delete bundle[file];
    }
  },
};

/**
 * A build for Node; `input` maps the names of its entries to their sources. All its files lie side by side in `dir`:
 * what a module finds by `import.meta.url` is beside the file that the module ended up in. `packages`: the file for its
 * packages, which no other build writes.
 */
export const forNode = (dir: string, input: Entries, packages = 'packages'): BuildOptions => ({
  input,
  platform: 'node',
  external,
  plugins: [withoutPackageMaps],
  output: {
    dir,
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: packages, test: /node_modules/ }] },
  },
});

const page = join(import.meta.dirname, 'src/sandbox/slack/page');

/** A build of scripts of the demo's page into `dir`, beside the page's document and style sheets. */
export const forPage = (dir: string, input: Entries): BuildOptions => ({
  input,
  platform: 'browser',
  plugins: [
    {
      name: 'page-assets',
      buildStart() {
        const sheets = readdirSync(join(page, 'css')).map((sheet) => join('css', sheet));
        for (const file of ['index.html', ...sheets]) {
          this.addWatchFile(join(page, file));
        }
      },
      writeBundle() {
        for (const name of ['index.html', 'css']) {
          cpSync(join(page, name), join(dir, name), { recursive: true });
        }
      },
    },
  ],
  output: { dir, sourcemap: true, entryFileNames: '[name].js', chunkFileNames: '[name].js' },
});

export default defineConfig([
  forNode('dist', { main: 'src/main.ts', demo: 'src/sandbox/main.ts', account: 'src/sandbox/codereadr/main.ts' }),
  // A thread has its own memory: the files of threads hold nothing of the app.
  forNode('dist', { worker: 'src/images/worker.ts' }),
  forNode('dist', { 'xlsx-worker': 'src/slack/operations/files/xlsx-worker.ts' }, 'packages-xlsx'),
  forPage('dist/page', { main: join(page, 'main.ts') }),
]);
