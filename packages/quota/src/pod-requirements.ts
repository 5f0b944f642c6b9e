import { asObject, asObjects, asText, type JsonObject } from '@orch/machinery/json';
import { readAmounts } from './amounts.ts';

/** Bounds that every container of a pod must specify, with the field that specifies them. */
const required: Readonly<Record<string, readonly [list: 'requests' | 'limits', resource: string]>> = {
  cpu: ['requests', 'cpu'],
  memory: ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

/** The fields that containers do not specify although a quota bounds them: `limits.cpu for: a,b`, in order of the bounds. */
export function missingAmounts(spec: JsonObject, bounds: Iterable<string>): readonly string[] {
  const containers = [...asObjects(spec['containers']), ...asObjects(spec['initContainers'])];
  return [...bounds].sort().flatMap((bound) => {
    const place = Object.hasOwn(required, bound) ? required[bound] : undefined;
    if (place === undefined) return [];
    const [list, resource] = place;
    const without = containers.filter(
      ({ resources }) => !readAmounts(asObject(resources)[list]).has(resource),
    );
    const names = [...new Set(without.map(({ name }) => asText(name)))].sort();
    return names.length === 0 ? [] : [`${bound} for: ${names.join(',')}`];
  });
}
