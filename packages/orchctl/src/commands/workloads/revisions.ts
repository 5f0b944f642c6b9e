import type { kinds } from '@orch/client';
import { jsonEquals } from '@orch/machinery/json';

type Template = kinds.core.PodTemplateSpec;

/** The label that tells apart the replica sets of a deployment; their templates differ from that of the deployment by it. */
const TEMPLATE_HASH = 'pod-template-hash';

/** A template without what the controller of its workload adds. */
export function withoutHash(template: Template): Template {
  const { [TEMPLATE_HASH]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Reports whether two templates make the same pods. */
export const isSameTemplate = (a: Template = {}, b: Template = {}): boolean =>
  jsonEquals(withoutHash(a), withoutHash(b));
