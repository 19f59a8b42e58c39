/**
 * The screen of a start that has a problem, for the person at the terminal: which setting, what is wrong, an example.
 * It shows a value as it was given only where the setting is no secret.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, exampleOf, type SettingName, type SettingProblem, settings } from './config.js';
import { plural } from './english.js';
import { codeOf } from './errors.js';
import type { SlackState } from './slack/index.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with a start: with a setting, or with Slack where no setting says how to reach it. */
type StartProblem = Omit<SettingProblem, 'name'> & { readonly name: SettingName | 'Slack' };

/** The screen of a start that failed. `reference` names the line of the log, where no setting explains the failure. */
export function failedStart(problems: readonly SettingProblem[], environment: Environment, reference?: string): string {
  const isAsGiven = problems.some(({ problem }) => problem === 'missing' || problem === 'invalid');
  const count = plural(problems.length, 'one setting is', `${problems.length} settings are`);
  const heading = isAsGiven
    ? `${count} missing or invalid`
    : problems.length > 0
      ? 'a setting does not work'
      : undefined;
  return screen([
    `Scandesk can’t start: ${heading ?? `an unexpected error. Its details are in the log line with reference ${reference}`}.`,
    '',
    ...rows(problems, environment),
    ...(heading === undefined ? [] : [nextStep(problems)]),
    // A container has no npm: its image starts the process by itself.
    ...(environment.npm_lifecycle_event !== undefined && problems.some(({ problem }) => problem === 'missing')
      ? ['To try Scandesk without accounts or settings, run: npm run demo']
      : []),
  ]);
}

function nextStep(problems: readonly SettingProblem[]): string {
  const file = resolve('.env');
  const places = existsSync(file)
    ? `in the environment or in ${file}, which was read`
    : `in the environment or in ${file}, which does not exist`;
  return problems.every(({ problem }) => problem === 'refused')
    ? `Settings are ${places}. Then start Scandesk again.`
    : `Set ${plural(problems.length, 'it', 'them')} ${places}. Then start Scandesk again.`;
}

/** The screen of a start that cannot read its file of settings. */
export function unreadableSettings(error: unknown): string {
  return screen([
    `Scandesk can’t start: the file .env in this folder can’t be read (${codeOf(error)}).`,
    '',
    'Check that it is a text file, and that this user may read it; or remove it and set the environment.',
  ]);
}

/** The screen of a process that runs, and has a problem all the same. */
export function runningWith(problems: readonly StartProblem[], environment: Environment): string {
  return screen(['Scandesk is running, but has a problem.', '', ...rows(problems, environment)]);
}

const screen = (lines: readonly string[]): string => `${[...lines, ''].join('\n')}\n`.replace(/\n+$/, '\n');

function rows(problems: readonly StartProblem[], environment: Environment): string[] {
  const width = Math.max(0, ...problems.map(({ name }) => name.length));
  return problems.flatMap(({ name, ...problem }) => {
    const given = environment[name]?.trim() || undefined;
    const sentences =
      name === 'Slack' || problem.problem === 'refused'
        ? [
            problem.why,
            ...(name === 'DATABASE_URL' && given?.startsWith('postgres')
              ? [`It is set to: ${withoutPassword(given)}`]
              : []),
          ]
        : [
            problem.problem === 'invalid' ? `is ${shown(name, given)}, but ${problem.why}.` : problem.why,
            `Example: ${exampleOf(name)}`,
          ];
    return sentences.map((line, at) => `  ${(at === 0 ? name : '').padEnd(width)}  ${line}`).concat('');
  });
}

/** A value as it was given; a secret's never, nor a token's that was put in the wrong place. */
function shown(name: SettingName, given = ''): string {
  if (name === 'DATABASE_URL') {
    return `“${withoutPassword(given)}”`;
  }
  return 'secret' in settings[name] || /xox|xapp/.test(given)
    ? 'set'
    : `“${given.length > 60 ? `${given.slice(0, 60)}…` : given}”`;
}

/** A database's URL with its password masked, also where the password makes it no URL, or is a variable of it. */
function withoutPassword(url: string): string {
  return url.replace(/^([^@]*?\/\/)?([^:@]*):.*@/s, '$1$2:•••@').replace(/(pass\w*|secret|key)=[^&\s]*/gi, '$1=•••');
}

/** The setting that explains why a start failed; undefined where none does. */
export function settingBehind(error: unknown, config: Config): SettingProblem | undefined {
  const codes = codesOf(error);
  const found = (rows: Readonly<Record<string, string>>) =>
    codes.map((code) => rows[code]).find((why) => why !== undefined);
  const refused = (name: SettingName, why: string | undefined): SettingProblem | undefined =>
    why === undefined ? undefined : { name, problem: 'refused', why };
  const { syscall } = (error ?? {}) as { readonly syscall?: unknown };
  // A name as HOST is resolved before the port is opened.
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return syscall === 'getaddrinfo' || codes.includes('EADDRNOTAVAIL')
      ? refused('HOST', `${config.HOST} is no address of this machine. Set one that is, or 0.0.0.0 for all of them.`)
      : refused('PORT', found(portFaults(config.PORT)));
  }
  return codes.includes('store.seal_key')
    ? refused('SCANDESK_SECRET', otherKey)
    : refused('DATABASE_URL', found(databaseFaults(config.DATABASE_URL)));
}

