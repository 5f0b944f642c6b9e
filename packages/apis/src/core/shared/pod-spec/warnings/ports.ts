import type { ContainerPort, PodSpec } from '@orch/kinds/core';
import type { WarningCollector, WarningContext } from '../../../../content-warning.ts';
import { containersOf, type PlacedContainer } from '../profiles.ts';

/** A port of a container and its path. The path is built only for a message. */
class PlacedPort {
  readonly port: ContainerPort;
  readonly hostPort: number;
  readonly hostIP: string;
  readonly #container: PlacedContainer;
  readonly #index: number;

  constructor(container: PlacedContainer, index: number, port: ContainerPort) {
    this.#container = container;
    this.#index = index;
    this.port = port;
    this.hostPort = port.hostPort ?? 0;
    this.hostIP = port.hostIP ?? '';
  }

  get path(): string {
    return `${this.#container.path}.ports[${this.#index}]`;
  }
}

/** The ports of containers with one number and protocol. */
class AlikePorts {
  readonly #all: PlacedPort[] = [];
  readonly #withoutHostPort: PlacedPort[] = [];
  readonly #byHostPort = new Map<string, PlacedPort[]>();

  /** Adds a port, and returns those before it that it is in conflict with. */
  add(placed: PlacedPort): readonly PlacedPort[] {
    const { hostPort, hostIP } = placed;
    const found = hostPort === 0 ? [...this.#all.slice(0, MAX_CONFLICTS)] : this.#conflicts(hostPort, hostIP);
    this.#all.push(placed);
    if (hostPort === 0) this.#withoutHostPort.push(placed);
    else {
      this.#note(`${hostPort}`, placed);
      this.#note(`${hostPort} ${hostIP}`, placed);
    }
    return found;
  }

  /** An empty address stands for every address. */
  #conflicts(hostPort: number, hostIP: string): readonly PlacedPort[] {
    const keys = hostIP === '' ? [`${hostPort}`] : [`${hostPort} `, `${hostPort} ${hostIP}`];
    return [this.#withoutHostPort, ...keys.map((key) => this.#byHostPort.get(key) ?? [])].flatMap((some) =>
      some.slice(0, MAX_CONFLICTS),
    );
  }

  #note(key: string, placed: PlacedPort): void {
    const known = this.#byHostPort.get(key);
    if (known === undefined) this.#byHostPort.set(key, [placed]);
    else known.push(placed);
  }
}

/** More conflicts of one port than a reply has room for. */
const MAX_CONFLICTS = 256;

function conflictOf(one: PlacedPort, other: PlacedPort): string {
  if (one.hostIP === other.hostIP && one.hostPort === other.hostPort) return 'duplicate';
  return one.hostPort === 0 || other.hostPort === 0 ? 'overlapping' : 'dangerously ambiguous';
}

/** The port as the reference prints it. */
const printed = ({ port, hostPort, hostIP }: PlacedPort): string =>
  `{Name:${port.name ?? ''} HostPort:${hostPort} ContainerPort:${port.containerPort ?? 0} Protocol:${port.protocol ?? ''} HostIP:${hostIP}}`;

const portsOf = (path: string, spec: PodSpec): readonly PlacedPort[] =>
  containersOf(path, spec).flatMap((placed) =>
    (placed.container.ports ?? []).map((port, i) => new PlacedPort(placed, i, port)),
  );

/** Warns of ports of different containers, or of one, that are the same. */
export function addPortWarnings(
  found: WarningCollector,
  path: string,
  spec: PodSpec,
  { since }: WarningContext,
): void {
  if (!since('1.28')) return;
  const ports = portsOf(path, spec);
  const alike = new Map<string, AlikePorts>();
  for (const placed of ports) {
    if (found.isFull) return;
    if (placed.hostIP !== '' && placed.hostPort === 0)
      found.add(`${placed.path}: hostIP set without hostPort: ${printed(placed)}`);
    const key = `${placed.port.containerPort ?? 0}/${placed.port.protocol ?? ''}`;
    const known = alike.get(key) ?? new AlikePorts();
    alike.set(key, known);
    for (const other of known.add(placed))
      found.add(`${placed.path}: ${conflictOf(placed, other)} port definition with ${other.path}`);
  }
  if (since('1.33')) addNameWarnings(found, ports);
}

function addNameWarnings(found: WarningCollector, ports: readonly PlacedPort[]): void {
  const named = new Map<string, PlacedPort>();
  for (const placed of ports) {
    if (found.isFull) return;
    const { name = '' } = placed.port;
    if (name === '') continue;
    const first = named.get(name)?.path;
    if (first === undefined) named.set(name, placed);
    else
      found.add(
        `${placed.path}: duplicate port name ${JSON.stringify(name)} with ${first}, services and probes that select ports by name will use ${first}`,
      );
  }
}
