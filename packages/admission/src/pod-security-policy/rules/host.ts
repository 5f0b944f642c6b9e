import { fieldError } from '@orch/machinery';
import type { RuleParts, Rules } from '../rule.ts';

const NAMESPACES = [
  ['hostNetwork', 'Host network is not allowed to be used'],
  ['hostPID', 'Host PID is not allowed to be used'],
  ['hostIPC', 'Host IPC is not allowed to be used'],
] as const;

/** Namespaces of the node that pods may use. */
export function hostNamespaces({ spec }: RuleParts): Rules {
  const refused = NAMESPACES.filter(([field]) => spec[field] !== true);
  return {
    pod: {
      check: ({ spec: pod }) =>
        refused
          .filter(([field]) => pod[field] === true)
          .map(([field, why]) => fieldError.invalid(`spec.${field}`, true, why)),
    },
  };
}

/** Ports of the node that containers may use. */
export function hostPorts({ spec }: RuleParts): Rules {
  const ranges = (spec.hostPorts ?? []).map(({ min = 0, max = 0 }) => ({ min, max }));
  const text = ranges.map(({ min, max }) => (min === max ? min : `${min}-${max}`)).join(',');
  const isAllowed = (port: number): boolean => ranges.some(({ min, max }) => min <= port && port <= max);
  return {
    container: {
      *check({ path, container: { ports = [] } }) {
        for (const [i, { hostPort = 0 }] of ports.entries()) {
          if (hostPort === 0 || isAllowed(hostPort)) continue;
          const why = `Host port ${hostPort} is not allowed to be used. Allowed ports: [${text}]`;
          yield fieldError.invalid(`${path}.ports[${i}].hostPort`, hostPort, why);
        }
      },
    },
  };
}
