import type { MutatingAdmissionPolicyBindingSpec } from '@orch/kinds/admissionregistration';
import { type Check, f, type StructSchema, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { bindingFields, checkBinding } from '../shared/policy/binding.ts';
import { type PolicyVersion, structName } from '../shared/policy/policy-version.ts';

const checkBindingSpec: Check<MutatingAdmissionPolicyBindingSpec> = (spec, { path }) =>
  checkBinding(path, spec);

/** The published schema does not require a policy, although validation does. */
function fieldsOf(version: PolicyVersion): ReturnType<typeof bindingFields> {
  const fields = bindingFields(version);
  return { ...fields, policyName: { ...fields.policyName, openapiRequired: false } };
}

/** The kind in one version. */
export const mutatingAdmissionPolicyBindingOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'MutatingAdmissionPolicyBinding'),
    'Enforces a mutating policy, with parameters, for some of the requests that it applies to.',
    {
      metadata: metadataField,
      spec: f.struct(
        2,
        struct(
          structName(version, 'MutatingAdmissionPolicyBindingSpec'),
          'The policy that is enforced, its parameters, and the requests.',
          fieldsOf(version),
          { checks: [checkBindingSpec] },
        ),
        { doc: 'Desired state of the object.', presence: 'always' },
      ),
    },
    { typeMeta: true },
  );
