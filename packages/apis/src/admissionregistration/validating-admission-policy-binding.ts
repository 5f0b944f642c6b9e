import { fieldError } from '@orch/machinery';
import { type Check, f, items, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import type { ResourceType, TableDefinition } from '../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../table.ts';
import type * as admissionregistration from '../types/admissionregistration.ts';
import { MatchResources } from './shared/match-resources.ts';
import { unset } from './shared/unset-cell.ts';
import { checkMatch } from './shared/validation/policy.ts';

export const ParamRef = struct(
  'admissionregistration.v1alpha1.ParamRef',
  'Names the object that holds the parameters.',
  {
    name: f.string(1, { doc: 'Name of the object.', required: true, format: 'pathSegment' }),
    namespace: f.string(2, {
      doc: 'Namespace of the object; empty for cluster-scoped kinds.',
      format: 'dns1123label',
    }),
  },
);

/** A binding that refuses requests has nothing left to warn of. */
const checkBindingSpec: Check<admissionregistration.ValidatingAdmissionPolicyBindingSpecV1alpha1> = (
  spec,
  { path },
) => {
  const actions = spec.validationActions ?? [];
  const match = checkMatch(`${path}.matchResources`, spec.matchResources ?? {});
  if (!actions.includes('Deny') || !actions.includes('Warn')) return match;
  const why =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [...match, fieldError.invalid(`${path}.validationActions`, actions, why)];
};

export const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration.v1alpha1.ValidatingAdmissionPolicyBindingSpec',
  'Which policy is put to use, with which parameters, and for what.',
  {
    policyName: f.string(1, {
      doc: 'Name of the policy. While there is none of that name the binding does nothing.',
      required: true,
      format: 'dns1123subdomain',
    }),
    paramRef: f.struct(2, ParamRef, { doc: 'The parameters of the policy.', presence: 'pointer' }),
    matchResources: f.struct(3, MatchResources, {
      doc: 'Requests that the binding is about; they must be about the policy too. All of the policy when absent.',
      presence: 'pointer',
    }),
    validationActions: f.list(4, items.string, {
      doc: 'What is done about requests that do not satisfy the policy: Deny, Warn or Audit.',
      listType: 'set',
      since: '1.27',
      required: true,
      enum: ['Audit', 'Deny', 'Warn'],
      uniqueBy: '',
    }),
  },
  { checks: [checkBindingSpec] },
);

export const ValidatingAdmissionPolicyBinding = struct(
  'admissionregistration.v1alpha1.ValidatingAdmissionPolicyBinding',
  'Puts a policy to use, with parameters, for some of the requests that it is about.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, ValidatingAdmissionPolicyBindingSpec, {
      doc: 'What its owner wants.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);

const policyBindingTable: TableDefinition<admissionregistration.ValidatingAdmissionPolicyBindingV1alpha1> = {
  columns: [
    nameColumn,
    column('PolicyName', 'The policy that is put to use.'),
    column('ParamRef', 'The object that holds the parameters.'),
    ageColumn,
  ],
  cells(binding) {
    const spec = binding.spec ?? {};
    const { name, namespace } = spec.paramRef ?? {};
    const qualified = (namespace ?? '') === '' ? (name ?? '') : `${namespace ?? ''}/${name ?? ''}`;
    const params = spec.paramRef === undefined ? unset : qualified;
    return [nameCell(binding), spec.policyName ?? '', params, ageCell(binding)];
  },
};

export const validatingAdmissionPolicyBindings: ResourceType = defineResource({
  group: 'admissionregistration',
  resource: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
  namespaced: false,
  categories: ['api-extensions'],
  versions: [
    {
      version: 'v1alpha1',
      schema: ValidatingAdmissionPolicyBinding,
      introduced: '1.26',
      deprecated: '1.29',
      removed: '1.32',
    },
  ],
  table: policyBindingTable,
  strategy: strategyOf<admissionregistration.ValidatingAdmissionPolicyBindingV1alpha1>({
    unconditionalUpdate: false,
    generation: 'spec',
  }),
});
