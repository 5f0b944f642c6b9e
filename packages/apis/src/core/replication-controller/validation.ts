import type { PodTemplateSpec, ReplicationController } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { checkParts } from '../shared/validation/replica-counts.ts';

/** Checks that pods of a controller are always restarted and have the labels that it selects. */
export function validateReplicationController(next: ReplicationController): readonly FieldError[] {
  const spec = next.spec ?? {};
  const selector = spec.selector ?? {};
  return [
    ...(Object.keys(selector).length === 0 ? [fieldError.required('spec.selector')] : []),
    ...(spec.template === undefined ? [] : checkTemplate('spec.template', spec.template, selector)),
  ];
}

function checkTemplate(
  path: string,
  template: PodTemplateSpec,
  selector: Readonly<Record<string, string>>,
): readonly FieldError[] {
  const spec = template.spec ?? {};
  const labels = template.metadata?.labels ?? {};
  const errors: FieldError[] = [];
  if (Object.keys(selector).length > 0 && !selects(selector, labels)) {
    errors.push(
      fieldError.invalid(`${path}.metadata.labels`, labels, '`selector` does not match template `labels`'),
    );
  }
  const policy = spec.restartPolicy ?? '';
  // An unknown policy is an error of the spec itself.
  if (policy === 'OnFailure' || policy === 'Never') {
    errors.push(fieldError.notSupported(`${path}.spec.restartPolicy`, policy, ['Always']));
  }
  if (spec.activeDeadlineSeconds !== undefined) {
    const why = 'activeDeadlineSeconds in ReplicationController is not Supported';
    errors.push(fieldError.forbidden(`${path}.spec.activeDeadlineSeconds`, why));
  }
  return errors;
}

/** Reports whether the labels include those of the selector, whose keys and values may have any form. */
const selects = (
  selector: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean => Object.entries(selector).every(([key, value]) => labels[key] === value);

const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;

export const validateReplicationControllerStatus = (next: ReplicationController): readonly FieldError[] =>
  checkParts(next.status ?? {}, parts);
