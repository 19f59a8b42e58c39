/**
 * The settings of a service in services/create and services/update: formats and cross-field problems. Settings
 * are stored as texts under the account's names.
 */
import { RE2JS } from 're2js';
import { services } from '../../../codereadr/operations/index.js';
import { Refusal, type RefusalCode } from '../answer/refusal.js';
import type { Variables } from '../request/variables.js';
import { readPeriod } from './service-period.js';
import type { Method } from './service-row.js';

export type Settings = Readonly<Record<string, string>>;

const flags = Object.entries(services.update.input).flatMap(([name, { type }]) => (type === 'boolean' ? name : []));

const largestIntegers = {
  auto_next_scan: 3,
  auto_next_scan_delay: 86_400,
  auto_sync_up_delay: 86_400,
  auto_sync_down_delay: 86_400,
} as const;

const urls = ['direct_history_url', 'direct_lookup_url', 'auto_sync_up_url'] as const;

const postbackFlags = ['postback_receiver_only', 'postback_real_time_scans', 'postback_uploaded_scans'] as const;

const symbologyCount = 49;

/** The settings in a call. @throws Refusal 50, 217, 218, 221, 222, 224, 330 */
export function readSettings(variables: Variables): Settings {
  const settings: Record<string, string> = { ...readPeriod(variables) };
  const storeSetting = (name: string, value: string | undefined) => {
    if (value !== undefined) settings[name] = value;
  };
  for (const name of flags) {
    const flag = variables.flag(name);
    storeSetting(name, flag === undefined ? undefined : flag ? '1' : '0');
  }
  for (const [name, max] of Object.entries(largestIntegers)) {
    const whole = variables.whole(name, { min: 0, max });
    storeSetting(name, whole === undefined ? undefined : String(whole));
  }
  for (const name of urls) storeSetting(name, readUrl(variables, name, '222'));
  storeSetting('postback_url', readUrl(variables, 'postback_url', '221'));
  storeSetting('description', variables.text('description'));
  storeSetting('upload_email_format', variables.choice('upload_email_format', ['regular', 'properties'] as const));
  storeSetting('upload_email', readEmail(variables));
  storeSetting('symbologies', readSymbologies(variables));
  storeSetting('decoder_config', readJson(variables, 'decoder_config', { object: false }));
  storeSetting('scan_properties', readJson(variables, 'scan_properties', { object: true }));
  for (const subject of ['response', 'scan'] as const) Object.assign(settings, readExpressions(variables, subject));
  return settings;
}

/** Checks a service's settings as a whole. @throws Refusal 210, 221, 225, 226 */
export function checkSettings(method: Method, settings: Settings): void {
  if (method === 'webview') checkPage(settings.description);
  const enabledFlags = postbackFlags.filter((name) => settings[name] === '1');
  if (method === 'postback') {
    if (settings.postback_url === undefined) throw new Refusal('210', '(postback_url)');
    if (settings.postback_url === '') throw new Refusal('221');
    if (enabledFlags.length > 0) throw new Refusal('225');
  }
  if (enabledFlags.length > 0 && !settings.postback_url) throw new Refusal('226');
}

/** Checks a web page. The reference does not say with which code to refuse attributes in its opening tag *(guess)*. */
function checkPage(description: string | undefined): void {
  if (!description) throw new Refusal('210', '(description)');
  if (/^\s*(<!doctype[^>]*>\s*)?<html\s/i.test(description)) {
    throw new Refusal('210', '(description: attributes in the opening html tag are not allowed)');
  }
}

/** Checks a change. Changing a postback flag requires the URL, even though the service has it. @throws Refusal 226 */
export function checkChange(givenSettings: Settings): void {
  if (givenSettings.postback_url === undefined && postbackFlags.some((name) => givenSettings[name] !== undefined)) {
    throw new Refusal('226');
  }
}

function readUrl(variables: Variables, name: string, code: RefusalCode): string | undefined {
  const url = variables.text(name);
  // A URL is printable ASCII only, so that one shown with an ellipsis for its secret is not accepted.
  if (url && !(/^https?:\/\/[!-~]+$/i.test(url) && URL.canParse(url))) throw new Refusal(code, `(${name})`);
  return url;
}

export const emailShape = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/;

function readEmail(variables: Variables): string | undefined {
  const email = variables.text('upload_email');
  if (email && !emailShape.test(email)) throw new Refusal('330');
  return email;
}

function readSymbologies(variables: Variables): string | undefined {
  const names = variables.names('symbologies');
  if (names === undefined) return undefined;
  const ids = names.map((name) => name.trim());
  if (!ids.every((id) => /^\d{1,2}$/.test(id) && Number(id) >= 1 && Number(id) <= symbologyCount)) {
    throw new Refusal('50', `symbologies must be ids from 1 to ${symbologyCount}.`);
  }
  return ids.join(',');
}

function readJson(variables: Variables, variable: string, options: { object: boolean }): string | undefined {
  const text = variables.text(variable);
  if (!text) return text;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Refusal('50', `${variable} must be JSON.`);
  }
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  if (options.object && !isObject) throw new Refusal('50', `${variable} must be a JSON object.`);
  return isObject && Object.keys(parsed as object).length === 0 ? '' : text;
}

/** Pattern and replacement are set together or not at all; an empty pattern switches the replacement off. */
function readExpressions(variables: Variables, expressionOf: 'response' | 'scan'): Record<string, string> {
  const pattern = variables.text(`regex_${expressionOf}_pattern`);
  const replacement = variables.text(`regex_${expressionOf}_replacement`);
  if (pattern === undefined && replacement === undefined) return {};
  if (pattern === undefined || replacement === undefined) throw new Refusal('224');
  try {
    RE2JS.compile(pattern);
  } catch {
    throw new Refusal('224', `regex_${expressionOf}_pattern is no regular expression.`);
  }
  return { [`regex_${expressionOf}_pattern`]: pattern, [`regex_${expressionOf}_replacement`]: replacement };
}
