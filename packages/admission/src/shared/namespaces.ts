import type { ObjectSource } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import type { Refusal, RequestedWrite, Verdict } from '../types.ts';
import { namedClass } from './named-class.ts';

/** The decision on a write with its namespace; undefined when the namespace does not exist. */
export function withNamespace(
  source: ObjectSource,
  { namespace: name, signal }: RequestedWrite,
  decide: (namespace: ApiObject | undefined) => Refusal | undefined,
): Verdict {
  return whenFulfilled(namedClass(source, 'namespaces', { name, signal }), decide);
}

/** Undefined when the object does not have the annotation. */
export function annotationOf(object: ApiObject | undefined, key: string): string | undefined {
  const annotations = object?.metadata.annotations ?? {};
  return Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

/** The namespace of a write, as webhooks and policies receive it: that of a namespace is itself. */
export const namespaceOf = ({
  group,
  resource,
  name,
  namespace,
}: Pick<RequestedWrite, 'group' | 'resource' | 'name' | 'namespace'>): string =>
  group === '' && resource === 'namespaces' ? name : namespace;
