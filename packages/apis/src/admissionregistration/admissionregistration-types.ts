import type { ResourceType } from '../resource-type.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from './v1/webhook-configuration.ts';
import { validatingAdmissionPolicies } from './v1alpha1/validating-admission-policy.ts';
import { validatingAdmissionPolicyBindings } from './v1alpha1/validating-admission-policy-binding.ts';

export const admissionregistrationTypes: readonly ResourceType[] = [
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
];
