import type { Derive } from '@orch/schema';
import { asObject, asObjects } from '../../read.ts';

const typeMeta = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' };
const newStatus = { phase: 'Pending' };

/** Claims of a set say what they are, and are as new as the claims that are made from them. */
export const deriveClaimTemplates: Derive = (spec) => {
  let changed = false;
  for (const claim of asObjects(spec['volumeClaimTemplates']) as readonly Record<string, unknown>[]) {
    if (claim['kind'] !== typeMeta.kind || claim['apiVersion'] !== typeMeta.apiVersion) {
      Object.assign(claim, typeMeta);
      changed = true;
    }
    const status = asObject(claim['status']);
    if (status['phase'] !== undefined) continue;
    claim['status'] = { ...status, ...newStatus };
    changed = true;
  }
  return changed;
};
