import { f, items, struct } from '@orch/schema';

export const ResourceClaim = struct('core.v1.ResourceClaim', 'Names a resource claim of the pod.', {
  name: f.string(1, { doc: 'Name of an entry of resourceClaims.', presence: 'always' }),

  request: f.string(2, { doc: 'Request of the claim that is used; all when empty.', since: '1.31' }),
});

export const ResourceRequirements = struct(
  'core.v1.ResourceRequirements',
  'Requested and maximum amounts of compute resources.',
  {
    limits: f.map(1, items.quantity, { doc: 'Maximum amounts.' }),
    requests: f.map(2, items.quantity, {
      doc: 'Requested amounts. Same as the limit where only a limit is set.',
    }),
    claims: f.list(3, ResourceClaim, {
      doc: 'Resource claims of the pod that the container uses.',
      listType: 'map',
      mapKeys: ['name'],
      since: '1.34',
      gate: 'DynamicResourceAllocation',
    }),
  },
);

export const VolumeResourceRequirements = struct(
  'core.v1.VolumeResourceRequirements',
  'Requested and maximum size of a volume.',
  {
    limits: f.map(1, items.quantity, { doc: 'Maximum amounts.' }),
    requests: f.map(2, items.quantity, {
      doc: 'Requested amounts. Same as the limit where only a limit is set.',
    }),
    claims: f.list(3, ResourceClaim, {
      doc: 'Resource claims of the pod that the container uses. Volumes have none.',
      listType: 'map',
      mapKeys: ['name'],
      since: 'never',
      until: '1.29',
      gate: 'DynamicResourceAllocation',
    }),
  },
  { formerly: { before: '1.29', schema: ResourceRequirements } },
);
