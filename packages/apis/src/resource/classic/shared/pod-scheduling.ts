import type { PodSchedulingContextV1alpha3 } from '@orch/kinds/resource';
import { f, items, type StructSchema, struct } from '@orch/schema';
import { type ResourceDeclaration, strategyOf } from '../../../define-resource.ts';
import { metadataField } from '../../../meta/standard-fields.ts';
import type { TableDefinition } from '../../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../../table.ts';

const MAX_NODES = 128;

const nodes = {
  listType: 'atomic',
  maxItems: MAX_NODES,
  uniqueBy: '',
  format: 'dns1123subdomain',
  emptyIsInvalid: true,
} as const;

const podSchedulingTable: TableDefinition<PodSchedulingContextV1alpha3> = {
  columns: [nameColumn, column('SelectedNode', 'Node that the scheduler has chosen.'), ageColumn],
  cells: (object) => [nameCell(object), object.spec?.selectedNode ?? '', ageCell(object)],
};

const claimStatusOf = (version: string): StructSchema =>
  struct(
    `resource.${version}.ResourceClaimSchedulingStatus`,
    'Nodes for which one claim of the pod cannot be allocated.',
    {
      name: f.string(1, {
        doc: 'Name of the claim in the pod.',
        presence: 'always',
        openapiRequired: { since: '1.31', is: true },
        required: true,
      }),
      unsuitableNodes: f.list(2, items.string, {
        doc: 'Nodes of the request for which the claim cannot be allocated.',
        ...nodes,
      }),
    },
  );

const specOf = (version: string, kind: string): StructSchema =>
  struct(`resource.${version}.${kind}Spec`, 'Nodes that the scheduler proposes for the pod.', {
    selectedNode: f.string(1, {
      doc: 'Node for which claims are allocated; it may change until they are.',
    }),
    potentialNodes: f.list(2, items.string, {
      doc: 'Nodes that are suitable for the scheduler.',
      ...nodes,
    }),
  });

const statusOf = (version: string, kind: string): StructSchema =>
  struct(`resource.${version}.${kind}Status`, 'Reports of the drivers about the nodes.', {
    resourceClaims: f.list(1, claimStatusOf(version), {
      doc: 'An entry for each claim of the pod that is allocated when the pod is scheduled.',
      listType: 'map',
      mapKeys: ['name'],
      uniqueBy: 'name',
    }),
  });

/** The kind under the name that it has in a version. */
export const podSchedulingOf = (version: string, kind: string): StructSchema =>
  struct(
    `resource.${version}.${kind}`,
    'Used by the scheduler and the resource drivers to select a node for the pod of the same name.',
    {
      metadata: metadataField,
      spec: f.struct(2, specOf(version, kind), {
        doc: 'Nodes on which the pod might run.',
        presence: 'always',
        openapiRequired: true,
      }),
      status: f.struct(3, statusOf(version, kind), {
        doc: 'Nodes on which the pod cannot run.',
        presence: 'always',
      }),
    },
    { typeMeta: true },
  );

export const common = {
  group: 'resource',
  namespaced: true,
  table: podSchedulingTable,
  strategy: strategyOf({
    resetStatus: true,
    deleteReturns: 'object',
    prepareForUpdate: keepStatus,
    through: { status: statusOnlyRules() },
  }),
} as const satisfies Partial<ResourceDeclaration>;
