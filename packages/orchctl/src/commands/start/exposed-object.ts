import type { kinds } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import {
  asNumber,
  asObject,
  asObjects,
  asStringMap,
  asText,
  type JsonObject,
  objectAt,
} from '@orch/machinery/json';
import { CommandError } from '../../command-error.ts';

type Container = kinds.core.Container;

/** The input of a service for an object. */
export interface ExposedObject {
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly ExposedPort[];
}

export interface ExposedPort {
  readonly port: number;
  readonly protocol: string;
}

/** The selector and ports of an object. Throws a CommandError for kinds that have no pods. */
export function exposedObject(kind: string, object: ApiObject): ExposedObject {
  const json = object as unknown as JsonObject;
  const spec = objectAt(json, 'spec');
  switch (kind) {
    case 'Service':
      return {
        selector: asStringMap(spec['selector']),
        ports: asObjects(spec['ports']).map((one) => portOf(one, 'port')),
      };
    case 'Pod': {
      const selector = asStringMap(object.metadata.labels);
      if (Object.keys(selector).length === 0)
        throw new CommandError('the pod has no labels and cannot be exposed');
      return { selector, ports: containerPorts(spec) };
    }
    case 'ReplicationController':
      return {
        selector: asStringMap(spec['selector']),
        ports: containerPorts(objectAt(spec, 'template', 'spec')),
      };
    case 'Deployment':
    case 'ReplicaSet': {
      const selector = asObject(spec['selector']);
      if (asObjects(selector['matchExpressions']).length > 0)
        throw new CommandError(
          `a ${kind} whose selector has expressions cannot be exposed without --selector`,
        );
      return {
        selector: asStringMap(selector['matchLabels']),
        ports: containerPorts(objectAt(spec, 'template', 'spec')),
      };
    }
    default:
      throw new CommandError(`cannot expose a ${kind}`);
  }
}

const containerPorts = (spec: JsonObject): readonly ExposedPort[] =>
  (asObjects(spec['containers']) as unknown as readonly Container[]).flatMap(({ ports }) =>
    asObjects(ports).map((one) => portOf(one, 'containerPort')),
  );

const portOf = (port: JsonObject, field: string): ExposedPort => ({
  port: asNumber(port[field]),
  protocol: asText(port['protocol']) || 'TCP',
});
