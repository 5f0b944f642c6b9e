import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { dns1123label } from '@orch/machinery/formats';
import { jsonEquals } from '@orch/machinery/json';
import { checkTemplateLabels, selects, templateLabels } from '../../../apps/shared/validation/selector.ts';
import type { Job } from '../../../types/batch.ts';
import type { PodTemplateSpec } from '../../../types/core.ts';
import type { JobLabels } from './job-labels.ts';

/** The parameters of the validation of jobs. */
export interface JobRules {
  readonly labels: JobLabels;
  /** Where the pods of a suspended job go may change until it starts. */
  readonly movable: boolean;
  /** The numbers of an Indexed job may change together with its parallelism. */
  readonly elastic: boolean;
}

export function validateJob(
  next: Job,
  old: Job | undefined,
  names: Names,
  rules: JobRules,
): readonly FieldError[] {
  const spec = next.spec ?? {};
  return [
    ...checkGenerated(next, names, rules.labels),
    ...checkIndexedName(next),
    ...((spec.selector ?? undefined) === undefined ? [fieldError.required('spec.selector')] : []),
    ...checkTemplateLabels(spec.selector, spec.template ?? {}, 'spec.template'),
    ...(old === undefined ? [] : checkKept(next, old, rules)),
  ];
}

/** A selector that the server generates is unchanged, and so are the labels that it selects. */
function checkGenerated(job: Job, names: Names, labels: JobLabels): readonly FieldError[] {
  const spec = job.spec ?? {};
  if (spec.manualSelector === true || (spec.selector ?? undefined) === undefined) return [];
  const found = templateLabels(spec.template ?? {});
  const expected = labels.of(job, names);
  const errors = Object.entries(expected).flatMap(([key, value]) => {
    if (found[key] === value) return [];
    const at = `spec.template.metadata.labels[${key}]`;
    if (found[key] === undefined) return [fieldError.required(at, `must be '${value}'`)];
    return [fieldError.invalid(at, found[key], `must be '${value}'`)];
  });
  if (selects(spec.selector, expected) !== false) return errors;
  return [...errors, fieldError.invalid('spec.selector', spec.selector, '`selector` not auto-generated')];
}

/** Pods of an Indexed job are named after it and their number; the last one has the longest name. */
function checkIndexedName(job: Job): readonly FieldError[] {
  const { completionMode, completions } = job.spec ?? {};
  if (completionMode !== 'Indexed' || (completions ?? 0) === 0) return [];
  const name = job.metadata.name ?? '';
  const wrong = dns1123label(`${name}-${(completions ?? 0) - 1}`);
  if (wrong === undefined) return [];
  return [fieldError.invalid('metadata.name', name, `no name of a pod can be made from it: ${wrong}`)];
}

const immutable = 'field is immutable';

function checkKept(next: Job, old: Job, rules: JobRules): readonly FieldError[] {
  const kept = (['selector', 'completionMode', 'podFailurePolicy'] as const).flatMap((field) => {
    const value = next.spec?.[field] ?? null;
    if (jsonEquals(value, old.spec?.[field] ?? null)) return [];
    return [fieldError.invalid(`spec.${field}`, value, immutable)];
  });
  return [...checkCompletions(next, old, rules), ...kept, ...checkTemplate(next, old, rules)];
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

/** A template as far as it has to stay as it is. */
function fixedPart(template: PodTemplateSpec | undefined, movable: boolean): unknown {
  if (!movable) return template;
  const { metadata, spec, ...rest } = template ?? {};
  const { labels: _labels, annotations: _annotations, ...meta } = metadata ?? {};
  const { affinity, ...podSpec } = spec ?? {};
  const { nodeAffinity: _nodeAffinity, ...others } = affinity ?? {};
  const kept = Object.entries(podSpec).filter(([field]) => !placing.has(field));
  return { ...rest, metadata: meta, spec: { ...Object.fromEntries(kept), affinity: others } };
}

function checkTemplate(next: Job, old: Job, rules: JobRules): readonly FieldError[] {
  const waits = old.spec?.suspend === true && old.status?.startTime === undefined;
  const movable = rules.movable && waits;
  const { template } = next.spec ?? {};
  if (jsonEquals(fixedPart(template, movable), fixedPart(old.spec?.template, movable))) return [];
  return [fieldError.invalid('spec.template', template ?? null, immutable)];
}

/** Pods are named by their uid, which is never empty. */
export function validateJobStatus(next: Job): readonly FieldError[] {
  const uncounted = next.status?.uncountedTerminatedPods ?? {};
  return (['succeeded', 'failed'] as const).flatMap((field) =>
    (uncounted[field] ?? []).flatMap((uid, i) =>
      uid === ''
        ? [fieldError.invalid(`status.uncountedTerminatedPods.${field}[${i}]`, uid, 'must not be empty')]
        : [],
    ),
  );
}
