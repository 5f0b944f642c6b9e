import type { StatefulSetSpec, StatefulSetUpdateStrategy } from '@orch/kinds/apps';
import type { Draft } from '@orch/kinds/draft';
import type { Derive } from '@orch/schema';

const typeMeta = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' };

const newStatus = { phase: 'Pending' };

/** Sets the kind, API version and initial phase of claim templates. */
export const deriveClaimTemplates: Derive<Draft<StatefulSetSpec>> = (spec) => {
  let changed = false;
  for (const claim of spec.volumeClaimTemplates ?? []) {
    if (claim.kind !== typeMeta.kind || claim.apiVersion !== typeMeta.apiVersion) {
      Object.assign(claim, typeMeta);
      changed = true;
    }
    const status = claim.status ?? {};
    if (status.phase !== undefined) continue;
    claim.status = { ...status, ...newStatus };
    changed = true;
  }
  return changed;
};

/**
 * The update strategy of a StatefulSet. `rollingUpdate` is created only together with a missing type; an existing one
 * gets all of its defaults.
 */
export const statefulSetStrategyDefaults =
  (usual: 'RollingUpdate' | 'OnDelete'): Derive<Draft<StatefulSetUpdateStrategy>> =>
  (strategy) => {
    const unnamed = strategy.type === undefined;
    if (unnamed) strategy.type = usual;
    const given = strategy.rollingUpdate;
    if (strategy.type !== 'RollingUpdate' || (given === undefined && !unnamed)) return unnamed;
    const { partition } = given ?? {};
    // Objects created here get no further defaults; fields that the release lacks are removed later.
    if (given === undefined) strategy.rollingUpdate = { partition: 0, maxUnavailable: 1 };
    else if (partition === undefined) strategy.rollingUpdate = { ...given, partition: 0 };
    return unnamed || partition === undefined;
  };
