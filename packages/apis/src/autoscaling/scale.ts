import type { ApiObject } from '@orch/machinery';
import { f, struct } from '@orch/schema';
import { metadataField, specField, statusField } from '../meta/standard-fields.ts';
import type { TableDefinition } from '../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../table.ts';

export const ScaleSpec = struct('autoscaling.v1.ScaleSpec', 'The desired number of replicas.', {
  replicas: f.int32(1, { doc: 'Desired number of replicas.', min: 0 }),
});

export const ScaleStatus = struct('autoscaling.v1.ScaleStatus', 'The current number of replicas.', {
  replicas: f.int32(1, { doc: 'Current number of replicas.', presence: 'always' }),
  selector: f.string(2, { doc: 'Selects the pods, in the format of a query parameter.' }),
});

export const Scale = struct(
  'autoscaling.v1.Scale',
  'The number of replicas of an object that has replicas.',
  {
    metadata: metadataField,
    spec: specField(ScaleSpec),
    status: statusField(ScaleStatus),
  },
  { typeMeta: true },
);

/** A Scale in any of its versions. */
interface ScaleObject extends ApiObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

/** The table of `/scale`, the same for all kinds. */
export const scaleTable: TableDefinition<ScaleObject> = {
  columns: [
    nameColumn,
    column('Desired', 'Desired number of replicas.', { type: 'integer' }),
    column('Available', 'Current number of replicas.', { type: 'integer' }),
    ageColumn,
  ],
  cells: (scale) => [nameCell(scale), scale.spec?.replicas ?? 0, scale.status?.replicas ?? 0, ageCell(scale)],
};
