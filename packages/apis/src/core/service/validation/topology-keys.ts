import type { ServiceSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { checkFormat } from '../../../validation-rules.ts';

const MAX_KEYS = 16;
/** Matches all endpoints. */
const ANY = '*';
const PATH = 'spec.topologyKeys';

/** Labels of nodes by which endpoints are preferred. */
export function checkTopologyKeys({
  topologyKeys,
  externalTrafficPolicy,
}: ServiceSpec): readonly FieldError[] {
  const keys = topologyKeys ?? [];
  if (keys.length === 0) return [];
  const errors: FieldError[] = [];
  if (externalTrafficPolicy === 'Local')
    errors.push(fieldError.forbidden(PATH, 'may not be specified when `externalTrafficPolicy=Local`'));
  if (keys.length > MAX_KEYS) errors.push(fieldError.tooMany(PATH, keys.length, MAX_KEYS));
  keys.forEach((key, i) => {
    const at = `${PATH}[${i}]`;
    if (keys.indexOf(key) < i) errors.push(fieldError.duplicate(at, key));
    if (key !== ANY) errors.push(...checkFormat('qualifiedName', at, key));
    else if (i < keys.length - 1) errors.push(fieldError.invalid(at, key, '"*" must be the last value'));
  });
  return errors;
}
