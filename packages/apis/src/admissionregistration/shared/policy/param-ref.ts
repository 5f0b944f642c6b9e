import type { ParamRef } from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import { type Check, f, type StructSchema, struct } from '@orch/schema';
import { LabelSelector } from '../../../meta/label-selector.ts';
import { knowsAllFields, type PolicyVersion, structName } from './policy-version.ts';

/** Checks that parameters are either named or selected by labels. */
const checkParamRef: Check<ParamRef> = ({ name = '', selector }, { path }) => {
  if (name === '' && selector === undefined)
    return [fieldError.required(path, 'one of name or selector must be specified')];
  if (name === '' || selector === undefined) return [];
  const why = 'name and selector are mutually exclusive';
  return [`${path}.name`, `${path}.selector`].map((each): FieldError => fieldError.forbidden(each, why));
};

export const paramRefOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'ParamRef'),
    'Selects the objects with the parameters.',
    {
      name: f.string(1, { doc: 'Name of the object.', format: 'pathSegment' }),
      namespace: f.string(2, {
        doc: 'Namespace of the objects. When it is empty, that of the object of the request. Must be empty for cluster-scoped kinds.',
      }),
      selector: f.struct(3, LabelSelector, {
        doc: 'Labels of the objects, instead of a name. The request must satisfy the policy with each of them.',
        presence: 'pointer',
      }),
      parameterNotFoundAction: f.string(4, {
        doc: 'What happens to a request when there is no such object: Allow skips the binding, Deny counts as a failure of the policy.',
        presence: 'pointer',
        required: knowsAllFields(version),
        openapiRequired: false,
        enum: ['Allow', 'Deny'],
        openapiEnum: version === 'v1alpha1' ? { since: '1.28' } : 'never',
      }),
    },
    { mapType: 'atomic', checks: [checkParamRef] },
  );
