import { fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../../validation-rules.ts';

/** The struct `name` must be present; its own required fields are reported one by one. */
export const requiredStruct =
  (name: string): Check =>
  (value, { path }) =>
    value[name] === undefined ? [fieldError.required(`${path}.${name}`, '')] : [];

/** The string `name` must be of a format, which an empty one is not. */
export const formatted =
  (name: string, format: string): Check =>
  (value, { path }) =>
    checkFormat(format, `${path}.${name}`, value[name] ?? '');
