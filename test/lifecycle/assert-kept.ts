import assert from 'node:assert/strict';
import { isJsonObject } from '@orch/machinery/json';
import { compareQuantities, parseQuantity, QuantityError } from '@orch/machinery/quantity';

/** Reports whether two strings are the same amount. */
function sameQuantity(a: string, b: string): boolean {
  try {
    return compareQuantities(parseQuantity(a), parseQuantity(b)) === 0;
  } catch (cause) {
    if (cause instanceof QuantityError) return false;
    throw cause;
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  value === false ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

/**
 * Fails unless everything that was sent is shown again: fields may be added, empty ones may go, amounts may be
 * written otherwise, and nothing else.
 */
export function assertKept(sent: unknown, shown: unknown, path = ''): void {
  if (shown === undefined && isEmpty(sent)) return;
  if (isJsonObject(sent)) {
    assert.ok(
      isJsonObject(shown),
      `${path || 'the object'}: ${JSON.stringify(shown)} is shown for an object`,
    );
    for (const [key, value] of Object.entries(sent)) assertKept(value, shown[key], `${path}.${key}`);
  } else if (Array.isArray(sent)) {
    assert.ok(Array.isArray(shown), `${path}: ${JSON.stringify(shown)} is shown for a list`);
    assert.equal(shown.length, sent.length, `${path} has another length`);
    for (const [i, value] of sent.entries()) assertKept(value, shown[i], `${path}[${i}]`);
  } else if (shown !== sent && !sameQuantity(String(sent), String(shown))) {
    assert.equal(shown, sent, `${path || 'the value'} is shown as ${JSON.stringify(shown)}`);
  }
}
