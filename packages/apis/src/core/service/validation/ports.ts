import type { ServicePort, ServiceSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { StrategyContext } from '../../../resource-type.ts';
import { checkPort } from '../../../validation-rules.ts';

/** Port of the node agent on every node: before 1.33 not for load balancers. */
const NODE_AGENT_PORT = 10_250;

const isHeadless = (spec: ServiceSpec): boolean => spec.clusterIP === 'None';

/** Checks the ports of a service: at least one, named when there are several, and without duplicates. */
export function checkServicePorts(
  path: string,
  spec: ServiceSpec,
  since: StrategyContext['since'],
): readonly FieldError[] {
  const ports = spec.ports ?? [];
  if (ports.length === 0) {
    return isHeadless(spec) || spec.type === 'ExternalName' ? [] : [fieldError.required(path)];
  }
  return [
    ...(spec.type === 'LoadBalancer' && !since('1.33') ? checkNodeAgentPort(path, ports) : []),
    ...checkNames(path, ports),
    ...ports.flatMap((port, i) => checkPort(`${path}[${i}].targetPort`, port.targetPort)),
    ...checkNodePorts(path, ports, spec.type === 'ClusterIP'),
    ...checkTwice(path, ports, 'port', ''),
  ];
}

const checkNodeAgentPort = (path: string, ports: readonly ServicePort[]): readonly FieldError[] =>
  ports.flatMap((port, i) =>
    port.port === NODE_AGENT_PORT
      ? [
          fieldError.invalid(
            `${path}[${i}]`,
            NODE_AGENT_PORT,
            `may not expose port ${NODE_AGENT_PORT} externally since the node agent uses it`,
          ),
        ]
      : [],
  );

function checkNames(path: string, ports: readonly ServicePort[]): readonly FieldError[] {
  const taken = new Set<string>();
  return ports.flatMap((port, i) => {
    const name = port.name ?? '';
    const at = `${path}[${i}].name`;
    if (name === '') return ports.length > 1 ? [fieldError.required(at)] : [];
    const twice = taken.has(name);
    taken.add(name);
    return twice ? [fieldError.duplicate(at, name)] : [];
  });
}

function checkNodePorts(
  path: string,
  ports: readonly ServicePort[],
  forbidden: boolean,
): readonly FieldError[] {
  if (!forbidden) return checkTwice(path, ports, 'nodePort', '.nodePort');
  return ports.flatMap((port, i) =>
    port.nodePort === undefined || port.nodePort === 0
      ? []
      : [fieldError.forbidden(`${path}[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'")],
  );
}

/** The same number may be used only by different protocols. */
function checkTwice(
  path: string,
  ports: readonly ServicePort[],
  field: 'port' | 'nodePort',
  segment: string,
): readonly FieldError[] {
  const taken = new Set<string>();
  return ports.flatMap((port, i) => {
    const number = port[field];
    if (number === undefined || number === 0) return [];
    const key = `${port.protocol ?? ''}/${number}`;
    const twice = taken.has(key);
    taken.add(key);
    return twice
      ? [fieldError.duplicate(`${path}[${i}]${segment}`, { protocol: port.protocol, [field]: number })]
      : [];
  });
}
