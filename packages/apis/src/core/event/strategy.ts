import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { validateEventUpdate, validateNewEvent } from './events-v1.validation.ts';
import { type ReporterPath, validateEvent } from './validation.ts';

const strategy = (rules: Pick<Strategy, 'validate'>): Strategy =>
  strategyOf({ createOnUpdate: true, expires: true, ...rules });

type Validate = NonNullable<Strategy['validate']>;

/** `events/v1` validates new events more strictly than the older versions, which are other encodings of the same object. */
const validateWith =
  (reporterOf: (requestVersion: string) => ReporterPath): Validate =>
  (next, old, { names, requestVersion }) => {
    const errors = validateEvent(next, names, reporterOf(requestVersion));
    if (requestVersion !== 'events/v1') return errors;
    return [...errors, ...(old === undefined ? validateNewEvent(next) : validateEventUpdate(next, old))];
  };

export const eventStrategy: Strategy = strategy({
  validate: validateWith((version) => (version === 'v1' ? 'reportingComponent' : 'reportingController')),
});

/** Before 1.25, errors named `reportingController` in every version. */
const validateBefore125 = validateWith(() => 'reportingController');

/** The strategies of earlier releases, by the release before which they hold. */
export const earlierEventStrategies = {
  '1.25': strategy({ validate: validateBefore125 }),
  // Updates were not validated more strictly.
  '1.21': strategy({
    validate: (next, old, context) =>
      old === undefined
        ? validateBefore125(next, old, context)
        : validateEvent(next, context.names, 'reportingController'),
  }),
} as const;
