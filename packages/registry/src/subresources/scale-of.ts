import type { ScaleMapping } from '@orch/apis';
import type { ApiObject } from '@orch/machinery';
import { parseLabelSelector, SelectorError } from '@orch/machinery/selectors';
import { resolveRef, type StructSchema } from '@orch/schema';

/** The Scale of an object in the hub version (facts: defaults, Scale). `schema` is that of Scale in the requested version. */
export function scaleOf(
  object: ApiObject,
  mapping: ScaleMapping,
  apiVersion: string,
  schema: StructSchema,
): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = mapping.replicas(object);
  return {
    kind: 'Scale',
    apiVersion,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      creationTimestamp: creationTimestamp ?? null,
    },
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: mapping.statusReplicas(object),
      ...selectorFields(mapping.selector(object), schema),
    },
  };
}

/** Older versions contain the selector twice: as a map, where it can be one, and as text. */
export function selectorFields(selector: string, schema: StructSchema): Readonly<Record<string, unknown>> {
  if (selector === '') return {};
  if (!hasTargetSelector(schema)) return { selector };
  const labels = labelsOf(selector);
  return { ...(labels === undefined ? {} : { selector: labels }), targetSelector: selector };
}

function hasTargetSelector({ fields }: StructSchema): boolean {
  const found = fields.find(({ name }) => name === 'status');
  const status = found === undefined ? undefined : resolveRef(found.schema);
  return status?.kind === 'struct' && status.fields.some(({ name }) => name === 'targetSelector');
}

/** The labels that a selector requires, when it has no other requirements. */
function labelsOf(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const { requirements } = parseLabelSelector(text);
    const labels = requirements.map(({ key, operator, values }) =>
      operator === 'In' && values.length === 1 ? ([key, values[0] ?? ''] as const) : undefined,
    );
    const all = labels.filter((label) => label !== undefined);
    return all.length === labels.length ? Object.fromEntries(all) : undefined;
  } catch (cause) {
    if (cause instanceof SelectorError) return undefined;
    throw cause;
  }
}
