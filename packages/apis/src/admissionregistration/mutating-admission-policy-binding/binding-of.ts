import { type Check, f, type StructSchema, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import type { MutatingAdmissionPolicyBindingSpec } from '../../types/admissionregistration.ts';
import { bindingFields, checkBinding } from '../shared/policy/binding.ts';
import { type PolicyVersion, structName } from '../shared/policy/policy-version.ts';

const checkBindingSpec: Check<MutatingAdmissionPolicyBindingSpec> = (spec, { path }) =>
  checkBinding(path, spec);

/** The kind in one version. */
export const mutatingAdmissionPolicyBindingOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'MutatingAdmissionPolicyBinding'),
    'Puts a mutating policy to use, with parameters, for some of the requests that it is about.',
    {
      metadata: f.struct(1, ObjectMeta, {
        doc: 'Name, labels and the other data that every object carries.',
        presence: 'always',
      }),
      spec: f.struct(
        2,
        struct(
          structName(version, 'MutatingAdmissionPolicyBindingSpec'),
          'Which policy is put to use, with which parameters, and for what.',
          bindingFields(version),
          { checks: [checkBindingSpec] },
        ),
        { doc: 'What its owner wants.', presence: 'always' },
      ),
    },
    { typeMeta: true },
  );
