import { asObject, asObjects, type JsonObject } from '@orch/machinery/json';
import type { Quantity } from '@orch/machinery/quantity';
import { countAmount } from './amounts.ts';
import { type Evaluator, lasting } from './measure.ts';

const bounds: ReadonlySet<string> = new Set([
  'count/services',
  'services',
  'services.nodeports',
  'services.loadbalancers',
]);

/** Node ports are counted by the spec of a service, since they may not be allocated yet. */
function nodePorts(spec: JsonObject): number {
  const ports = asObjects(spec['ports']);
  if (spec['type'] === 'NodePort') return ports.length;
  if (spec['type'] !== 'LoadBalancer') return 0;
  if (spec['allocateLoadBalancerNodePorts'] !== false) return ports.length;
  return ports.filter(({ nodePort }) => typeof nodePort === 'number' && nodePort !== 0).length;
}

export const serviceEvaluator: Evaluator = {
  group: '',
  resource: 'services',
  counts: (name) => bounds.has(name),
  measure(service) {
    const spec = asObject(service['spec']);
    return lasting(
      new Map<string, Quantity>([
        ['count/services', countAmount(1)],
        ['services', countAmount(1)],
        ['services.nodeports', countAmount(nodePorts(spec))],
        ['services.loadbalancers', countAmount(spec['type'] === 'LoadBalancer' ? 1 : 0)],
      ]),
    );
  },
};
