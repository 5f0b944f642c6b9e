import { fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asText } from '../../../read.ts';
import { checkNoBacksteps } from '../../../validation-rules.ts';

/** A prefix is there, and leads only down. */
export const checkHostPathPrefix: Check = ({ pathPrefix }, { path }) => {
  const at = `${path}.pathPrefix`;
  const prefix = asText(pathPrefix);
  return prefix === '' ? [fieldError.required(at, 'is required')] : checkNoBacksteps(at, prefix);
};
