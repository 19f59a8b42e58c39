/** The form for sender verification and the field names of a template. A stored secret is never shown again. Pure. */
import { z } from 'zod';
import {
  hashSharedSecret,
  networkProblem,
  type RelaySettings,
  relaySettingsSchema,
  type VariableName,
  variableNames,
} from '../../../../relay/index.js';
import { actions, type Block, button, cut, divider, type ModalView, modalView } from '../../../block-kit/elements.js';
import { richText, settled } from '../../../block-kit/text.js';
import { encode } from '../../../bolt/metadata.js';
import { inputActions } from '../../../conditions/inputs/kinds.js';
import { boundsOf } from '../../../forms/bounds.js';
import { createForm, type DraftOf, type Field, fieldsOf, type Kind } from '../../../forms/form.js';
import { heading } from '../../../forms/inputs.js';
import * as kinds from '../../../forms/kinds.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { relayOrigin } from '../etag.js';
import type { Change } from '../save.js';

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

const securityForm = createForm('security', inputActions, {
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

/** The form's content. `isSet`: a secret is stored. */
export type SecurityDraft = DraftOf<typeof securityForm.fields> & { readonly isSet: boolean };

/** The content that the form shows. `state`: the entered values, in a redrawn form. */
export function securityDraft(settings: RelaySettings, state?: FormState): SecurityDraft {
  const stored = securityForm.draft(settings);
  return {
    ...(state ? securityForm.entered(state, stored) : stored),
    isSet: settings.secretProperty !== undefined,
  };
}

/** The form's metadata. `kept`: a secret is stored. */
export const securityMetadata = z.object({ ...relayOrigin, kept: z.boolean().optional() });

/** @param showsMore whether collapsed fields are shown */
export function securityView(
  draft: SecurityDraft,
  metadata: z.output<typeof securityMetadata>,
  showsMore: boolean,
): ModalView {
  const { draw } = securityForm;
  const blocks: Block[] = [
    heading('Secret property'),
    richText(
      'A service can send a property with each scan (scan_properties in its settings). Scans without it are refused. The property is never stored.',
    ),
    ...draw(draft, 'property', 'value'),
    divider,
    heading('Allowed senders'),
    ...draw(draft, 'networks'),
    divider,
    ...(showsMore
      ? [heading('Template field names'), namesParagraph, ...draw(draft, ...nameFields)]
      : [actions([button('Template field names…', 'relay.more')])]),
  ];
  return modalView('Security', blocks, {
    callback_id: 'relay.security',
    submit: 'Save',
    private_metadata: encode(securityMetadata, metadata),
  });
}

const namesParagraph = richText(
  'A service’s postback template can rename fields. Enter the names it uses; leave the others blank.',
);

/** Reads the form. `hasSecret`: a secret is stored, and stays if no value was entered. */
export function readSecurity(
  state: FormState,
  hasSecret: boolean,
): { readonly errors: Errors } | { readonly change: Change } {
  const errors: Errors = {};
  const values = securityForm.read(state, errors);
  const { property = '', value = '' } = values;
  if (property === '' && value !== '') {
    errors[securityForm.nameOf('property')] = 'Enter the name of the property with this value.';
  }
  if (property !== '' && value === '' && !hasSecret) {
    errors[securityForm.nameOf('value')] = 'Enter the value that the service sends.';
  }
  checkNames(values, errors);
  return Object.keys(errors).length > 0
    ? { errors }
    : {
        change: (before) => {
          const hash = value === '' ? before.secretProperty?.hash : hashSharedSecret(value);
          const secretProperty = property === '' || hash === undefined ? undefined : { name: property, hash };
          return { ...securityForm.write(before, values), secretProperty };
        },
      };
}

/** Adds an error to a field name that is not allowed, or that another variable has. */
function checkNames(values: ReturnType<typeof securityForm.read>, errors: Errors): void {
  const variableByName = new Map<string, VariableName>();
  for (const variable of variableNames) {
    const enteredName = values[`name.${variable}`] ?? '';
    const usedBy = variableByName.get(enteredName);
    if (enteredName === '') {
      continue;
    }
    if (/[[\]]/.test(enteredName)) {
      errors[securityForm.nameOf(`name.${variable}`)] =
        variable === 'questions' || variable === 'answers'
          ? 'Enter only the part before the brackets.'
          : 'Names can’t contain brackets. Rename this field in the template.';
    } else if (usedBy !== undefined) {
      errors[securityForm.nameOf(`name.${variable}`)] = `“${variableLabels[usedBy]}” already has this name.`;
    }
    variableByName.set(enteredName, variable);
  }
}
