import { fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkNoBacksteps } from '../../../core/v1/validation/rules.ts';
import { asText } from '../../../read.ts';

/** A prefix is there, and leads only down. */
export const checkHostPathPrefix: Check = ({ pathPrefix }, { path }) => {
  const at = `${path}.pathPrefix`;
  const prefix = asText(pathPrefix);
  return prefix === '' ? [fieldError.required(at, 'is required')] : checkNoBacksteps(at, prefix);
};
