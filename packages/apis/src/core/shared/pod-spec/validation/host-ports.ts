import type { Container } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';

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

/** In the network of the node a container port is the port of the node, so both numbers must agree. */
export function checkHostNetworkPorts(path: string, containers: readonly Container[]): readonly FieldError[] {
  return containers.flatMap((container, i) =>
    (container.ports ?? []).flatMap((port, j) => {
      if (port.hostPort === port.containerPort) return [];
      const at = `${path}[${i}].ports[${j}].containerPort`;
      return [fieldError.invalid(at, port.containerPort, 'must match `hostPort` when `hostNetwork` is true')];
    }),
  );
}