/** The codes of faults that may pass by themselves: a database or a network that comes up later, a disk, a lock, a port. */
const passing = new Set([
  ...['EADDRINUSE', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'ENOSPC'],
  ...['store.unavailable', 'store.busy', 'store.locked', 'store.full'],
]);

/** Whether starting again is of no use until somebody changes the setting that explains the failure. */
export function needsOperator(error: unknown, config: Config): boolean {
  return settingBehind(error, config) !== undefined && !codesOf(error).some((code) => passing.has(code));
}

/** What Slack's first answer says of a setting; undefined where Slack takes the token. */
export function settingSlackRefuses(
  slack: SlackState,
  config: Config,
  environment: Environment,
): StartProblem | undefined {
  if (slack.kind === 'refused') {
    const why = `Slack refuses it: ${slack.code}. Copy the Bot User OAuth Token from the app’s page OAuth & Permissions, and start again.`;
    return { name: 'SLACK_BOT_TOKEN', problem: 'refused', why };
  }
  const { host } = new URL(config.SLACK_API_URL);
  const name = environment.SLACK_API_URL?.trim() ? 'SLACK_API_URL' : 'Slack';
  const who = name === 'Slack' ? host : `Slack at ${host}`;
  const why = `${who} can’t be reached${slack.kind === 'unanswered' && slack.code ? ` (${slack.code})` : ''}. Check this machine’s network, DNS and proxy. Scans are received and stored meanwhile; /readyz answers 503 until Slack has answered.`;
  return slack.kind === 'unanswered' ? { name, problem: 'refused', why } : undefined;
}

const otherKey =
  'The database was encrypted with a different key. Restore that key, or add it after the new one, separated by a comma.';

const portFaults = (port: number) => ({
  EADDRINUSE: `Another program listens on port ${port} already. Stop it, or set another port.`,
  EACCES: `This user may not listen on port ${port}. Set one from 1024 on.`,
});

const otherVersions = {
  'store.too_old':
    'A version of Scandesk before 1.0.0 made this database, and no later one can read it. Name a new one, connect the account there, and create the relays again.',
  'store.too_new':
    'A newer version of Scandesk made this database. Start that version, or restore the backup from before the upgrade.',
};

/** Sentences by the code of a database's error. The user and password in a URL are in none of them. */
function databaseFaults(url: string): Readonly<Record<string, string>> {
  if (url.startsWith('file:')) {
    const path = url.slice('file:'.length);
    const full = `The disk of ${path} is full. Free some space, and start again.`;
    const noAccess = `This user may not read and write the SQLite file ${path}, or make its folder. Give it both (chown), or name another file.`;
    const noFolder = `The folder of the SQLite file ${path} doesn’t exist, and can’t be made. Make it, or name another file.`;
    const readOnly = `The SQLite file ${path} can’t be written: it, its folder or its file system is read-only. Allow this user to write there, or name another file.`;
    return {
      ...otherVersions,
      EACCES: noAccess,
      EPERM: noAccess,
      ENOENT: noFolder,
      ENOTDIR: noFolder,
      EISDIR: `${path} is a folder. Name a file in it, as file:${path.replace(/[/]$/, '')}/scandesk.db.`,
      EROFS: readOnly,
      [sqliteCode(8)]: readOnly,
      [sqliteCode(11)]: `The SQLite file ${path} is damaged. Restore a backup, or name another file.`,
      [sqliteCode(26)]: `The file ${path} is no SQLite database. Name another file, or restore a backup.`,
      'store.busy': `Another program keeps the SQLite file ${path} locked. Stop it: one Scandesk runs on a file.`,
      ENOSPC: full,
      'store.full': full,
      'store.url': `The SQLite file ${path} can’t be opened. Check that it is a SQLite database, and that this user may write to it and its folder.`,
    };
  }
  const { host, pathname } = new URL(url);
  const database = decodeURIComponent(pathname.slice(1));
  return {
    ...otherVersions,
    '28P01': `PostgreSQL at ${host} refuses the user name or password.`,
    '28000': `PostgreSQL at ${host} refuses the user.`,
    '3D000': `PostgreSQL at ${host} has no database ${database}. Create it, or name another.`,
    '42501': `The user may not create tables in the database ${database}. Grant that, or make the user its owner.`,
    ENOTFOUND: `There is no host ${host}. Check the name in the URL.`,
    'store.full': `The disk of PostgreSQL at ${host} is full. Free some space, and start again.`,
    'store.unavailable': `PostgreSQL at ${host} can’t be reached. Check that it runs, and that host and port are right.`,
  };
}

/** The name of one of SQLite's primary result codes (sqlite.org/rescode.html). */
const sqliteCode = (code: number) => `sqlite.${code & 0xff}`;

/** The codes of an error and of its causes, innermost first: the innermost says most. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (
    let at = error;
    typeof at === 'object' && at !== null && codes.length < 10;
    at = (at as { cause?: unknown }).cause
  ) {
    const { errcode } = at as { errcode?: unknown };
    codes.unshift(typeof errcode === 'number' ? sqliteCode(errcode) : codeOf(at));
  }
  return codes;
}
