import { type ApiObject, type FieldError, fieldError, jsonEquals } from '@orch/machinery';
import { asObject, asText, type JsonObject, specOf } from '../../../read.ts';
import type { StrategyContext } from '../../../resource-type.ts';
import { checkTemplateLabels, isEmptySelector, selects } from './selector.ts';

/** A workload manages pods that run for ever, with the labels that its selector asks for. */
export function validateWorkload(next: ApiObject, kind: string): readonly FieldError[] {
  const spec = specOf(next);
  const template = asObject(spec['template']);
  return [
    ...checkSelector(spec['selector'], kind),
    ...checkTemplateLabels(spec['selector'], template, 'spec.template'),
    ...checkLongRunning(specOf(template), kind),
  ];
}

function checkSelector(selector: unknown, kind: string): readonly FieldError[] {
  // A DaemonSet without a selector selects nothing, so its template does not match: clients know only that error.
  const isDaemonSet = kind === 'DaemonSet';
  if ((selector ?? undefined) === undefined) return isDaemonSet ? [] : [fieldError.required('spec.selector')];
  const errors: FieldError[] = [];
  if (isEmptySelector(asObject(selector))) {
    errors.push(
      fieldError.invalid('spec.selector', selector, `empty selector is invalid for ${kind.toLowerCase()}`),
    );
  }
  if (!isDaemonSet && selects(selector, {}) === undefined) {
    errors.push(fieldError.invalid('spec.selector', selector, 'invalid label selector'));
  }
  return errors;
}

function checkLongRunning(podSpec: JsonObject, kind: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const policy = asText(podSpec['restartPolicy']);
  if (policy !== 'Always') {
    errors.push(fieldError.notSupported('spec.template.spec.restartPolicy', policy, ['Always']));
  }
  if (podSpec['activeDeadlineSeconds'] !== undefined) {
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(fieldError.forbidden('spec.template.spec.activeDeadlineSeconds', why));
  }
  return errors;
}

/** Versions in which a selector could be changed. */
const lenient: ReadonlySet<string> = new Set(['apps/v1beta1', 'extensions/v1beta1']);

/** The selector stays as it is, but for clients of the oldest versions. */
export function checkSelectorKept(
  next: ApiObject,
  old: ApiObject | undefined,
  { requestVersion }: StrategyContext,
): readonly FieldError[] {
  if (old === undefined || lenient.has(requestVersion)) return [];
  const { selector = null } = specOf(next);
  if (jsonEquals(selector, specOf(old)['selector'] ?? null)) return [];
  return [fieldError.invalid('spec.selector', selector, 'field is immutable')];
}
