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

const some = /^(?:\d+%|[+-]?\d+)$/;

/** Reports whether an amount is zero pods. A malformed amount counts as zero, and has an error of its own, too. */
export const isNone = (amount: number | string | undefined): boolean =>
  typeof amount === 'string'
    ? !some.test(amount) || Number.parseInt(amount, 10) === 0
    : amount === undefined || amount === 0;
