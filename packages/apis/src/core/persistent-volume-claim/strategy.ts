import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
} from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Names } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { validateClaimStatus, validateClaimUpdate } from './validation.ts';
import { claimWarnings } from './warnings.ts';

/** Sources that the older field supports: a claim or a snapshot. */
function isKnownSource(source: TypedLocalObjectReference, names: Names): boolean {
  const group = source.apiGroup ?? '';
  const kind = source.kind ?? '';
  if (kind === 'PersistentVolumeClaim') return group === '';
  return kind === 'VolumeSnapshot' && group === `snapshot.${names.groups.storage}`;
}

type Spec = PersistentVolumeClaimSpec;

/**
 * Removes a source of another namespace while the feature gate is disabled, unless the claim has one already. The claim
 * must not name an object of its own namespace instead.
 */
function dropForeignSource(spec: Spec, old: Spec | undefined, { since }: StrategyContext): Spec {
  const { dataSourceRef, ...rest } = spec;
  const isForeign = (dataSourceRef?.namespace ?? '') !== '';
  if (!isForeign || old?.dataSourceRef !== undefined || since('never', 'CrossNamespaceVolumeDataSource'))
    return spec;
  return rest;
}

/**
 * Both fields name the same source, unless it is of another namespace. A source that the older field does not support is
 * removed from it, if it is there alone and the claim had none.
 */
function agreeOnSource(spec: Spec, old: Spec | undefined, names: Names): Spec {
  const { dataSource, dataSourceRef, ...rest } = spec;
  if (dataSource === undefined && dataSourceRef === undefined) return spec;
  if (dataSourceRef === undefined) {
    const isInUse = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
    const isKept = dataSource !== undefined && (isInUse || isKnownSource(dataSource, names));
    return isKept ? { ...spec, dataSourceRef: dataSource } : rest;
  }
  const { namespace = '', ...local } = dataSourceRef;
  return dataSource !== undefined || namespace !== '' ? spec : { ...spec, dataSource: local };
}

function settleSource(
  next: Draft<PersistentVolumeClaim>,
  old: PersistentVolumeClaim | undefined,
  context: StrategyContext,
): void {
  if (next.spec === undefined) return;
  const spec = dropForeignSource(next.spec, old?.spec, context);
  next.spec = agreeOnSource(spec, old?.spec, context.names);
}

export const persistentVolumeClaimStrategy: Strategy<PersistentVolumeClaim> = strategyOf({
  resetStatus: true,
  deleteReturns: 'object',
  prepareForCreate(next, context) {
    next.status = { phase: 'Pending' };
    settleSource(next, undefined, context);
  },
  prepareForUpdate(next, old, context) {
    keepStatus(next, old, context);
    settleSource(next, old, context);
  },
  validate: (next, old, context) => (old === undefined ? [] : validateClaimUpdate(next, old, context)),
  warnings: claimWarnings,
  through: { status: statusRules(validateClaimStatus) },
});
