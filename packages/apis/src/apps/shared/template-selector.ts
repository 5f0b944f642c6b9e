import { asObject, type JsonObject } from '../../read.ts';

/** In older versions a workload without a selector takes the pods with the labels of its template. */
export function templateSelector(spec: JsonObject): JsonObject | undefined {
  const labels = asObject(asObject(spec['template'])['metadata'])['labels'];
  return labels === undefined ? undefined : { matchLabels: { ...asObject(labels) } };
}
