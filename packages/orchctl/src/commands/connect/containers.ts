import type { Names } from '@orch/machinery';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import type { Pod } from './pods.ts';

/** The names of all containers of a pod: init containers, containers, then ephemeral ones. */
export const containerNames = (pod: Pod): readonly string[] => [
  ...(pod.spec?.initContainers ?? []).map(({ name }) => name),
  ...(pod.spec?.containers ?? []).map(({ name }) => name),
  ...(pod.spec?.ephemeralContainers ?? []).map(({ name }) => name),
];

/**
 * The container that a command connects to: the given one, the one of the annotation of the pod, or the first one, which is
 * reported if there are others. Throws a `CommandError` for a name that the pod does not have.
 */
export function containerOf(
  pod: Pod,
  given: string,
  { err, names }: Pick<Io, 'err'> & { readonly names: Names },
): string {
  const name = pod.metadata.name ?? '';
  if (given !== '') {
    if (!containerNames(pod).includes(given))
      throw new CommandError(
        `container ${given} not found in pod ${name}; it has ${containerNames(pod).join(', ')}`,
      );
    return given;
  }
  const [first] = pod.spec?.containers ?? [];
  if (first === undefined) throw new CommandError(`pod ${name} has no containers`);
  const annotated = pod.metadata.annotations?.[names.annotations.defaultContainer] ?? '';
  if (containerNames(pod).includes(annotated)) return annotated;
  const described = describedContainers(pod);
  if (described.length > 1)
    err.write(`Defaulted container ${JSON.stringify(first.name)} out of: ${described.join(', ')}\n`);
  return first.name;
}

const describedContainers = ({ spec }: Pod): readonly string[] => [
  ...(spec?.containers ?? []).map(({ name }) => name),
  ...(spec?.ephemeralContainers ?? []).map(({ name }) => `${name} (ephem)`),
  ...(spec?.initContainers ?? []).map(({ name }) => `${name} (init)`),
];
