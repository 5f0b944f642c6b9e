import type { ServicePort } from '@orch/kinds/core';
import { errors, type FieldError, fieldError } from '@orch/machinery';
import type { ValuePool } from './allocator.ts';
import type { Outcome, ValueSource } from './reservation.ts';
import { needsHealthCheckPort, needsNodePorts, type ServiceSpec } from './service-spec.ts';

const isSet = (port: number | undefined): port is number => port !== undefined && port !== 0;

/** Allocates the ports that the client requested and the service did not have before. Returns the refused ones. */
export async function takeRequestedPorts(
  spec: ServiceSpec,
  before: ReadonlySet<string>,
  ports: ValuePool,
  source: ValueSource,
): Promise<readonly FieldError[]> {
  const problems: FieldError[] = [];
  const requested = new Set<number>();
  const take = async (port: number, field: string): Promise<void> => {
    const outcome = before.has(String(port)) ? 'held' : await source.take(ports, String(port));
    if (outcome !== 'held') problems.push(fieldError.invalid(field, port, whyNot(outcome, ports)));
  };
  for (const [i, { nodePort }] of (spec.ports ?? []).entries()) {
    // One node port may serve several protocols of a service.
    if (!isSet(nodePort) || requested.has(nodePort)) continue;
    requested.add(nodePort);
    await take(nodePort, `spec.ports[${i}].nodePort`);
  }
  const { healthCheckNodePort } = spec;
  if (!isSet(healthCheckNodePort)) return problems;
  const field = 'spec.healthCheckNodePort';
  if (requested.has(healthCheckNodePort)) {
    problems.push(fieldError.invalid(field, healthCheckNodePort, whyNot('taken', ports)));
  } else await take(healthCheckNodePort, field);
  return problems;
}

const whyNot = (outcome: Exclude<Outcome, 'held'>, { text }: ValuePool): string =>
  outcome === 'taken'
    ? 'provided port is already allocated'
    : `provided port is not in the valid range. The range of valid ports is ${text}`;

/** Allocates a port wherever one is needed and not set. */
export async function takeMissingPorts(
  spec: ServiceSpec,
  ports: ValuePool,
  source: ValueSource,
): Promise<void> {
  if (needsNodePorts(spec)) {
    for (const port of spec.ports ?? []) {
      if (isSet(port.nodePort)) continue;
      port.nodePort = sharedPort(port, spec.ports ?? []) ?? (await anyPort(ports, source));
    }
  }
  if (needsHealthCheckPort(spec) && !isSet(spec.healthCheckNodePort)) {
    spec.healthCheckNodePort = await anyPort(ports, source);
  }
}

/** A port with two protocols has one node port, unless that node port is used for the other protocol. */
function sharedPort({ port, protocol }: ServicePort, all: readonly ServicePort[]): number | undefined {
  const twin = all.find((other) => other.port === port && isSet(other.nodePort));
  if (twin === undefined) return undefined;
  const isTaken = all.some((other) => other.nodePort === twin.nodePort && other.protocol === protocol);
  return isTaken ? undefined : twin.nodePort;
}

async function anyPort(ports: ValuePool, source: ValueSource): Promise<number> {
  const value = await source.takeAny(ports);
  if (value === undefined) {
    throw errors.internal(undefined, `failed to allocate a node port: the range ${ports.text} is full`);
  }
  return Number(value);
}
