import { f, items, type StructSchema, struct } from '@orch/schema';
import { type ResourceDeclaration, strategyOf } from '../../define-resource.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { podSchedulingTable } from './pod-scheduling-table.ts';

const MAX_NODES = 128;

const claimStatusOf = (version: string): StructSchema =>
  struct(`resource.${version}.ResourceClaimSchedulingStatus`, 'Where one claim of the pod cannot be met.', {
    name: f.string(1, { doc: 'Name that the pod has for the claim.', required: true }),
    unsuitableNodes: f.list(2, items.string, {
      doc: 'Nodes for which the claim cannot be met, out of those that were asked about.',
      listType: 'set',
      maxItems: MAX_NODES,
      uniqueBy: '',
    }),
  });

const specOf = (version: string, kind: string): StructSchema =>
  struct(`resource.${version}.${kind}Spec`, 'Where the scheduler would like to put the pod.', {
    selectedNode: f.string(1, {
      doc: 'Node for which claims are allocated; it may change until they are.',
    }),
    potentialNodes: f.list(2, items.string, {
      doc: 'Nodes that would do.',
      listType: 'set',
      maxItems: MAX_NODES,
      uniqueBy: '',
    }),
  });

const statusOf = (version: string, kind: string): StructSchema =>
  struct(`resource.${version}.${kind}Status`, 'What drivers say about the nodes.', {
    resourceClaims: f.list(1, claimStatusOf(version), {
      doc: 'An entry for each claim of the pod that is met late.',
      listType: 'map',
      mapKeys: ['name'],
      uniqueBy: 'name',
    }),
  });

/** The kind under the name that it has in a version. */
export const podSchedulingOf = (version: string, kind: string): StructSchema =>
  struct(
    `resource.${version}.${kind}`,
    'Where the scheduler and the drivers of resources agree on a node for a pod of the same name.',
    {
      metadata: f.struct(1, ObjectMeta, {
        doc: 'Name, labels and the other data that every object carries.',
        presence: 'always',
      }),
      spec: f.struct(2, specOf(version, kind), {
        doc: 'Where the pod might run.',
        presence: 'always',
        openapiRequired: true,
      }),
      status: f.struct(3, statusOf(version, kind), { doc: 'Where it cannot.', presence: 'always' }),
    },
    { typeMeta: true },
  );

export const common = {
  group: 'resource',
  namespaced: true,
  table: podSchedulingTable,
  strategy: strategyOf({
    resetStatus: true,
    prepareForUpdate: keepStatus,
    through: { status: statusRules() },
  }),
} as const satisfies Partial<ResourceDeclaration>;
