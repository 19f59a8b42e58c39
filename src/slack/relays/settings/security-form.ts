/**
 * The form for sender verification and for the field names of a template. A stored secret is never shown again. Pure.
 */
import {
  hashSharedSecret,
  networkProblem,
  type RelaySettings,
  type VariableName,
  variableNames,
} from '../../../relay/index.js';
import { actions, type Block, button, cut, divider, type ModalView, modalView } from '../../block-kit/elements.js';
import { settled } from '../../block-kit/text.js';
import { heading, paragraph, warning } from '../../forms/inputs.js';
import type { Errors, FormState } from '../../forms/view-state.js';
import { settingActions, settingCallbacks } from './ids.js';
import { textInput } from './inputs.js';
import type { Change } from './save.js';

export const securityParts = {
  property: 'security.property',
  value: 'security.value',
  networks: 'security.networks',
  /** Followed by the variable. */
  name: 'security.name.',
} as const;

const variableLabels: Readonly<Record<VariableName, string>> = {
  tid: 'Barcode',
  sid: 'Service',
  userid: 'User',
  udid: 'Device',
  scanid: 'Scan ID',
  status: 'Result',
  text: 'Response text',
  scanned_at_utc: 'Time scanned',
  received_at_utc: 'Time received',
  timestamp: 'Time in the account’s time zone',
  questions: 'Questions',
  answers: 'Answers',
};

export interface SecurityDraft {
  readonly property: string;
  readonly isSet: boolean;
  readonly networks: string;
  readonly names: RelaySettings['names'];
}

export function securityDraft({ secretProperty, networks, names }: RelaySettings): SecurityDraft {
  return {
    property: secretProperty?.name ?? '',
    isSet: secretProperty !== undefined,
    networks: networks.join('\n'),
    names,
  };
}

export function securityView(
  draft: SecurityDraft,
  options: { readonly metadata: string; readonly more: boolean; readonly problem?: string | undefined },
): ModalView {
  const blocks: Block[] = [
    ...warning(options.problem),
    heading('Secret property'),
    paragraph(
      'A service can send a property with each scan (scan_properties in its settings). Scans without it are refused. The property is never stored.',
    ),
    textInput(
      {
        name: securityParts.property,
        label: 'Property name',
        hint: 'Leave blank to require none.',
        optional: true,
      },
      draft.property,
      { max: 100, placeholder: 'gate_secret' },
    ),
    textInput(
      {
        name: securityParts.value,
        label: 'Property value',
        hint: draft.isSet
          ? 'A value is set. Leave blank to keep it.'
          : 'Only a hash of it is stored, so it can’t be shown again.',
        optional: true,
      },
      '',
      { max: 500 },
    ),
    divider,
    heading('Allowed senders'),
    textInput(
      {
        name: securityParts.networks,
        label: 'IP addresses or networks',
        hint: 'One per line, such as 203.0.113.7 or 192.0.2.0/24. Leave blank to allow anyone who has the webhook URL. If a proxy is in front of Scandesk, TRUSTED_PROXIES must include it.',
        optional: true,
      },
      draft.networks,
      { multiline: true },
    ),
    divider,
    ...(options.more
      ? [heading('Template field names'), namesParagraph, ...variableNames.map((name) => namePart(name, draft))]
      : [actions([button('Template field names…', settingActions.more)])]),
  ];
  return modalView('Security', blocks, {
    callback_id: settingCallbacks.security,
    submit: 'Save',
    private_metadata: options.metadata,
  });
}

const namesParagraph = paragraph(
  'A service’s postback template can rename fields. Enter the names it uses; leave the others blank.',
);

function namePart(name: VariableName, { names }: SecurityDraft): Block {
  return textInput(
    { name: `${securityParts.name}${name}`, label: variableLabels[name], optional: true },
    names[name] ?? '',
    { max: 100, placeholder: name },
  );
}

/** `hasSecret`: one is stored, and stays if no value was entered. */
export function readSecurity(
  entered: FormState,
  hasSecret: boolean,
): { readonly errors: Errors } | { readonly change: Change } {
  const errors: Errors = {};
  const property = entered.text(securityParts.property);
  const value = entered.text(securityParts.value);
  if (property === '' && value !== '') {
    errors[securityParts.property] = 'Enter the name of the property with this value.';
  }
  if (property !== '' && value === '' && !hasSecret) {
    errors[securityParts.value] = 'Enter the value that the service sends.';
  }
  const networks = linesOf(entered.text(securityParts.networks));
  const wrong = networks.find((network) => networkProblem(network) !== undefined);
  if (wrong !== undefined) {
    errors[securityParts.networks] = `“${cut(settled(wrong), 60)}” is ${networkProblem(wrong)}.`;
  } else if (networks.length > 100) {
    errors[securityParts.networks] = 'Enter at most 100 lines.';
  }
  const names = namesIn(entered, errors);
  return Object.keys(errors).length > 0
    ? { errors }
    : {
        change: ({ secretProperty: before, ...settings }) => ({
          ...settings,
          ...secretOf(before, property, value),
          networks,
          ...(names ? { names } : {}),
        }),
      };
}

type Secret = Pick<RelaySettings, 'secretProperty'>;

function secretOf(before: RelaySettings['secretProperty'], name: string, value: string): Secret {
  if (name === '') {
    return {};
  }
  const hash = value === '' ? before?.hash : hashSharedSecret(value);
  return hash === undefined ? {} : { secretProperty: { name, hash } };
}

function linesOf(text: string): string[] {
  const lines = text.split(/[\r\n,]+/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** Undefined while they are collapsed: they keep their values. */
function namesIn(entered: FormState, errors: Errors): RelaySettings['names'] | undefined {
  if (!entered.has(`${securityParts.name}tid`)) {
    return undefined;
  }
  const names: { [Name in VariableName]?: string } = {};
  const variableByName = new Map<string, VariableName>();
  for (const variable of variableNames) {
    const name = entered.text(`${securityParts.name}${variable}`);
    const before = variableByName.get(name);
    if (name === '') {
      continue;
    }
    if (/[[\]]/.test(name)) {
      errors[`${securityParts.name}${variable}`] =
        variable === 'questions' || variable === 'answers'
          ? 'Enter only the part before the brackets.'
          : 'Names can’t contain brackets. Rename this field in the template.';
    } else if (before !== undefined) {
      errors[`${securityParts.name}${variable}`] = `“${variableLabels[before]}” already has this name.`;
    }
    variableByName.set(name, variable);
    names[variable] = name;
  }
  return names;
}
