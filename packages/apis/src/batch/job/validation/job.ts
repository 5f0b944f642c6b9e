import type { Job } from '@orch/kinds/batch';
import type { PodSpec, PodTemplateSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { dns1123label } from '@orch/machinery/formats';
import { jsonEquals } from '@orch/machinery/json';
import { checkTemplateLabels, selects, templateLabels } from '../../../apps/shared/validation/selector.ts';
import type { StrategyContext } from '../../../resource-type.ts';
import type { JobLabels, Labels } from './job-labels.ts';
import { checkKeptPolicy } from './scheduling.ts';

/** The parameters of the validation of jobs. */
export interface JobRules {
  readonly labels: JobLabels;
  /** Whether the scheduling of the pods of a suspended job may change until it starts. */
  readonly movable: boolean;
  /** Whether the completions of an Indexed job may change together with its parallelism. */
  readonly elastic: boolean;
  /** Whether updates are refused after which names of pods would be too long. */
  readonly checksNames: boolean;
}

type JobContext = Pick<StrategyContext, 'names' | 'since'>;

export function validateJob(
  next: Job,
  old: Job | undefined,
  { names, since }: JobContext,
  rules: JobRules,
): readonly FieldError[] {
  const spec = next.spec ?? {};
  return [
    ...(old === undefined || !since('1.37') ? checkGenerated(next, old, rules.labels.of(next, names)) : []),
    ...(old === undefined || rules.checksNames ? checkIndexedName(next) : []),
    ...((spec.selector ?? undefined) === undefined ? [fieldError.required('spec.selector')] : []),
    ...checkTemplateLabels(spec.selector, spec.template ?? {}, 'spec.template'),
    ...(old === undefined ? [] : checkKept(next, old, mutabilityOf(old, rules, since))),
  ];
}

/**
 * Checks that the selector of a job is the one that the server generates, as are the labels that it selects: those that an
 * older job has, too.
 */
function checkGenerated(job: Job, old: Job | undefined, labels: Labels): readonly FieldError[] {
  const spec = job.spec ?? {};
  if (spec.manualSelector === true || (spec.selector ?? undefined) === undefined) return [];
  const found = templateLabels(spec.template ?? {});
  const before = old === undefined ? labels : templateLabels(old.spec?.template ?? {});
  const expected = Object.fromEntries(Object.entries(labels).filter(([key, value]) => before[key] === value));
  const errors = Object.entries(expected).flatMap(([key, value]) => {
    if (found[key] === value) return [];
    const at = `spec.template.metadata.labels[${key}]`;
    if (found[key] === undefined) return [fieldError.required(at, `must be '${value}'`)];
    return [fieldError.invalid(at, found[key], `must be '${value}'`)];
  });
  // The selector of an existing job is immutable, and may select by the labels of an earlier release.
  if (old !== undefined || selects(spec.selector, expected) !== false) return errors;
  return [...errors, fieldError.invalid('spec.selector', spec.selector, '`selector` not auto-generated')];
}

/** Names of pods of an Indexed job consist of its name and their index; the last one is the longest. */
function checkIndexedName(job: Job): readonly FieldError[] {
  const { completionMode, completions } = job.spec ?? {};
  if (completionMode !== 'Indexed' || (completions ?? 0) === 0) return [];
  const name = job.metadata.name ?? '';
  const wrong = dns1123label(`${name}-${(completions ?? 0) - 1}`);
  if (wrong === undefined) return [];
  return [fieldError.invalid('metadata.name', name, `no name of a pod can be made from it: ${wrong}`)];
}

const immutable = 'field is immutable';
const immutableFields = [
  'selector',
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
] as const;

function checkKept(next: Job, old: Job, rules: JobRules & Mutability): readonly FieldError[] {
  const kept = immutableFields.flatMap((field) => {
    const value = next.spec?.[field] ?? null;
    if (jsonEquals(value, old.spec?.[field] ?? null)) return [];
    return [fieldError.invalid(`spec.${field}`, value, immutable)];
  });
  return [
    ...checkCompletions(next, old, rules),
    ...kept,
    ...checkKeptPolicy(next.spec, old.spec),
    ...checkTemplate(next, old, rules),
  ];
}

function checkCompletions(next: Job, old: Job, { elastic }: JobRules): readonly FieldError[] {
  const { completions, parallelism, completionMode } = next.spec ?? {};
  if (completions === old.spec?.completions) return [];
  if (!elastic || completionMode !== 'Indexed') {
    return [fieldError.invalid('spec.completions', completions ?? null, immutable)];
  }
  if (completions === undefined || completions === parallelism) return [];
  const why = 'can only be modified in tandem with spec.parallelism';
  return [fieldError.invalid('spec.completions', completions, why)];
}

/** Fields of a pod spec that determine where pods are scheduled. */
const placing: ReadonlySet<string> = new Set(['nodeSelector', 'tolerations', 'schedulingGates']);

/** The parts of the template of a job that an update may change. */
interface Mutability {
  /** Where the pods are scheduled. */
  readonly scheduling: boolean;
  /** The resources of the containers. */
  readonly resources: boolean;
}

/** A suspended job may change before it runs: from 1.36 on also one that was suspended while it ran and has no pods. */
function mutabilityOf(
  { spec, status = {} }: Job,
  rules: JobRules,
  since: StrategyContext['since'],
): JobRules & Mutability {
  const suspended = spec?.suspend === true;
  const isNew = suspended && status.startTime === undefined;
  const isHeld = (status.conditions ?? []).some(
    ({ type, status: value }) => type === 'Suspended' && value === 'True',
  );
  const rests = suspended && (isNew || isHeld) && (status.active ?? 0) === 0;
  const scheduling = since('1.36', 'MutableSchedulingDirectivesForSuspendedJobs') ? rests : isNew;
  return {
    ...rules,
    scheduling: rules.movable && scheduling,
    resources: rests && since('1.36', 'MutablePodResourcesForSuspendedJobs'),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** The immutable part of a template that may be scheduled elsewhere. */
function unscheduled(template: PodTemplateSpec | undefined): Fields {
  const { metadata, spec, ...rest } = template ?? {};
  const { labels: _labels, annotations: _annotations, ...meta } = metadata ?? {};
  const { affinity, ...podSpec } = spec ?? {};
  const { nodeAffinity: _nodeAffinity, ...others } = affinity ?? {};
  const kept = Object.entries(podSpec).filter(([field]) => !placing.has(field));
  return { ...rest, metadata: meta, spec: { ...Object.fromEntries(kept), affinity: others } };
}

/** A pod spec without the resources of containers that the other spec has at the same place. */
function withoutResources(spec: PodSpec, other: PodSpec): Fields {
  const lists = (['containers', 'initContainers'] as const).map((field) => {
    const [own, others] = [spec[field] ?? [], other[field] ?? []];
    const isComparable = own.length === others.length;
    const kept = own.map((container, i) => {
      const { resources: _resources, ...rest } = container;
      return isComparable && container.name === others[i]?.name ? rest : container;
    });
    return [field, kept] as const;
  });
  return { ...spec, ...Object.fromEntries(lists) };
}

function checkTemplate(next: Job, old: Job, { scheduling, resources }: Mutability): readonly FieldError[] {
  const [template, before] = [next.spec?.template, old.spec?.template];
  const fixed = (one: PodTemplateSpec | undefined): Fields => (scheduling ? unscheduled(one) : (one ?? {}));
  const [is, was] = [fixed(template), fixed(before)];
  if (!resources)
    return jsonEquals(is, was) ? [] : [fieldError.invalid('spec.template', template ?? null, immutable)];
  const [spec, past] = [is['spec'] ?? {}, was['spec'] ?? {}] as const;
  return jsonEquals(withoutResources(spec, past), withoutResources(past, spec))
    ? []
    : [fieldError.invalid('spec.template.spec', spec, immutable)];
}
