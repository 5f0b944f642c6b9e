import type { ObjectSource } from '@orch/auth';
import type { PodSpec } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { PriorityClass } from '@orch/kinds/scheduling';
import type { Names } from '@orch/machinery';
import { podOf, podSpecOf } from '../shared/pods.ts';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionAttributes, AdmissionPlugin, Refusal, Verdict } from '../types.ts';
import { PriorityClasses } from './priority-classes.ts';

export interface PriorityParts {
  readonly source: ObjectSource;
  readonly names: Names;
  /** Whether pods get the preemption policy of their class. */
  readonly setsPreemptionPolicy: boolean;
  /** Whether only pods of the system namespace may have a class of the system. */
  readonly restrictsCriticalPods: boolean;
}

const podWrites = writesOf('', 'pods', 'CREATE', 'UPDATE');
const classWrites = writesOf('scheduling', 'priorityclasses', 'CREATE', 'UPDATE');

/** The priority of pods without a class when there is no global default. */
const withoutClass: Pick<PriorityClass, 'value' | 'preemptionPolicy'> = {
  value: 0,
  preemptionPolicy: 'PreemptLowerPriority',
};

/**
 * `Priority`: pods get the priority and preemption policy of their class, or of the global default, of which there is
 * at most one.
 */
export function priority(parts: PriorityParts): AdmissionPlugin {
  const classes = new PriorityClasses(parts.source);
  return {
    name: 'Priority',
    handles: (target) => podWrites(target) || classWrites(target),
    mutate(write) {
      if (!podWrites(write)) return undefined;
      return write.operation === 'CREATE' ? setPriority(write, classes, parts) : keepPriority(write);
    },
    validate: (write) => (classWrites(write) ? secondDefault(write, classes) : undefined),
  };
}

function setPriority(write: AdmissionAttributes, classes: PriorityClasses, parts: PriorityParts): Verdict {
  const spec = podSpecOf(write);
  if (spec === undefined) return undefined;
  const { priorityClassName: name = '' } = spec;
  if (name === '') {
    const found = classes.globalDefault();
    if (found !== undefined) spec.priorityClassName = found.metadata.name ?? '';
    return setFields(spec, found ?? withoutClass, parts);
  }
  if (isRestricted(name, write, parts))
    return `pods with ${name} priorityClass is not permitted in ${write.namespace} namespace`;
  const found = classes.named(name, write.signal);
  return found instanceof Promise
    ? found.then((later) => setFieldsOfNamed(spec, later, parts))
    : setFieldsOfNamed(spec, found, parts);
}

const isRestricted = (
  className: string,
  { namespace }: AdmissionAttributes,
  { names, restrictsCriticalPods }: PriorityParts,
): boolean =>
  restrictsCriticalPods &&
  namespace !== names.namespaces.system &&
  Object.values<string>(names.priorityClasses).includes(className);

const setFieldsOfNamed = (
  spec: Draft<PodSpec>,
  found: PriorityClass | undefined,
  parts: PriorityParts,
): Refusal | undefined =>
  found === undefined
    ? `no PriorityClass with name ${spec.priorityClassName} was found`
    : setFields(spec, found, parts);

/** Users cannot choose a priority, only a class: quota and preemption depend on it. */
function setFields(
  spec: Draft<PodSpec>,
  { value = 0, preemptionPolicy }: typeof withoutClass,
  { setsPreemptionPolicy }: PriorityParts,
): Refusal | undefined {
  if ((spec.priority ?? value) !== value)
    return `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
  spec.priority = value;
  if (!setsPreemptionPolicy || preemptionPolicy === undefined) return undefined;
  if ((spec.preemptionPolicy ?? preemptionPolicy) !== preemptionPolicy)
    return `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`;
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
