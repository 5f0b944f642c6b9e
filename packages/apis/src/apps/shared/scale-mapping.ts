import type { Deployment } from '@orch/kinds/apps';
import { formatLabelSelector, labelSelectorFromObject } from '@orch/machinery/selectors';
import type { ScaleMapping } from '../../resource-type.ts';

/** Workloads of this group select by a label selector. */
export const workloadScale: ScaleMapping<Deployment> = {
  replicas: (object) => object.spec?.replicas ?? 0,
  setReplicas(object, replicas) {
    object.spec = { ...object.spec, replicas };
  },
  statusReplicas: (object) => object.status?.replicas ?? 0,
  selector: (object) => formatLabelSelector(labelSelectorFromObject(object.spec?.selector)),
};
