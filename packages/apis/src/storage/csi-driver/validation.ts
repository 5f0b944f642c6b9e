import type { CSIDriver, CSIDriverSpec, TokenRequest } from '@orch/kinds/storage';
import { type FieldError, fieldError, MAX_FIELD_ERRORS } from '@orch/machinery';
import { approximateNumber, jsonEquals } from '@orch/machinery/json';
import type { Check } from '@orch/schema';
import type { StrategyContext } from '../../resource-type.ts';

const modes = ['Persistent', 'Ephemeral'];
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

function checkExpiration(path: string, { expirationSeconds }: TokenRequest): readonly FieldError[] {
  if (expirationSeconds === undefined) return [];
  const seconds = approximateNumber(expirationSeconds) ?? 0;
  if (seconds >= MIN_SECONDS && seconds <= MAX_SECONDS) return [];
  const why = `must be between ${MIN_SECONDS} and ${MAX_SECONDS}, inclusive`;
  return [fieldError.invalid(path, expirationSeconds, why)];
}

/**
 * Checks that modes are known (for compatibility errors name their list), that token requests have distinct audiences,
 * and that there are some where the driver receives tokens as secrets.
 */
export const checkDriverSpec: Check<CSIDriverSpec> = (spec, { path }) => {
  const errors: FieldError[] = (spec.volumeLifecycleModes ?? [])
    .filter((mode) => !modes.includes(mode))
    // A Status names at most this many errors.
    .slice(0, MAX_FIELD_ERRORS)
    .map((mode) => fieldError.notSupported(`${path}.volumeLifecycleModes`, mode, modes));
  const audiences = new Set<string>();
  (spec.tokenRequests ?? []).forEach((request, i) => {
    const audience = request.audience ?? '';
    if (audiences.has(audience)) {
      errors.push(fieldError.duplicate(`${path}.tokenRequests[${i}].audience`, audience));
    } else errors.push(...checkExpiration(`${path}.tokenRequests[${i}].expirationSeconds`, request));
    audiences.add(audience);
  });
  if (spec.serviceAccountTokenInSecrets !== undefined && audiences.size === 0) {
    const why = 'may only be set with `tokenRequests`';
    errors.push(
      fieldError.invalid(`${path}.serviceAccountTokenInSecrets`, spec.serviceAccountTokenInSecrets, why),
    );
  }
  return errors;
};

/** Fields that nodes have used already: their names in errors, and the release from which an update may change them. */
const fixed = [
  { field: 'attachRequired', named: 'attachedRequired', until: 'never' },
  { field: 'fsGroupPolicy', named: 'fsGroupPolicy', until: '1.30' },
  { field: 'podInfoOnMount', named: 'podInfoOnMount', until: '1.30' },
  { field: 'volumeLifecycleModes', named: 'volumeLifecycleModes', until: 'never' },
] as const;

/** Checks that an update keeps the fields that cannot change. */
export const validateDriverUpdate = (
  { spec: after = {} }: CSIDriver,
  { spec: before = {} }: CSIDriver,
  { since }: Pick<StrategyContext, 'since'>,
): readonly FieldError[] =>
  fixed
    .filter(({ until }) => until === 'never' || !since(until))
    .filter(({ field }) => !jsonEquals(after[field] ?? null, before[field] ?? null))
    .map(({ field, named }) =>
      fieldError.invalid(`spec.${named}`, after[field] ?? null, 'field is immutable'),
    );

/** Before 1.21 no field could change. */
export const validateFixedDriver = (next: CSIDriver, old: CSIDriver): readonly FieldError[] =>
  jsonEquals(next.spec ?? {}, old.spec ?? {})
    ? []
    : [fieldError.invalid('spec', next.spec, 'field is immutable')];
