import type {
  AppArmorProfile,
  Container,
  EphemeralContainer,
  PodSpec,
  SeccompProfile,
} from '@orch/kinds/core';
import type { Names } from '@orch/machinery';

/** The value of an annotation of a profile: the forms that both kinds of profiles share. */
const RUNTIME_DEFAULT = 'runtime/default';
const UNCONFINED = 'unconfined';
const LOCALHOST = 'localhost/';

/** The older name of the default profile of seccomp. */
const DOCKER_DEFAULT = 'docker/default';

type Profile = AppArmorProfile | SeccompProfile;

/** The profile that an annotation names; undefined when it names none. */
export function profileOfAnnotation(value: string): AppArmorProfile | undefined {
  if (value === UNCONFINED) return { type: 'Unconfined' };
  if (value === RUNTIME_DEFAULT) return { type: 'RuntimeDefault' };
  const localhostProfile = value.startsWith(LOCALHOST) ? value.slice(LOCALHOST.length) : '';
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}

/** The path below the folder of profiles that an annotation names; undefined for another one. */
export const localPathOf = (value: string): string | undefined =>
  value.startsWith(LOCALHOST) ? value.slice(LOCALHOST.length) : undefined;

export const isWellKnown = (value: string): boolean => value === RUNTIME_DEFAULT || value === UNCONFINED;

export const isDefaultOfDocker = (value: string): boolean => value === DOCKER_DEFAULT;

/** The field of a profile that differs from an annotation; undefined when both agree. */
export function differenceOf(
  { type = '', localhostProfile = '' }: Profile,
  annotation: string,
): 'localhostProfile' | 'type' | undefined {
  switch (type) {
    case 'Unconfined':
      return annotation === UNCONFINED ? undefined : 'type';
    case 'RuntimeDefault':
      return annotation === RUNTIME_DEFAULT ? undefined : 'type';
    case 'Localhost': {
      const path = localPathOf(annotation);
      if (path === undefined) return 'type';
      return path === localhostProfile ? undefined : 'localhostProfile';
    }
    default:
      return undefined;
  }
}

/** Reports whether an annotation sets a profile of a container or of the pod. Few annotations do. */
export function nameProfiles(
  annotations: Readonly<Record<string, string>>,
  { annotations: keys }: Names,
): boolean {
  for (const key in annotations) {
    const isNamed =
      key === keys.seccompPod ||
      key.startsWith(keys.seccompContainerPrefix) ||
      key.startsWith(keys.apparmorContainerPrefix);
    if (isNamed) return true;
  }
  return false;
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** The containers of a spec and the path of the spec. */
type Place = readonly [path: string, list: (typeof containerLists)[number]];

/** A container and its path. The path is built only for a message. */
export class PlacedContainer {
  readonly container: Container | EphemeralContainer;
  readonly #place: Place;
  readonly #index: number;

  constructor(place: Place, index: number, container: PlacedContainer['container']) {
    this.#place = place;
    this.#index = index;
    this.container = container;
  }

  get path(): string {
    const [path, list] = this.#place;
    return `${path}.${list}[${this.#index}]`;
  }
}

/** The containers of every kind, with their paths. */
export const containersOf = (path: string, spec: PodSpec): readonly PlacedContainer[] =>
  containerLists.flatMap((list) => {
    const place = [path, list] as const;
    return (spec[list] ?? []).map((container, i) => new PlacedContainer(place, i, container));
  });
