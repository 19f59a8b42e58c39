/**
 * The tests' Chromium: the one in CHROMIUM, else the machine's Chromium or Chrome, else the one in the package
 * @sparticuz/chromium, unpacked once with the libraries and fonts that a slim machine lacks.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserServer, chromium } from 'playwright-core';

const run = promisify(execFile);
const modules = resolve(import.meta.dirname, '../../node_modules');

export interface Chromium {
  readonly executablePath: string;
  /** Environment variables that the browser needs. */
  readonly env: Readonly<Record<string, string>>;
}

export async function findChromium(environment: NodeJS.ProcessEnv = process.env): Promise<Chromium> {
  const named = environment.CHROMIUM;
  if (named) {
    if (!(await runs(named))) {
      throw new Error(`CHROMIUM names ${named}, which does not run`);
    }
    return { executablePath: named, env: {} };
  }
  for (const executablePath of ownPaths(environment.PATH ?? '')) {
    // Installed does not mean usable: a library may be missing, and Ubuntu's chromium-browser only says what to
    // install.
    if (existsSync(executablePath) && (await runs(executablePath))) {
      return { executablePath, env: {} };
    }
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The page tests need Chromium or Chrome: install one, or set CHROMIUM to its path.');
  }
  return await packaged();
}

export async function startChromium(found?: Chromium): Promise<BrowserServer> {
  const { executablePath, env } = found ?? (await findChromium());
  return await chromium.launchServer({
    executablePath,
    env: { ...process.env, ...env } as Record<string, string>,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

function ownPaths(path: string): string[] {
  const onPath = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const applications = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  return [...onPath, ...applications];
}

async function runs(executablePath: string): Promise<boolean> {
  return await run(executablePath, ['--version']).then(
    () => true,
    () => false,
  );
}

async function packaged(): Promise<Chromium> {
  const manifest = await readFile(join(modules, '@sparticuz/chromium/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(modules, '.cache', `chromium-${version}`);
  if (!existsSync(folder)) {
    await unpack(folder);
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  };
}

/**
 * Test files may start concurrently: the folder is renamed into place atomically, and the loser discards its own copy.
 */
async function unpack(folder: string): Promise<void> {
  await mkdir(join(folder, '..'), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    // The package unpacks into the temporary folder, and unpacks its libraries only if it believes to run on Lambda.
    const script = "await (await import('@sparticuz/chromium')).default.executablePath()";
    await run(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: modules,
      env: { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
    });
    // Another user may run the tests next.
    await Promise.all([chmod(draft, 0o755), chmod(join(draft, 'chromium'), 0o755)]);
    await writeFile(join(draft, 'fonts.conf'), fontsConf(folder));
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) {
      throw error;
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A font configuration in which the package's fonts come after the machine's. */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}
