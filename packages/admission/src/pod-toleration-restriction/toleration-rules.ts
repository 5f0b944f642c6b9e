import type { Toleration } from '@orch/kinds/core';
import type { ApiObject, Names } from '@orch/machinery';
import { ConfigFileError, ConfigValue } from '@orch/machinery/yaml';
import { annotationOf } from '../shared/namespaces.ts';
import { TolerationSet } from '../shared/tolerations.ts';
import { readTolerations } from './read-tolerations.ts';

/** The rules for the tolerations of the pods of a namespace. */
export interface TolerationRules {
  /** The tolerations that new pods get. */
  readonly defaults: readonly Toleration[];
  /** The tolerations that pods may have; undefined when all are permitted. */
  readonly permitted: TolerationSet | undefined;
  /** The place where the permitted tolerations are specified. */
  readonly scope: 'namespace' | 'cluster';
}

/**
 * The rules for a namespace, or the error in its annotations. Each annotation takes precedence over that part of the
 * rules of the cluster, even if it is empty.
 */
export function tolerationRules(
  namespace: ApiObject | undefined,
  cluster: TolerationRules,
  { annotations: keys }: Names,
): TolerationRules | string {
  try {
    const defaults = tolerationsOf(namespace, keys.schedulerDefaultTolerations);
    const permitted = tolerationsOf(namespace, keys.schedulerTolerationsWhitelist);
    return {
      ...(permitted === undefined ? cluster : { permitted: setOf(permitted), scope: 'namespace' }),
      defaults: defaults ?? cluster.defaults,
    };
  } catch (error) {
    if (error instanceof ConfigFileError) return `annotation ${error.file}: ${error.message}`;
    throw error;
  }
}

/** Parses an annotation, a list in JSON. */
function tolerationsOf(namespace: ApiObject | undefined, key: string): readonly Toleration[] | undefined {
  const text = annotationOf(namespace, key);
  if (text === undefined || text === '') return text === undefined ? undefined : [];
  return readTolerations(ConfigValue.parse(text, key)) ?? [];
}

/** An empty list permits everything. */
export const setOf = (permitted: readonly Toleration[]): TolerationSet | undefined =>
  permitted.length === 0 ? undefined : new TolerationSet(permitted);
