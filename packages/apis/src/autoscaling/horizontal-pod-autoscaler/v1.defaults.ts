import type { Derive } from '@orch/schema';
import { jsonForm } from '@orch/schema';
import { asObject, asObjects, asStringMap } from '../../read.ts';
import { annotationKeys } from './annotations.ts';
import { defaultCpuUtilization } from './defaults.ts';

/** Something has to be scaled by: processor time, when the annotation names no other metrics. */
export const deriveCpuTarget: Derive = (object, names) => {
  const spec = object['spec'];
  const { targetCPUUtilizationPercentage: target } = asObject(spec);
  if (target !== undefined) return false;
  const annotations = asStringMap(asObject(object['metadata'])['annotations']);
  const others = annotations[annotationKeys(names).metrics];
  if (others !== undefined && asObjects(jsonForm.read(others)).length > 0) return false;
  object['spec'] = { ...asObject(spec), targetCPUUtilizationPercentage: defaultCpuUtilization };
  return true;
};
