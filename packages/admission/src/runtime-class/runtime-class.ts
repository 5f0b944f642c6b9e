import type { ObjectSource } from '@orch/auth';
import type { PodSpec } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { RuntimeClass, Scheduling } from '@orch/kinds/node';
import { readAmounts, sameAmounts } from '@orch/quota';
import { namedClass } from '../shared/named-class.ts';
import { podSpecOf } from '../shared/pods.ts';
import { podCreations } from '../shared/targets.ts';
import { mergeTolerations } from '../shared/tolerations.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal, Verdict } from '../types.ts';

export interface RuntimeClassParts {
  readonly source: ObjectSource;
  /** Whether pods and runtime classes have an overhead. */
  readonly hasPodOverhead: boolean;
}

const RESOURCE = 'runtimeclasses.node';

/** `RuntimeClass`: a pod gets the overhead of its runtime class, and runs only on nodes that have the runtime. */
export const runtimeClass = ({ source, hasPodOverhead }: RuntimeClassParts): AdmissionPlugin => ({
  name: 'RuntimeClass',
  handles: podCreations,
  mutate: (write) =>
    withClass(source, write, (spec, found) => {
      if (found === undefined) return undefined;
      return (hasPodOverhead ? setOverhead(spec, found) : undefined) ?? setScheduling(spec, found.scheduling);
    }),
  validate: (write) =>
    hasPodOverhead
      ? withClass(source, write, (spec, found) => wrongOverhead(spec, found?.overhead?.podFixed))
      : undefined,
});

/**
 * The decision on a pod with its class, which is undefined when the pod has none. A pod whose class is missing is
 * refused.
 */
function withClass(
  source: ObjectSource,
  write: AdmissionAttributes,
  decide: (spec: Draft<PodSpec>, found: RuntimeClass | undefined) => Refusal | undefined,
): Verdict {
  const spec = podSpecOf(write);
  if (spec === undefined) return undefined;
  const { runtimeClassName: name } = spec;
  if (name === undefined) return decide(spec, undefined);
  const decideNamed = (found: RuntimeClass | undefined): Refusal | undefined =>
    found === undefined
      ? `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`
      : decide(spec, found);
  const found = namedClass(source, RESOURCE, { name, signal: write.signal });
  return found instanceof Promise ? found.then(decideNamed) : decideNamed(found);
}

type ResourceAmounts = Readonly<Record<string, string>> | undefined;

const isEmpty = (amounts: ResourceAmounts): boolean =>
  amounts === undefined || Object.keys(amounts).length === 0;

function setOverhead(spec: Draft<PodSpec>, { overhead }: RuntimeClass): Refusal | undefined {
  if (overhead === undefined) return undefined;
  const { podFixed } = overhead;
  const refusal = isEmpty(spec.overhead) ? undefined : wrongOverhead(spec, podFixed);
  if (refusal === undefined && podFixed !== undefined) spec.overhead = podFixed;
  return refusal;
}

function wrongOverhead({ overhead }: PodSpec, expected: ResourceAmounts): Refusal | undefined {
  if (sameAmounts(readAmounts(overhead), readAmounts(expected))) return undefined;
  return isEmpty(expected)
    ? 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'
    : "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
}

function setScheduling(spec: Draft<PodSpec>, scheduling: Scheduling | undefined): Refusal | undefined {
  if (scheduling === undefined) return undefined;
  const { nodeSelector = {}, tolerations = [] } = scheduling;
  const own = spec.nodeSelector ?? {};
  const conflict = Object.keys(nodeSelector).find(
    (key) => Object.hasOwn(own, key) && own[key] !== nodeSelector[key],
  );
  if (conflict !== undefined)
    return `conflict: runtimeClass.scheduling.nodeSelector[${conflict}] = ${nodeSelector[conflict]}; pod.spec.nodeSelector[${conflict}] = ${own[conflict]}`;
  if (!isEmpty(nodeSelector)) spec.nodeSelector = { ...own, ...nodeSelector };
  if (tolerations.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], tolerations);
  return undefined;
}
