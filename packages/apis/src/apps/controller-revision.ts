import type * as apps from '@orch/kinds/apps';
import { fieldError, parseApiVersion } from '@orch/machinery';
import { exactNumberText } from '@orch/machinery/json';
import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../define-resource.ts';
import { RawExtension } from '../meta/raw.ts';
import { metadataField } from '../meta/standard-fields.ts';
import type { Cell, ResourceType, Strategy, TableDefinition } from '../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../table.ts';

const controllerRevisionStrategy: Strategy<apps.ControllerRevision> = strategyOf({
  // The data never changes, which the schema checks.
  validate: ({ data }, old) =>
    old === undefined && (data ?? undefined) === undefined ? [fieldError.required('data')] : [],
});

/** The controller as `statefulset.apps/name`. */
function controllerText({ metadata }: apps.ControllerRevision): string {
  const controller = metadata.ownerReferences?.find((owner) => owner.controller === true);
  if (controller === undefined) return orNone('');
  const group = parseApiVersion(controller.apiVersion)?.group ?? '';
  const kind = group === '' ? controller.kind : `${controller.kind}.${group}`;
  return `${kind.toLowerCase()}/${controller.name}`;
}

/** Integers beyond 2^53 are shown as text. */
const revisionCell = ({ revision }: apps.ControllerRevision): Cell =>
  typeof revision === 'number' ? revision : (exactNumberText(revision) ?? 0);

const controllerRevisionTable: TableDefinition<apps.ControllerRevision> = {
  columns: [
    nameColumn,
    column('Controller', 'Object whose state it is.'),
    column('Revision', 'Number of the revision; higher ones are newer.'),
    ageColumn,
  ],
  cells: (revision) => [
    nameCell(revision),
    controllerText(revision),
    revisionCell(revision),
    ageCell(revision),
  ],
};

export const ControllerRevision = struct(
  'apps.v1.ControllerRevision',
  'A stored state that a controller can roll back to. Its data is immutable.',
  {
    metadata: metadataField,
    data: f.struct(2, RawExtension, {
      doc: 'The state, in the format of the controller.',
      presence: 'always',
      nullable: true,
      immutable: true,
      openapiRequired: { since: '1.37', is: true },
    }),
    revision: f.int64(3, {
      doc: 'Number of the revision; higher ones are newer.',
      presence: 'always',
      min: 0,
      openapiRequired: { since: '1.37', is: false },
    }),
  },
  { typeMeta: true },
);

export const controllerRevisions: ResourceType = defineResource({
  group: 'apps',
  resource: 'controllerrevisions',
  kind: 'ControllerRevision',
  namespaced: true,
  versions: [
    { version: 'v1', schema: ControllerRevision, introduced: '1.9' },
    { version: 'v1beta2', schema: ControllerRevision, introduced: '1.8', deprecated: '1.9', removed: '1.16' },
    { version: 'v1beta1', schema: ControllerRevision, introduced: '1.7', deprecated: '1.8', removed: '1.16' },
  ],
  table: controllerRevisionTable,
  strategy: controllerRevisionStrategy,
});
