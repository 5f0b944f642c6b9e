import { f, struct } from '@orch/schema';

export const ResourceClassParametersReference = struct(
  'resource.v1alpha2.ResourceClassParametersReference',
  'Names the object with the parameters of a class.',
  {
    apiGroup: f.string(1, { doc: 'Group of the object; empty for the core group.' }),
    kind: f.string(2, { doc: 'Kind of the object.', presence: 'always', required: true }),
    name: f.string(3, { doc: 'Name of the object.', presence: 'always', required: true }),
    namespace: f.string(4, {
      doc: 'Namespace of the object; empty for cluster-scoped kinds.',
      format: 'dns1123label',
    }),
  },
);

export const ResourceClaimParametersReference = struct(
  'resource.v1alpha2.ResourceClaimParametersReference',
  'Names the object with the parameters of a claim, in the same namespace.',
  {
    apiGroup: f.string(1, { doc: 'Group of the object; empty for the core group.' }),
    kind: f.string(2, { doc: 'Kind of the object.', presence: 'always', required: true }),
    name: f.string(3, { doc: 'Name of the object.', presence: 'always', required: true }),
  },
);

export const ResourceClaimConsumerReference = struct(
  'resource.v1alpha2.ResourceClaimConsumerReference',
  'Names the object that a claim is reserved for, in the same namespace.',
  {
    apiGroup: f.string(1, { doc: 'Group of the object; empty for the core group.' }),
    resource: f.string(3, {
      doc: 'Resource of the object, such as pods.',
      presence: 'always',
      required: true,
    }),
    name: f.string(4, { doc: 'Name of the object.', presence: 'always', required: true }),
    uid: f.string(5, { doc: 'Identity of the object.', presence: 'always', required: true }),
  },
);
