import type { ApiObject, Names } from '@orch/machinery';
import { strategyOf } from '../../define-resource.ts';
import { asObject, asText, type JsonObject, specOf } from '../../read.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { validateClaimStatus, validateClaimUpdate } from './validation.ts';

/** Sources that the older member can name: a claim, or a snapshot. */
function isKnownSource(source: JsonObject, names: Names): boolean {
  const group = asText(source['apiGroup']);
  const kind = asText(source['kind']);
  if (kind === 'PersistentVolumeClaim') return group === '';
  return kind === 'VolumeSnapshot' && group === `snapshot.${names.groups.storage}`;
}

/** Both members name the same source; what the older one cannot name is dropped from it. */
function agreeOnSource(next: ApiObject, names: Names): void {
  const { dataSource, dataSourceRef, ...rest } = specOf(next);
  if (dataSource === undefined && dataSourceRef === undefined) return;
  const known = dataSource !== undefined && isKnownSource(asObject(dataSource), names);
  const older = known ? dataSource : dataSourceRef;
  const reference = dataSourceRef ?? older;
  next['spec'] = {
    ...rest,
    ...(older === undefined ? {} : { dataSource: older }),
    ...(reference === undefined ? {} : { dataSourceRef: reference }),
  };
}

export const persistentVolumeClaimStrategy: Strategy = strategyOf({
  resetStatus: true,
  deleteReturns: 'object',
  prepareForCreate(next, { names }) {
    next['status'] = { phase: 'Pending' };
    agreeOnSource(next, names);
  },
  prepareForUpdate(next, old, context) {
    keepStatus(next, old, context);
    agreeOnSource(next, context.names);
  },
  validate: (next, old, { names }) => (old === undefined ? [] : validateClaimUpdate(next, old, names)),
  through: { status: statusRules(validateClaimStatus) },
});
