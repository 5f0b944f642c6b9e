import type { PodTemplateSpec } from '@orch/kinds/core';
import type { ObjectMeta } from '@orch/machinery';
import { hostNameWarnings, type WarningContext } from '../../../../content-warning.ts';
import { templateWarnings } from './pod.ts';

interface Workload {
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly template?: PodTemplateSpec };
}

/** Reports whether a write creates the object or changes what its generation counts. */
export const isNewGeneration = (
  { metadata }: Pick<Workload, 'metadata'>,
  old: Pick<Workload, 'metadata'> | undefined,
): boolean => old === undefined || metadata.generation !== old.metadata.generation;

/** Warns of the name of a new object whose pods have it in theirs. */
export const podNameWarnings = (
  { metadata: { name = '' } }: Pick<Workload, 'metadata'>,
  old: unknown,
  { since }: WarningContext,
): readonly string[] => (old === undefined ? hostNameWarnings(name, 'Pod names and hostnames', since) : []);

/** Warns of the template of pods of a new or changed workload. */
export const changedTemplateWarnings = (
  next: Workload,
  old: Workload | undefined,
  context: WarningContext,
): readonly string[] =>
  isNewGeneration(next, old) ? templateWarnings('spec.template', next.spec?.template, context) : [];

/** Warns of a deployment or a replica set. */
export const workloadWarnings = (
  next: Workload,
  old: Workload | undefined,
  context: WarningContext,
): readonly string[] => [
  ...podNameWarnings(next, old, context),
  ...changedTemplateWarnings(next, old, context),
];
