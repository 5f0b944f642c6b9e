import type { ApiObject } from '@orch/machinery';
import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../meta/object-meta.ts';
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
    metadata: f.struct(1, ObjectMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    spec: f.struct(2, ScaleSpec, { doc: 'Desired state of the object.', presence: 'always' }),
    status: f.struct(3, ScaleStatus, {
      doc: 'Most recently observed state of the object; written by the system.',
      presence: 'always',
    }),
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
