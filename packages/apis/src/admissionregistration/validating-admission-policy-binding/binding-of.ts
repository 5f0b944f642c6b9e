import type { ValidatingAdmissionPolicyBindingSpec } from '@orch/kinds/admissionregistration';
import { fieldError } from '@orch/machinery';
import { type Check, f, items, type StructSchema, struct } from '@orch/schema';
import { metadataField, specField } from '../../meta/standard-fields.ts';
import { bindingFields, checkBinding } from '../shared/policy/binding.ts';
import { knowsAllFields, type PolicyVersion, structName } from '../shared/policy/policy-version.ts';

/** A binding that denies requests cannot warn as well. */
const checkBindingSpec: Check<ValidatingAdmissionPolicyBindingSpec> = (spec, { path }) => {
  const actions = spec.validationActions ?? [];
  const errors = checkBinding(path, spec);
  if (!actions.includes('Deny') || !actions.includes('Warn')) return errors;
  const why =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [...errors, fieldError.invalid(`${path}.validationActions`, actions, why)];
};

const specOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'ValidatingAdmissionPolicyBindingSpec'),
    'The policy that is enforced, its parameters, and the requests.',
    {
      ...bindingFields(version),
      validationActions: f.list(4, items.string, {
        doc: 'Actions for requests that do not satisfy the policy: Deny, Warn or Audit. Deny when empty.',
        listType: 'set',
        required: knowsAllFields(version),
        openapiRequired: { since: '1.36', is: true },
        enum: ['Audit', 'Deny', 'Warn'],
        openapiEnum: { since: '1.30' },
        emptyIsInvalid: true,
        uniqueBy: '',
      }),
    },
    { checks: [checkBindingSpec] },
  );

/** The kind in one version. */
export const validatingAdmissionPolicyBindingOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'ValidatingAdmissionPolicyBinding'),
    'Enforces a policy, with parameters, for some of the requests that it applies to.',
    {
      metadata: metadataField,
      spec: specField(specOf(version), { openapiRequired: { since: '1.36', is: true } }),
    },
    { typeMeta: true },
  );
