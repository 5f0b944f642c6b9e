import type { GroupDeclaration } from '../group-declaration.ts';
import { mutatingAdmissionPolicies } from './mutating-admission-policy/index.ts';
import { mutatingAdmissionPolicyBindings } from './mutating-admission-policy-binding/index.ts';
import { mutatingWebhookConfigurations } from './mutating-webhook-configuration.ts';
import { validatingAdmissionPolicies } from './validating-admission-policy/index.ts';
import { validatingAdmissionPolicyBindings } from './validating-admission-policy-binding/index.ts';
import { validatingWebhookConfigurations } from './validating-webhook-configuration.ts';

export const admissionregistrationGroup: GroupDeclaration = {
  key: 'admissionregistration',
  priority: 16_700,
  versionPriorities: { v1: 15, v1beta1: 12, v1alpha1: 9 },
  types: [
    mutatingAdmissionPolicies,
    mutatingAdmissionPolicyBindings,
    mutatingWebhookConfigurations,
    validatingAdmissionPolicies,
    validatingAdmissionPolicyBindings,
    validatingWebhookConfigurations,
  ],
};
