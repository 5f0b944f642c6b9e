import type { Container } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { CheckContext } from '@orch/schema';

/** Checks that no two containers of a list use the same port of the node. */
export function checkHostPorts(path: string, containers: readonly Container[]): readonly FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, i) =>
    (container.ports ?? []).flatMap((port, j) => {
      const number = port.hostPort;
      if (number === undefined || number === 0) return [];
      const key = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${number}`;
      const twice = taken.has(key);
      taken.add(key);
      return twice ? [fieldError.duplicate(`${path}[${i}].ports[${j}].hostPort`, key)] : [];
    }),
  );
}

/**
 * In the network of the node a container port is the port of the node, so both numbers must agree. From 1.28 on errors
 * are about the port of the node, and templates need not set it: pods always have it.
 */
export function checkHostNetworkPorts(
  { path, since }: Pick<CheckContext, 'path' | 'since'>,
  containers: readonly Container[],
): readonly FieldError[] {
  const mayLack = since('1.28');
  const [wrong, right] = mayLack
    ? (['hostPort', 'containerPort'] as const)
    : (['containerPort', 'hostPort'] as const);
  return containers.flatMap((container, i) =>
    (container.ports ?? []).flatMap((port, j) => {
      if (port.hostPort === port.containerPort || (mayLack && (port.hostPort ?? 0) === 0)) return [];
      const why = `must match \`${right}\` when \`hostNetwork\` is true`;
      return [fieldError.invalid(`${path}[${i}].ports[${j}].${wrong}`, port[wrong], why)];
    }),
  );
}
