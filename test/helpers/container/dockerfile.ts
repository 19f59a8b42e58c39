/**
 * A Dockerfile parser: instructions by stage. An unknown instruction throws, so that no step of the file goes untested.
 */

export interface Instruction {
  readonly name: (typeof known)[number];
  readonly args: string;
}

export interface Stage {
  readonly from: string;
  readonly as: string | undefined;
  readonly instructions: readonly Instruction[];
}

const known = ['WORKDIR', 'COPY', 'RUN', 'ENV', 'VOLUME', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD'] as const;

export function readDockerfile(text: string): Stage[] {
  const stages: { from: string; as: string | undefined; instructions: Instruction[] }[] = [];
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  for (const line of lines) {
    const [, name = '', args = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const from = name === 'FROM' ? /^(\S+)(?: AS (\S+))?$/.exec(args) : undefined;
    if (from) {
      stages.push({ from: from[1]!, as: from[2], instructions: [] });
    } else if (isKnown(name)) {
      stages.at(-1)!.instructions.push({ name, args });
    } else {
      throw new Error(`the Dockerfile has a step that nothing here can try: ${line}`);
    }
  }
  return stages;
}

function isKnown(name: string): name is Instruction['name'] {
  return known.some((one) => one === name);
}

/** Splits leading `--name=value` options from the rest. */
export function readOptions(args: string): { options: Record<string, string>; rest: string } {
  const options: Record<string, string> = {};
  let rest = args;
  for (let found = option.exec(rest); found; found = option.exec(rest)) {
    options[found[1]!] = found[2]!;
    rest = rest.slice(found[0].length);
  }
  return { options, rest };
}

const option = /^--([\w-]+)=(\S+)\s+/;

/** The paths sent to a build: the ignore file must exclude everything and then list what is included. */
export function readDockerignore(text: string): string[] {
  const [first, ...rest] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*' || rest.some((line) => !/^!\w[\w.-]*$/.test(line))) {
    throw new Error('.dockerignore must begin with * and then name, with !, what is sent');
  }
  return rest.map((line) => line.slice(1));
}
