/**
 * Copies the page's HTML and style sheets, which the compiler leaves alone, beside the compiled modules: into the
 * folder given as the first argument, else into `dist`.
 */
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = join(resolve(process.argv[2] ?? join(here, '../../../../dist')), 'sandbox/slack/page');
for (const name of ['index.html', 'css']) cpSync(join(here, name), join(out, name), { recursive: true });
