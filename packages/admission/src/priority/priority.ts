import type { ObjectSource } from '@orch/auth';
import type { PodSpec } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { PriorityClass } from '@orch/kinds/scheduling';
import type { Names } from '@orch/machinery';
import { podOf, podSpecOf } from '../shared/pods.ts';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal, ResourceTarget, Verdict } from '../types.ts';
import { PriorityClasses } from './priority-classes.ts';

export interface PriorityParts {
  readonly source: ObjectSource;
  readonly names: Names;
  /** Whether pods get the preemption policy of their class. */
  readonly setsPreemptionPolicy: boolean;
  /** Whether groups of pods get the priority of their class, too, and whether they get its preemption policy. */
  readonly setsPriorityOfGroups: boolean;
  readonly setsPreemptionPolicyOfGroups: boolean;
  /** Whether only pods of the system namespace may have a class of the system. */
  readonly restrictsCriticalPods: boolean;
}

const podWrites = writesOf('', 'pods', 'CREATE', 'UPDATE');
const groupWrites = writesOf('scheduling', 'podgroups', 'CREATE');
const compositeWrites = writesOf('scheduling', 'compositepodgroups', 'CREATE');
const classWrites = writesOf('scheduling', 'priorityclasses', 'CREATE', 'UPDATE');

/** The priority of pods without a class when there is no global default. */
const withoutClass: Pick<PriorityClass, 'value' | 'preemptionPolicy'> = {
  value: 0,
  preemptionPolicy: 'PreemptLowerPriority',
};

/** What has a priority: a pod, or a group of pods. */
interface Prioritized {
  /** As messages name it. */
  readonly noun: 'pod' | 'pod group' | 'composite pod group';
  readonly spec: Draft<Pick<PodSpec, 'priorityClassName' | 'priority' | 'preemptionPolicy'>>;
  readonly setsPreemptionPolicy: boolean;
}

/**
 * `Priority`: pods and groups of pods get the priority and preemption policy of their class, or of the global default, of
 * which there is at most one.
 */
export function priority(parts: PriorityParts): AdmissionPlugin {
  const classes = new PriorityClasses(parts.source);
  return {
    name: 'Priority',
    handles: (target) =>
      podWrites(target) || classWrites(target) || (parts.setsPriorityOfGroups && isGroup(target)),
    mutate(write) {
      if (write.operation === 'UPDATE') return podWrites(write) ? keepPriority(write) : undefined;
      const prioritized = prioritizedIn(write, parts);
      return prioritized && setPriority(prioritized, write, { ...parts, classes });
    },
    validate: (write) => (classWrites(write) ? secondDefault(write, classes) : undefined),
  };
}

const isGroup = (target: ResourceTarget): boolean => groupWrites(target) || compositeWrites(target);

/** The priority in a created object; undefined where the object has none. */
function prioritizedIn(write: AdmissionAttributes, parts: PriorityParts): Prioritized | undefined {
  const { setsPreemptionPolicy, setsPreemptionPolicyOfGroups } = parts;
  const spec = podWrites(write) || isGroup(write) ? podSpecOf(write) : undefined;
  if (spec === undefined) return undefined;
  if (podWrites(write)) return { noun: 'pod', spec, setsPreemptionPolicy };
  const noun = groupWrites(write) ? 'pod group' : 'composite pod group';
  return { noun, spec, setsPreemptionPolicy: setsPreemptionPolicyOfGroups };
}

interface PriorityRules extends PriorityParts {
  readonly classes: PriorityClasses;
}

function setPriority(
  prioritized: Prioritized,
  write: AdmissionAttributes,
  { classes, ...parts }: PriorityRules,
): Verdict {
  const { spec } = prioritized;
  const { priorityClassName: name = '' } = spec;
  if (name === '') {
    const found = classes.globalDefault();
    if (found !== undefined) spec.priorityClassName = found.metadata.name ?? '';
    return setFields(prioritized, found ?? withoutClass);
  }
  if (prioritized.noun === 'pod' && isRestricted(name, write, parts))
    return `pods with ${name} priorityClass is not permitted in ${write.namespace} namespace`;
  const found = classes.named(name, write.signal);
  return found instanceof Promise
    ? found.then((later) => setFieldsOfNamed(prioritized, later))
    : setFieldsOfNamed(prioritized, found);
}

const isRestricted = (
  className: string,
  { namespace }: AdmissionAttributes,
  { names, restrictsCriticalPods }: PriorityParts,
): boolean =>
  restrictsCriticalPods &&
  namespace !== names.namespaces.system &&
  Object.values<string>(names.priorityClasses).includes(className);

const setFieldsOfNamed = (prioritized: Prioritized, found: PriorityClass | undefined): Refusal | undefined =>
  found === undefined
    ? `no PriorityClass with name ${prioritized.spec.priorityClassName} was found`
    : setFields(prioritized, found);

/** Users cannot choose a priority, only a class: quota and preemption depend on it. */
function setFields(
  { noun, spec, setsPreemptionPolicy }: Prioritized,
  { value = 0, preemptionPolicy }: typeof withoutClass,
): Refusal | undefined {
  if ((spec.priority ?? value) !== value)
    return noun === 'pod'
      ? `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`
      : `priority set in the ${noun} (${spec.priority}) must match the priority computed (${value}) based on the priority class set in the spec`;
  spec.priority = value;
  if (!setsPreemptionPolicy || preemptionPolicy === undefined) return undefined;
  if ((spec.preemptionPolicy ?? preemptionPolicy) !== preemptionPolicy)
    return `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in ${noun} spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`;
  spec.preemptionPolicy = preemptionPolicy;
  return undefined;
}

/** Clients that replace a pod need not repeat the values set by this plugin; the fields cannot change. */
function keepPriority(write: AdmissionAttributes): undefined {
  const spec = podSpecOf(write);
  const old = podOf(write.oldObject)?.spec;
  if (spec === undefined || old === undefined) return;
  if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined)
    spec.preemptionPolicy = old.preemptionPolicy;
}

function secondDefault(
  { operation, object, signal }: AdmissionAttributes,
  classes: PriorityClasses,
): Verdict {
  const next: PriorityClass | undefined = object;
  if (next?.globalDefault !== true) return undefined;
  return classes.freshGlobalDefault(signal).then((present) => {
    const name = present?.metadata.name;
    if (name === undefined || (operation === 'UPDATE' && name === next.metadata.name)) return undefined;
    return `PriorityClass ${name} is already marked as default. Only one default can exist`;
  });
}
