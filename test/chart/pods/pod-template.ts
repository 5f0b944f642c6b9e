import type { ApiObject } from '@orch/machinery';
import { asObject, specOf } from '@orch/machinery/json';

export interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env?: readonly EnvVariable[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface EnvVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
}

interface SecretSource {
  /** In a projected volume. */
  readonly name?: string;
  /** As a volume. */
  readonly secretName?: string;
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}

export interface Volume {
  readonly name: string;
  readonly secret?: SecretSource;
  readonly projected?: { readonly sources: readonly { readonly secret: SecretSource }[] };
}

/** The parts of the specification of a pod that decide what its process reads. */
export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
}

/** The pods of a workload of the chart, or the pod itself. */
export function podSpecOf(object: ApiObject): PodSpec {
  if (object.kind === 'Pod') return specOf(object) as unknown as PodSpec;
  const owner =
    object.kind === 'CronJob' ? asObject(asObject(specOf(object)['jobTemplate'])['spec']) : specOf(object);
  return asObject(owner['template'])['spec'] as PodSpec;
}

/** The secrets of a volume, with the paths of their entries when they are selected. */
export const secretsOf = ({ secret, projected }: Volume): readonly SecretSource[] =>
  secret === undefined ? (projected?.sources ?? []).map((source) => source.secret) : [secret];

/** The environment of a container, by the fields of its pod. */
export const environmentOf = (
  { env = [] }: Container,
  fields: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [
      name,
      value ?? fields[valueFrom?.fieldRef?.fieldPath ?? ''] ?? '',
    ]),
  );
