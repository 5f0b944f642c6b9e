import type { ResourceType } from '../resource-type.ts';
import { mutatingAdmissionPolicies } from './mutating-admission-policy/index.ts';
import { mutatingAdmissionPolicyBindings } from './mutating-admission-policy-binding/index.ts';
import { mutatingWebhookConfigurations } from './mutating-webhook-configuration.ts';
import { validatingAdmissionPolicies } from './validating-admission-policy/index.ts';
import { validatingAdmissionPolicyBindings } from './validating-admission-policy-binding/index.ts';
import { validatingWebhookConfigurations } from './validating-webhook-configuration.ts';

export const admissionregistrationTypes: readonly ResourceType[] = [
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
];
