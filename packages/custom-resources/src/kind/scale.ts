import type { ScaleMapping } from '@orch/apis';
import type { CustomResourceSubresourceScale } from '@orch/kinds/apiextensions';
import type { ApiObject } from '@orch/machinery';
import { asNumber, asText } from '@orch/machinery/json';
import { fieldsOf, setValueAt, valueAt } from './simple-path.ts';

/** The mapping of a custom kind to Scale, by the paths of its definition. Absent members count as 0 and as empty. */
export function customScale(scale: CustomResourceSubresourceScale): ScaleMapping {
  const replicas = fieldsOf(scale.specReplicasPath ?? '');
  const statusReplicas = fieldsOf(scale.statusReplicasPath ?? '');
  const selector = fieldsOf(scale.labelSelectorPath ?? '');
  const numberAt = (object: ApiObject, path: readonly string[]): number =>
    Math.trunc(asNumber(valueAt(object, path)));
  return {
    replicas: (object) => numberAt(object, replicas),
    setReplicas: (object, count) => setValueAt(object, replicas, count),
    statusReplicas: (object) => numberAt(object, statusReplicas),
    selector: (object) => (selector.length === 0 ? '' : asText(valueAt(object, selector))),
  };
}
