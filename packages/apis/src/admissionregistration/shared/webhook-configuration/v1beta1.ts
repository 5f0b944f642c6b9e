import { chain, type Lens } from '@orch/schema';
import { webhookConfigurationsOf } from './webhook.ts';

/**
 * The older version requires fewer fields: the others have lenient defaults, from the time when webhooks were
 * experimental (spec 9.4).
 */
export const webhookConfigurationsV1Beta1 = webhookConfigurationsOf({
  version: 'v1beta1',
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  timeoutSeconds: 30,
  sideEffects: { presence: 'pointer', default: 'Unknown' },
  admissionReviewVersions: { default: ['v1beta1'] },
});

/** Both versions have the same fields; they differ only in the encoding of absent ones, which codecs handle. */
export const sameFields: Lens = chain();
