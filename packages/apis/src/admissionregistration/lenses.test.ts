import { describeLensLaws } from '../testing/lens-laws.ts';
import { mutatingWebhookConfigurations } from './mutating-webhook-configuration.ts';
import { validatingAdmissionPolicies } from './validating-admission-policy/index.ts';
import { validatingAdmissionPolicyBindings } from './validating-admission-policy-binding/index.ts';
import { validatingWebhookConfigurations } from './validating-webhook-configuration.ts';

describeLensLaws(mutatingWebhookConfigurations);
describeLensLaws(validatingWebhookConfigurations);
describeLensLaws(validatingAdmissionPolicies);
describeLensLaws(validatingAdmissionPolicyBindings);
