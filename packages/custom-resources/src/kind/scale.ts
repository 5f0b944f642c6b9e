import type { ScaleMapping } from '@orch/apis';
import type { ApiObject } from '@orch/machinery';
import { asNumber, asText, type JsonObject } from '@orch/machinery/json';
import { fieldsOf, setValueAt, valueAt } from './simple-path.ts';

/** The mapping of a custom kind to Scale, by the paths of its definition. Absent members count as 0 and as empty. */
export function customScale(scale: JsonObject): ScaleMapping {
  const replicas = fieldsOf(asText(scale['specReplicasPath']));
  const statusReplicas = fieldsOf(asText(scale['statusReplicasPath']));
  const selector = fieldsOf(asText(scale['labelSelectorPath']));
  const numberAt = (object: ApiObject, path: readonly string[]): number =>
    Math.trunc(asNumber(valueAt(object, path)));
  return {
    replicas: (object) => numberAt(object, replicas),
    setReplicas: (object, count) => setValueAt(object, replicas, count),
    statusReplicas: (object) => numberAt(object, statusReplicas),
    selector: (object) => (selector.length === 0 ? '' : asText(valueAt(object, selector))),
  };
}
