import type { kinds } from '@orch/client';
import { CommandError } from '../../command-error.ts';

export type EnvironmentVariable = kinds.core.EnvVar;

/** Changes of the environment of containers. */
export interface EnvironmentChanges {
  readonly set: readonly EnvironmentVariable[];
  readonly removed: ReadonlySet<string>;
}

/** The variables after changes: existing ones keep their places. Throws a CommandError without `overwrite` for another value. */
export function changedEnvironment(
  current: readonly EnvironmentVariable[],
  { set, removed }: EnvironmentChanges,
  { overwrite, owner }: { readonly overwrite: boolean; readonly owner: string },
): readonly EnvironmentVariable[] {
  const wanted = new Map(set.map((one) => [one.name, one]));
  const changed = current
    .filter(({ name }) => !removed.has(name) || wanted.has(name))
    .map((one) => {
      const next = wanted.get(one.name);
      wanted.delete(one.name);
      if (next !== undefined && !overwrite && next.value !== one.value)
        throw new CommandError(
          `${owner} '${one.name}' already has a value (${one.value ?? ''}), and --overwrite is false`,
        );
      return next ?? one;
    });
  return [...changed, ...wanted.values()];
}

/** `NAME=value`, or what the variable refers to, as a comment. */
export function variableText({ name, value, valueFrom }: EnvironmentVariable): string {
  if (valueFrom === undefined || valueFrom === null) return `${name}=${value ?? ''}`;
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = valueFrom;
  if (secretKeyRef) return `# ${name} from secret ${secretKeyRef.name}, key ${secretKeyRef.key}`;
  if (configMapKeyRef) return `# ${name} from configmap ${configMapKeyRef.name}, key ${configMapKeyRef.key}`;
  if (fieldRef) return `# ${name} from field path ${fieldRef.fieldPath}`;
  if (!resourceFieldRef) return `# ${name}`;
  const { containerName, resource } = resourceFieldRef;
  return containerName
    ? `# ${name} from resource field ${containerName}.${resource}`
    : `# ${name} from resource field ${resource}`;
}
