import type { kinds, Stored } from '@orch/client';
import type { Random } from '@orch/machinery';
import { podOf, randomName } from '../pods/template.ts';
import type { JobKeys } from './job-state.ts';
import type { PodSlot } from './plan.ts';

type Job = Stored<kinds.batch.Job>;

/** The variable in which containers of an indexed job find their number. */
const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';
/** Bytes of a name before its random suffix. */
const MAX_PREFIX = 58;

/** A pod of a job, which waits with its removal until it is counted. */
export function jobPod(
  job: Job,
  { index, failures, ignored }: PodSlot,
  { keys, random }: { readonly keys: JobKeys; readonly random: Random },
): kinds.core.Pod {
  const template = job.spec?.template ?? {};
  const { name } = job.metadata;
  const finalizers = keys.isTracked ? [keys.tracking] : [];
  if (index === undefined)
    return podOf(template, job, { name: randomName(name, random), generateName: `${name}-`, finalizers });
  const number = { [keys.index]: String(index) };
  const prefix = `${name.slice(0, MAX_PREFIX - `-${index}-`.length)}-${index}`;
  const pod = podOf(template, job, {
    name: randomName(prefix, random),
    generateName: `${prefix}-`,
    annotations: {
      ...number,
      ...(failures !== undefined && { [keys.failures]: String(failures) }),
      ...(ignored !== undefined && { [keys.ignored]: String(ignored) }),
    },
    ...(keys.hasIndexLabel && { labels: number }),
    finalizers,
  });
  if (pod.spec === undefined) return pod;
  const withIndex = (containers: kinds.core.Container[] | undefined) =>
    containers?.map((container) => ({ ...container, env: withVariable(container.env, keys) }));
  const { containers, initContainers } = pod.spec;
  const spec = {
    ...pod.spec,
    hostname: `${name}-${index}`.slice(0, 63),
    containers: withIndex(containers) ?? [],
    ...(initContainers !== undefined && { initContainers: withIndex(initContainers) ?? [] }),
  };
  return { ...pod, spec };
}

function withVariable(env: kinds.core.EnvVar[] = [], { index, hasIndexLabel }: JobKeys): kinds.core.EnvVar[] {
  if (env.some(({ name }) => name === INDEX_VARIABLE)) return env;
  const fieldPath = `metadata.${hasIndexLabel ? 'labels' : 'annotations'}['${index}']`;
  return [...env, { name: INDEX_VARIABLE, valueFrom: { fieldRef: { fieldPath } } }];
}
