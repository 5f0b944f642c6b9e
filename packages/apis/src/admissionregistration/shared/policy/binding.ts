import type {
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicyBindingSpec,
} from '@orch/kinds/admissionregistration';
import type { FieldError } from '@orch/machinery';
import { f } from '@orch/schema';
import type { TableDefinition } from '../../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../../table.ts';
import { unset } from '../unset-cell.ts';
import { checkMatch } from './check-match.ts';
import { policyParts } from './policy-parts.ts';
import type { PolicyVersion } from './policy-version.ts';

/** The fields that the bindings of both kinds of policies have. */
export const bindingFields = (version: PolicyVersion) => ({
  policyName: f.string(1, {
    doc: 'Name of the policy. The binding has no effect while the policy does not exist.',
    required: true,
    openapiRequired: { since: '1.36', is: true },
    format: 'dns1123subdomain',
  }),
  paramRef: f.struct(2, policyParts[version].paramRef, {
    doc: 'The parameters of the policy.',
    presence: 'pointer',
  }),
  matchResources: f.struct(3, policyParts[version].matchResources, {
    doc: 'Requests that the binding applies to, among those of the policy. All of the policy when absent.',
    presence: 'pointer',
  }),
});

/** The checks that the bindings of both kinds of policies share. */
export const checkBinding = (
  path: string,
  { matchResources = {} }: MutatingAdmissionPolicyBindingSpec,
): readonly FieldError[] => checkMatch(`${path}.matchResources`, matchResources);

export const bindingTable: TableDefinition<MutatingAdmissionPolicyBinding> = {
  columns: [
    nameColumn,
    column('PolicyName', 'The policy that is enforced.'),
    column('ParamRef', 'The object that holds the parameters.'),
    ageColumn,
  ],
  cells(binding) {
    const { paramRef, policyName = '' } = binding.spec ?? {};
    const { name = '', namespace = '' } = paramRef ?? {};
    const params = paramRef === undefined ? unset : namespace === '' ? name : `${namespace}/${name}`;
    return [nameCell(binding), policyName, params, ageCell(binding)];
  },
};
