import type { ResourceType } from '../resource-type.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from './shared/webhook-configuration/webhook-configuration.ts';
import { validatingAdmissionPolicies } from './validating-admission-policy/v1alpha1.ts';
import { validatingAdmissionPolicyBindings } from './validating-admission-policy-binding.ts';

export const admissionregistrationTypes: readonly ResourceType[] = [
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
];
