import type { Derive } from '@orch/schema';
import { asObject, type JsonObject } from '../../read.ts';

const labelsOf = (template: unknown): JsonObject | undefined => {
  const labels = asObject(asObject(template)['metadata'])['labels'];
  return labels === undefined ? undefined : { ...asObject(labels) };
};

/** The pods of the template are those that count. */
export const templateLabels = (spec: JsonObject): JsonObject | undefined => labelsOf(spec['template']);

/** A controller without labels gets those of its pods. */
export const deriveLabels: Derive = (object) => {
  const metadata = asObject(object['metadata']) as Record<string, unknown>;
  const labels =
    metadata['labels'] === undefined ? labelsOf(asObject(object['spec'])['template']) : undefined;
  if (labels === undefined) return false;
  metadata['labels'] = labels;
  return true;
};
