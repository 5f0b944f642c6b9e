import { type FieldError, fieldError } from '@orch/machinery';
import { validateFormat } from '@orch/machinery/formats';

/** Checks a number of pods or a percentage of them; `atMost100` when it is part of the existing pods. */
export function checkAmount(
  path: string,
  amount: number | string | undefined,
  { atMost100 = false } = {},
): readonly FieldError[] {
  if (amount === undefined) return [];
  const wrong =
    validateFormat('positiveIntOrPercent', amount) ??
    (atMost100 ? validateFormat('notOver100', amount) : undefined);
  return wrong === undefined ? [] : [fieldError.invalid(path, amount, wrong)];
}

const noPercent = /^0+%$/;

/** Reports whether an amount is zero pods. A malformed amount is reported separately. */
export const isNone = (amount: number | string | undefined): boolean =>
  amount === undefined || amount === 0 || (typeof amount === 'string' && noPercent.test(amount));
