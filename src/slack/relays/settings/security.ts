/** The form for sender verification and the field names of a template. A stored secret is never shown again. */
import { z } from 'zod';
import {
  hashSharedSecret,
  networkProblem,
  type RelaySettings,
  relaySettingsSchema,
  type VariableName,
  variableNames,
} from '../../../relay/index.js';
import { actions, button, cut, divider } from '../../block-kit/elements.js';
import { richText, settled } from '../../block-kit/text.js';
import { boundsOf } from '../../forms/bounds.js';
import { createForm, type Field, fieldsOf, type Kind } from '../../forms/form.js';
import { heading } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import { moreAction } from '../../forms/settings-form.js';
import { inputActions } from '../../inputs/kinds.js';
import { relayOrigin, relaySettingsForm } from './settings-form.js';

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

const { max: mostNetworks = 0 } = boundsOf(relaySettingsSchema.shape.networks);

/** The input for IP addresses or networks, one on each line. */
const networks: Kind<string, readonly string[]> = {
  ...kinds.text({ multiline: true }),
  content: (lines) => lines.join('\n'),
  read(state, name, errors) {
    const lines = state.text(name).split(/[\r\n,]+/);
    const entered = [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))];
    const wrong = entered.find((network) => networkProblem(network) !== undefined);
    if (wrong !== undefined) {
      errors[name] = `“${cut(settled(wrong), 60)}” is ${networkProblem(wrong)}.`;
    } else if (entered.length > mostNetworks) {
      errors[name] = `Enter at most ${mostNetworks} lines.`;
    }
    return entered;
  },
};

const field = fieldsOf<RelaySettings>();

type NameField = `name.${VariableName}`;
const nameFields = variableNames.map((variable): NameField => `name.${variable}`);

const form = createForm('security', inputActions, {
  property: field(kinds.text({ max: 100, placeholder: 'gate_secret' }), {
    label: 'Property name',
    hint: 'Leave blank to require none.',
    optional: true,
    path: 'secretProperty.name',
  }),
  value: field(kinds.secret({ max: 500 }), {
    label: 'Property value',
    hint: ({ isSet }) =>
      isSet ? 'A value is set. Leave blank to keep it.' : 'Only a hash of it is stored, so it can’t be shown again.',
    optional: true,
  }),
  networks: field(networks, {
    label: 'IP addresses or networks',
    hint: 'One per line, such as 203.0.113.7 or 192.0.2.0/24. Leave blank to allow anyone who has the webhook URL. If a proxy is in front of Scandesk, TRUSTED_PROXIES must include it.',
    optional: true,
    path: 'networks',
  }),
  ...(Object.fromEntries(
    variableNames.map((variable) => [
      `name.${variable}`,
      field(kinds.text({ max: 100, placeholder: variable }), {
        label: variableLabels[variable],
        optional: true,
        collapsible: true,
        path: `names.${variable}`,
      }),
    ]),
  ) as Record<NameField, Field<RelaySettings, string, string>>),
});

const metadata = z.object({ ...relayOrigin, kept: z.boolean().optional() });

/** `kept`: a secret is stored, and stays if no value is entered. */
export const security = relaySettingsForm({
  id: 'relay.security',
  title: 'Security',
  audit: 'relay/security',
  metadata,
  facts: ({ settings }) => ({ kept: settings.secretProperty && true }),
  form: () => form,
  source: ({ settings }) => settings,
  part: ({ secretProperty, networks, names }) => [secretProperty, networks, names],
  draw(values, { subject: { settings }, keys }) {
    const draft = { ...values, isSet: keys.kept };
    return [
      heading('Secret property'),
      richText(
        'A service can send a property with each scan (scan_properties in its settings). Scans without it are refused. The property is never stored.',
      ),
      ...form.draw(draft, 'property', 'value'),
      divider,
      heading('Allowed senders'),
      ...form.draw(draft, 'networks'),
      divider,
      ...(keys.more || Object.keys(settings.names).length > 0
        ? [heading('Template field names'), namesParagraph, ...form.draw(draft, ...nameFields)]
        : [actions([button('Template field names…', moreAction)])]),
    ];
  },
  check({ property = '', value = '', ...names }, problem, { keys }) {
    if (property === '' && value !== '') {
      problem('property', 'Enter the name of the property with this value.');
    }
    if (property !== '' && value === '' && !keys.kept) {
      problem('value', 'Enter the value that the service sends.');
    }
    const variableByName = new Map<string, VariableName>();
    for (const variable of variableNames) {
      const enteredName = names[`name.${variable}`] ?? '';
      const usedBy = variableByName.get(enteredName);
      if (enteredName === '') {
        continue;
      }
      if (/[[\]]/.test(enteredName)) {
        problem(
          `name.${variable}`,
          variable === 'questions' || variable === 'answers'
            ? 'Enter only the part before the brackets.'
            : 'Names can’t contain brackets. Rename this field in the template.',
        );
      } else if (usedBy !== undefined) {
        problem(`name.${variable}`, `“${variableLabels[usedBy]}” already has this name.`);
      }
      variableByName.set(enteredName, variable);
    }
  },
  change(before, values) {
    const { property = '', value = '' } = values;
    const hash = value === '' ? before.secretProperty?.hash : hashSharedSecret(value);
    const secretProperty = property === '' || hash === undefined ? undefined : { name: property, hash };
    return { ...form.write(before, values), secretProperty };
  },
});

const namesParagraph = richText(
  'A service’s postback template can rename fields. Enter the names it uses; leave the others blank.',
);
