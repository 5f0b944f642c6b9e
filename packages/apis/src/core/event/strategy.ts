import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { validateEventUpdate, validateNewEvent } from './events-v1.validation.ts';
import { validateEvent } from './validation.ts';

const strategy = (rules: Pick<Strategy, 'validate'>): Strategy =>
  strategyOf({ createOnUpdate: true, expires: true, ...rules });

/** `events/v1` validates new events more strictly than the older versions, which are other encodings of the same object. */
export const eventStrategy: Strategy = strategy({
  validate(next, old, { names, requestVersion }) {
    const errors = validateEvent(next, names);
    if (requestVersion !== 'events/v1') return errors;
    return [...errors, ...(old === undefined ? validateNewEvent(next) : validateEventUpdate(next, old))];
  },
});

/** Before 1.21, updates were not validated more strictly. */
export const earlierEventStrategy: Strategy = strategy({
  validate(next, old, { names, requestVersion }) {
    const errors = validateEvent(next, names);
    return requestVersion === 'events/v1' && old === undefined
      ? [...errors, ...validateNewEvent(next)]
      : errors;
  },
});
