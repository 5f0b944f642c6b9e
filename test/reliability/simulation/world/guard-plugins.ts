import { type AdmissionPlugin, noConfiguration } from '@orch/admission';
import {
  mutatingAdmissionWebhook,
  type PolicyParts,
  validatingAdmissionPolicy,
  validatingAdmissionWebhook,
  type WebhookParts,
} from '@orch/admission/testing';

type GuardParts = Omit<
  PolicyParts & WebhookParts,
  'authorizer' | 'configuration' | 'openFile' | 'hasMatchConditions'
>;

/** The admission plugins that call webhooks and evaluate policies, in their order. */
export function guardPlugins(parts: GuardParts): readonly AdmissionPlugin[] {
  const all = {
    ...parts,
    authorizer: { authorize: () => ({ verdict: 'allow', reason: '' }) as const },
    configuration: noConfiguration,
    hasMatchConditions: true,
    openFile: () => {
      throw new Error('a simulation has no files');
    },
  };
  return [mutatingAdmissionWebhook(all), validatingAdmissionPolicy(all), validatingAdmissionWebhook(all)];
}
