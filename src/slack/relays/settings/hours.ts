/** The hours fields of a form: days, from, to and time zone. Pure. */
import { utcZone } from '../../../codereadr/operations/zones.js';
import type { Hours } from '../../../relay/index.js';
import type { Block } from '../../block-kit/elements.js';
import { dayNames } from '../../channel-posts/describe/describe-hours.js';
import { zoneOption } from '../../operations/form/zones.js';
import { type Choice, severalPart, timePart, zonePart } from './inputs.js';
import type { Errors, FormState } from './view-state.js';

const days: readonly Choice[] = dayNames.map((name, at) => [String(at + 1), name]);

/** The initial value: every day, in the daytime. */
export function defaultHours(zone: string | undefined): Hours {
  return { zone: zone ?? utcZone, days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '18:00' };
}

/** `name`: prefix of the field names. */
export function hoursParts(name: string, hours: Hours): Block[] {
  return [
    severalPart({ name: `${name}.days`, label: 'Days' }, days, hours.days.map(String)),
    timePart({ name: `${name}.from`, label: 'From' }, hours.from),
    timePart(
      {
        name: `${name}.to`,
        label: 'Until',
        hint: 'Earlier than “From” means the next day. The same time means all day.',
      },
      hours.to,
    ),
    zonePart({ name: `${name}.zone`, label: 'Time zone' }, zoneOption(hours.zone)),
  ];
}

/** Undefined if something is wrong; `errors` then says what. */
export function readHours(entered: FormState, name: string, errors: Errors): Hours | undefined {
  const chosen = entered.choices(`${name}.days`).map(Number);
  const from = entered.text(`${name}.from`);
  const to = entered.text(`${name}.to`);
  const zone = entered.choice(`${name}.zone`);
  if (chosen.length === 0) errors[`${name}.days`] = 'Choose at least one day.';
  if (from === '') errors[`${name}.from`] = 'Choose a time.';
  if (to === '') errors[`${name}.to`] = 'Choose a time.';
  if (zone === undefined) errors[`${name}.zone`] = 'Choose a time zone.';
  return chosen.length > 0 && from !== '' && to !== '' && zone !== undefined
    ? { days: chosen.sort((a, b) => a - b), from, to, zone }
    : undefined;
}

/** What was entered, for a redraw; missing parts keep their value. */
export function hoursEntered(entered: FormState, name: string, before: Hours): Hours {
  const chosen = entered.choices(`${name}.days`).map(Number);
  return entered.has(`${name}.days`)
    ? {
        days: chosen.length > 0 ? chosen : before.days,
        from: entered.text(`${name}.from`) || before.from,
        to: entered.text(`${name}.to`) || before.to,
        zone: entered.choice(`${name}.zone`) ?? before.zone,
      }
    : before;
}
