import { formatLabelSelector, labelSelectorFromMap } from '@orch/machinery';
import { asNumber, asObject, asStringMap, specOf, statusOf } from '../../read.ts';
import type { ScaleMapping } from '../../resource-type.ts';

/** Replication controllers select by a plain map of labels. */
export const replicationControllerScale: ScaleMapping = {
  replicas: (object) => asNumber(specOf(object)['replicas']),
  setReplicas(object, replicas) {
    (asObject(object['spec']) as Record<string, unknown>)['replicas'] = replicas;
  },
  statusReplicas: (object) => asNumber(statusOf(object)['replicas']),
  selector: (object) => formatLabelSelector(labelSelectorFromMap(asStringMap(specOf(object)['selector']))),
};
