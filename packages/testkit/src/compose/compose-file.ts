import { parseYaml } from '@orch/machinery/yaml';

/** A service of docker-compose.yml, as far as it can run without containers. */
export interface Service {
  readonly name: string;
  readonly image: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  /** Named volumes, temporary ones and files of the repository, with the paths at which the service has them. */
  readonly mounts: readonly Mount[];
  /** Names of services, with the condition for which this one waits. */
  readonly dependsOn: Readonly<Record<string, Condition>>;
  /** A command that succeeds when the service is healthy; none when empty. */
  readonly healthCommand: readonly string[];
}

export interface Mount {
  readonly source: string;
  readonly target: string;
}

export type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully';

/** The fields that are read; `build`, hardening and ports mean nothing to processes. */
interface WrittenService {
  readonly image?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: Condition }>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
}

/** Reads the services in an order in which each comes after those that it depends on. */
export function readComposeFile(text: string, environment: NodeJS.ProcessEnv): readonly Service[] {
  const file = parseYaml(Buffer.from(interpolate(text, environment))) as {
    services: Readonly<Record<string, WrittenService>>;
  };
  const services = Object.entries(file.services).map(([name, written]) => serviceOf(name, written));
  return ordered(services);
}

/** Replaces `${NAME:-default}`. */
function interpolate(text: string, environment: NodeJS.ProcessEnv): string {
  return text.replace(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, otherwise: string) => environment[name] || otherwise,
  );
}

function serviceOf(name: string, written: WrittenService): Service {
  const mounted = (written.volumes ?? []).map((volume) => {
    const [source = '', target = ''] = volume.split(':');
    return { source, target };
  });
  const temporary = (written.tmpfs ?? []).map((each) => {
    const [target = ''] = each.split(':');
    return { source: `${name}${target.replaceAll('/', '-')}`, target };
  });
  const mounts = [...mounted, ...temporary];
  const dependsOn = Object.entries(written.depends_on ?? {}).map(
    ([on, { condition }]) => [on, condition] as const,
  );
  return {
    name,
    image: (written.image ?? '').replace(/@.*$/, ''),
    entrypoint: written.entrypoint ?? [],
    command: written.command ?? [],
    mounts,
    dependsOn: Object.fromEntries(dependsOn),
    healthCommand: (written.healthcheck?.test ?? []).slice(1),
  };
}

function ordered(services: readonly Service[]): readonly Service[] {
  const placed: Service[] = [];
  const names = new Set<string>();
  while (placed.length < services.length) {
    const next = services.find(
      ({ name, dependsOn }) => !names.has(name) && Object.keys(dependsOn).every((each) => names.has(each)),
    );
    if (next === undefined) throw new Error('services depend on each other in a circle, or on unknown ones');
    placed.push(next);
    names.add(next.name);
  }
  return placed;
}
