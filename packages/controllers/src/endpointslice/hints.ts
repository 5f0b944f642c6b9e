import type { kinds } from '@orch/client';
import type { Names } from '@orch/machinery';

type Service = kinds.core.Service;
type Endpoint = kinds.discovery.Endpoint;

/** Values of `trafficDistribution` that give hints. */
const near: readonly (string | undefined)[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** Reports whether a service asks for hints by its annotation, which precedes `trafficDistribution`. */
function hasTopologyMode({ metadata }: Service, { annotations }: Names): boolean {
  const { [annotations.topologyAwareHints]: older, [annotations.topologyMode]: newer } =
    metadata.annotations ?? {};
  return /^[Aa]uto$/.test(older ?? newer ?? '');
}

/** An endpoint with the hints of its service: those that are ready are for clients in their zone, or on their node. */
export function withHints(endpoint: Endpoint, service: Service, names: Names): Endpoint {
  const { trafficDistribution } = service.spec ?? {};
  const { zone, nodeName, conditions } = endpoint;
  if (!near.includes(trafficDistribution) || hasTopologyMode(service, names)) return endpoint;
  if (conditions?.ready !== true) return endpoint;
  const hints = {
    ...(zone !== undefined && { forZones: [{ name: zone }] }),
    ...(nodeName !== undefined &&
      trafficDistribution === 'PreferSameNode' && { forNodes: [{ name: nodeName }] }),
  };
  return Object.keys(hints).length === 0 ? endpoint : { ...endpoint, hints };
}
