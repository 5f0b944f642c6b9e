import type { WriteTarget } from '../types.ts';

/** Kinds that configure webhooks and policies, in all versions of their group. */
const configurations: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/**
 * Reports whether webhooks and policies never receive such writes: writes of webhook and policy configurations could
 * otherwise not be corrected any more.
 */
export const isExempt = ({ group, resource }: Pick<WriteTarget, 'group' | 'resource'>): boolean =>
  group === 'admissionregistration' && configurations.has(resource);
