/**
 * A build of the Dockerfile without a container engine: its steps run one after another as written. The base image is
 * the machine's own programs and the current Node.
 */
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readDockerfile, readDockerignore, readOptions, type Stage } from './dockerfile.js';
import { createRoot, type Root, type Running } from './root.js';

export interface Image {
  readonly root: Root;
  readonly from: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly volumes: readonly string[];
  readonly ports: readonly number[];
  readonly healthcheck: readonly string[];
  readonly cmd: readonly string[];
}

type Draft = { -readonly [Key in keyof Image]: Image[Key] };

/** `from`: the folder with the Dockerfile. `into`: an empty folder. */
export async function buildImage(from: string, into: string): Promise<Image> {
  const context = join(into, 'context');
  for (const name of readDockerignore(readFileSync(join(from, '.dockerignore'), 'utf8'))) {
    cpSync(join(from, name), join(context, name), { recursive: true });
  }
  const built = new Map<string, Root>();
  let image: Image | undefined;
  for (const stage of readDockerfile(readFileSync(join(from, 'Dockerfile'), 'utf8'))) {
    image = await buildStage(stage, join(into, `stage-${built.size}`), (name) =>
      name === undefined ? (path) => join(context, path) : built.get(name)!.at,
    );
    built.set(stage.as ?? String(built.size), image.root);
  }
  return image!;
}

async function buildStage(
  stage: Stage,
  folder: string,
  sourceOf: (stage: string | undefined) => (path: string) => string,
): Promise<Image> {
  const root = createRoot(folder);
  const image: Draft = {
    ...{ root, from: stage.from, workdir: '/', env: {}, user: 'root' },
    ...{ volumes: [], ports: [], healthcheck: [], cmd: [] },
  };
  for (const { name, args } of stage.instructions) {
    const { options, rest } = readOptions(args);
    if (name === 'WORKDIR') {
      image.workdir = args;
      mkdirSync(root.at(args), { recursive: true });
    } else if (name === 'COPY') {
      copy(rest.split(/\s+/), sourceOf(options.from), (path) => root.at(join(image.workdir, path)));
    } else if (name === 'RUN') {
      await succeed(startIn(image, ['sh', '-c', args]), args);
    } else if (name === 'ENV') {
      const [, variable = '', value = ''] = /^(\w+)=(\S+)$/.exec(args) ?? [];
      image.env = { ...image.env, [variable]: value };
    } else if (name === 'VOLUME') {
      image.volumes = [...image.volumes, args];
    } else if (name === 'USER') {
      image.user = args;
    } else if (name === 'EXPOSE') {
      image.ports = [...image.ports, Number(args)];
    } else if (name === 'HEALTHCHECK') {
      image.healthcheck = JSON.parse(rest.replace(/^CMD\s+/, '')) as string[];
    } else {
      image.cmd = JSON.parse(args) as string[];
    }
  }
  return image;
}

/** Starts a command in the image, as Docker would. */
export function startIn(image: Image, command: readonly string[], how: Partial<Running> = {}): ChildProcess {
  const { root, user, workdir: cwd, volumes } = image;
  return root.start(command, { user, cwd, volumes, ...how, env: { ...image.env, ...how.env } });
}

/** Docker's COPY rules: a folder's content; a file goes into a target that ends with a slash, else gets that name. */
function copy(paths: readonly string[], source: (path: string) => string, target: (path: string) => string): void {
  const to = paths.at(-1)!;
  for (const path of paths.slice(0, -1)) {
    const from = source(path);
    const intoFolder = to.endsWith('/') && statSync(from).isFile();
    cpSync(from, target(intoFolder ? join(to, basename(path)) : to), { recursive: true, verbatimSymlinks: true });
  }
}

async function succeed(child: ChildProcess, what: string): Promise<void> {
  const { code, output } = await ended(child);
  if (code !== 0) {
    throw new Error(`${what} ended with ${code}:\n${output.slice(-4_000)}`);
  }
}

/** The command's output and exit code. */
export async function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  return { code, output };
}
