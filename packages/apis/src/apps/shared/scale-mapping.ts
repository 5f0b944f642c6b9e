import { formatLabelSelector, type LabelSelectorObject, labelSelectorFromObject } from '@orch/machinery';
import { asNumber, asObject, specOf, statusOf } from '../../read.ts';
import type { ScaleMapping } from '../../resource-type.ts';

/** Workloads of this group select by a label selector. */
export const workloadScale: ScaleMapping = {
  replicas: (object) => asNumber(specOf(object)['replicas']),
  setReplicas(object, replicas) {
    (asObject(object['spec']) as Record<string, unknown>)['replicas'] = replicas;
  },
  statusReplicas: (object) => asNumber(statusOf(object)['replicas']),
  selector: (object) =>
    formatLabelSelector(labelSelectorFromObject(specOf(object)['selector'] as LabelSelectorObject)),
};
