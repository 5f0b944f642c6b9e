import { strategyOf } from '../../../define-resource.ts';
import type { Strategy } from '../../../resource-type.ts';
import { validateWebhooks } from './validation.ts';

/** Both kinds of webhook configurations: any change of the webhooks is a new generation. */
export const webhookStrategy: Strategy = strategyOf({
  unconditionalUpdate: false,
  generation: 'spec',
  validate: (next, old, { requestVersion }) => validateWebhooks(next, old, requestVersion),
});
