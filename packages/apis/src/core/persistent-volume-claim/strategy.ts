import type { PersistentVolumeClaim, TypedLocalObjectReference } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Names } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { validateClaimStatus, validateClaimUpdate } from './validation.ts';

/** Sources that the older field supports: a claim or a snapshot. */
function isKnownSource(source: TypedLocalObjectReference, names: Names): boolean {
  const group = source.apiGroup ?? '';
  const kind = source.kind ?? '';
  if (kind === 'PersistentVolumeClaim') return group === '';
  return kind === 'VolumeSnapshot' && group === `snapshot.${names.groups.storage}`;
}

/** Both fields name the same source. One that the older field does not support is removed from it, if it is there alone. */
function agreeOnSource(next: Draft<PersistentVolumeClaim>, names: Names): void {
  const { dataSource, dataSourceRef, ...rest } = next.spec ?? {};
  if (dataSource === undefined && dataSourceRef === undefined) return;
  const isKept =
    dataSource !== undefined && (dataSourceRef !== undefined || isKnownSource(dataSource, names));
  const older = isKept ? dataSource : dataSourceRef;
  const reference = dataSourceRef ?? older;
  next.spec = {
    ...rest,
    ...(older === undefined ? {} : { dataSource: older }),
    ...(reference === undefined ? {} : { dataSourceRef: reference }),
  };
}

export const persistentVolumeClaimStrategy: Strategy<PersistentVolumeClaim> = strategyOf({
  resetStatus: true,
  deleteReturns: 'object',
  prepareForCreate(next, { names }) {
    next.status = { phase: 'Pending' };
    agreeOnSource(next, names);
  },
  prepareForUpdate(next, old, context) {
    keepStatus(next, old, context);
    agreeOnSource(next, context.names);
  },
  validate: (next, old, context) => (old === undefined ? [] : validateClaimUpdate(next, old, context)),
  through: { status: statusRules(validateClaimStatus) },
});
