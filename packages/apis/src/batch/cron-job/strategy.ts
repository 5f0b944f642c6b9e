import { strategyOf } from '../../define-resource.ts';
import type { EarlierForm, Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { validateCronJob } from './validation/spec.ts';

export const cronJobStrategy: Strategy = strategyOf({
  generation: 'spec',
  resetStatus: true,
  prepareForUpdate: keepStatus,
  validate: validateCronJob,
  through: { status: statusRules() },
});

/** Strategies of older releases. */
export const earlierCronJobs: readonly EarlierForm[] = [
  { before: '1.21', change: { strategy: { ...cronJobStrategy, generation: 'none' } } },
];
