import type { Deployment } from '@orch/kinds/apps';
import type { PodSpec } from '@orch/kinds/core';
import type { LabelSelector } from '@orch/kinds/meta';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { StrategyContext } from '../../../resource-type.ts';
import { checkTemplateLabels, hasUsableSelector, isEmptySelector, selects } from './selector.ts';

/** The fields that the rules read; all workloads with a label selector have them. */
type Workload = Deployment;

/** Checks that pods of a workload are always restarted and have the labels that it selects. */
export function validateWorkload(next: Workload, kind: string): readonly FieldError[] {
  const spec = next.spec ?? {};
  const template = spec.template ?? {};
  return [
    ...checkSelector(spec.selector, kind),
    ...checkTemplateLabels(spec.selector, template, 'spec.template'),
    ...(withTemplate.has(kind) && !hasUsableSelector(spec)
      ? []
      : checkLongRunning(template.spec ?? {}, kind)),
  ];
}

function checkSelector(selector: LabelSelector | null | undefined, kind: string): readonly FieldError[] {
  // A DaemonSet without a selector selects nothing, so its template does not match: only that error is reported.
  const isDaemonSet = kind === 'DaemonSet';
  if ((selector ?? undefined) === undefined) return isDaemonSet ? [] : [fieldError.required('spec.selector')];
  const errors: FieldError[] = [];
  if (isEmptySelector(selector ?? {})) {
    errors.push(
      fieldError.invalid('spec.selector', selector, `empty selector is invalid for ${kind.toLowerCase()}`),
    );
  }
  if (!isDaemonSet && selects(selector, {}) === undefined) {
    errors.push(fieldError.invalid('spec.selector', selector, 'invalid label selector'));
  }
  return errors;
}

/** Kinds whose rules for long-running pods are about the template, which is not validated with a wrong selector. */
const withTemplate: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet']);

function checkLongRunning(podSpec: PodSpec, kind: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const policy = podSpec.restartPolicy ?? '';
  if (policy !== 'Always') {
    errors.push(fieldError.notSupported('spec.template.spec.restartPolicy', policy, ['Always']));
  }
  if (podSpec.activeDeadlineSeconds !== undefined) {
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(fieldError.forbidden('spec.template.spec.activeDeadlineSeconds', why));
  }
  return errors;
}

/** Versions in which a selector could be changed. */
const lenient: ReadonlySet<string> = new Set(['apps/v1beta1', 'extensions/v1beta1']);

/** Checks that the selector is unchanged, except for clients of the oldest versions. */
export function checkSelectorKept(
  next: Workload,
  old: Workload | undefined,
  { requestVersion }: StrategyContext,
): readonly FieldError[] {
  if (old === undefined || lenient.has(requestVersion)) return [];
  const { selector = null } = next.spec ?? {};
  if (jsonEquals(selector, old.spec?.selector ?? null)) return [];
  return [fieldError.invalid('spec.selector', selector, 'field is immutable')];
}
