import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '@orch/kinds/certificates';
import { type FieldError, fieldError, MAX_FIELD_ERRORS } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { type ConditionType, conditionsOf, conditionsOfType } from '../conditions.ts';
import type { Tolerance } from './tolerance.ts';

const wellKnown = new Set(['Approved', 'Denied', 'Failed']);

const opposite: Readonly<Record<string, string>> = { Approved: 'Denied', Denied: 'Approved' };

function checkStatus(
  path: string,
  { type, status }: CertificateSigningRequestCondition,
): readonly FieldError[] {
  const allowed = wellKnown.has(type ?? '') ? ['True'] : ['False', 'True', 'Unknown'];
  if ((status ?? '') === '') return [fieldError.required(path)];
  return allowed.includes(status ?? '') ? [] : [fieldError.notSupported(path, status, allowed)];
}

/** Checks every condition, and that no two of them contradict each other. */
export function checkConditions(
  request: CertificateSigningRequest,
  tolerance: Tolerance,
): readonly FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, condition] of conditionsOf(request).entries()) {
    if (errors.length >= MAX_FIELD_ERRORS) break;
    const path = `status.conditions[${i}]`;
    const type = condition.type ?? '';
    if (type === '' && !tolerance.emptyConditionType) errors.push(fieldError.required(`${path}.type`));
    errors.push(...checkStatus(`${path}.status`, condition));
    if (!tolerance.approvedAndDenied && seen.has(opposite[type] ?? '-')) {
      const why = 'Approved and Denied conditions are mutually exclusive';
      errors.push(fieldError.invalid(`${path}.type`, type, why));
    }
    if (!tolerance.duplicateConditionTypes && seen.has(type)) {
      errors.push(fieldError.duplicate(`${path}.type`, type));
    }
    seen.add(type);
  }
  return errors;
}

/** Checks that decisions are not removed. */
export function checkNoneRemoved(
  next: CertificateSigningRequest,
  old: CertificateSigningRequest,
): readonly FieldError[] {
  return [...wellKnown]
    .filter((type) => conditionsOfType(old, type).length > conditionsOfType(next, type).length)
    .map((type) =>
      fieldError.forbidden(
        'status.conditions',
        `updates may not remove a condition of type ${JSON.stringify(type)}`,
      ),
    );
}

/** Checks that conditions of these types are unchanged. */
export function checkUntouched(
  next: CertificateSigningRequest,
  old: CertificateSigningRequest,
  types: readonly ConditionType[],
): readonly FieldError[] {
  return types.flatMap((type) => {
    const before = conditionsOfType(old, type);
    const after = conditionsOfType(next, type);
    if (before.length > after.length || jsonEquals(before, after)) return [];
    const verb = before.length < after.length ? 'add' : 'modify';
    const why = `updates may not ${verb} a condition of type ${JSON.stringify(type)}`;
    return [fieldError.forbidden('status.conditions', why)];
  });
}
