import type { BenchContext } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { measureParts, type Parts } from '../../lib/parts.ts';
import { admittedCreations } from './creations.ts';
import { matchingPolicies } from './policies.ts';
import { creationsUnderQuota } from './quota.ts';
import { validatingWebhook } from './webhook.ts';

const parts: Parts = {
  creations: admittedCreations,
  quota: creationsUnderQuota,
  policies: matchingPolicies,
  webhook: validatingWebhook,
};

/** Writes with admission plugins, webhooks and policies beside the same writes without them. */
export const admission = (context: BenchContext): Promise<readonly BenchResult[]> =>
  measureParts('admission', parts, context);
