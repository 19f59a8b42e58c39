/** Hours as an input of a form: days, from, until and time zone, each an input of its own. */
import { utcZone } from '../../codereadr/operations/zones.js';
import { dayNames, type Hours } from '../../relay/index.js';
import type { Frame, Kind } from '../forms/form.js';
import type { Choice } from '../forms/inputs.js';
import { multiSelect, picker, time } from '../forms/kinds.js';
import { zoneOption } from '../operations/form/zones.js';

const days = multiSelect(dayNames.map((name, at): Choice => [String(at + 1), name]));
export const zone = {
  ...picker({ action: 'relay.pick.zone', placeholder: 'Find a time zone', missing: 'Choose a time zone.' }),
  content: zoneOption,
};
const untilHint = 'Earlier than “From” means the next day. The same time means all day.';

/** The hours that the input starts with: every day, in the daytime. */
export function defaultHours(timeZone: string | undefined): Hours {
  return { zone: timeZone ?? utcZone, days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '18:00' };
}

export const hours: Kind<Hours> = {
  blank: defaultHours(undefined),
  draw(frame, draft) {
    const frameOf = (name: string, label: string, hint?: string): Frame => ({
      name: `${frame.name}.${name}`,
      label,
      hint,
      action: frame.action,
    });
    return [
      days.draw(frameOf('days', 'Days'), draft.days.map(String)),
      time().draw(frameOf('from', 'From'), draft.from),
      time().draw(frameOf('to', 'Until', untilHint), draft.to),
      zone.draw(frameOf('zone', 'Time zone'), zoneOption(draft.zone)),
    ].flat();
  },
  entered(state, name, before) {
    const chosenDays = state.choices(`${name}.days`).map(Number);
    return state.has(`${name}.days`)
      ? {
          days: chosenDays.length > 0 ? chosenDays : before.days,
          from: state.text(`${name}.from`) || before.from,
          to: state.text(`${name}.to`) || before.to,
          zone: state.choice(`${name}.zone`) ?? before.zone,
        }
      : before;
  },
  read(state, fieldName, errors) {
    const chosenDays = state.choices(`${fieldName}.days`).map(Number);
    const from = state.text(`${fieldName}.from`);
    const endTime = state.text(`${fieldName}.to`);
    const timeZone = state.choice(`${fieldName}.zone`);
    if (chosenDays.length === 0) errors[`${fieldName}.days`] = 'Choose at least one day.';
    if (from === '') errors[`${fieldName}.from`] = 'Choose a time.';
    if (endTime === '') errors[`${fieldName}.to`] = 'Choose a time.';
    if (timeZone === undefined) errors[`${fieldName}.zone`] = 'Choose a time zone.';
    return chosenDays.length > 0 && from !== '' && endTime !== '' && timeZone !== undefined
      ? { days: chosenDays.sort((a, b) => a - b), from, to: endTime, zone: timeZone }
      : undefined;
  },
};
