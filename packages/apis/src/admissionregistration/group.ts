import type { ResourceType } from '../resource-type.ts';
import { mutatingWebhookConfigurations } from './mutating-webhook-configuration.ts';
import { validatingAdmissionPolicies } from './validating-admission-policy/index.ts';
import { validatingAdmissionPolicyBindings } from './validating-admission-policy-binding.ts';
import { validatingWebhookConfigurations } from './validating-webhook-configuration.ts';

export const admissionregistrationTypes: readonly ResourceType[] = [
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
];
