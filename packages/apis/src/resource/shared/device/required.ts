import { fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';

/** The struct `name` must be present; its own required fields are reported one by one. */
export const requiredStruct =
  (name: string): Check =>
  (value, { path }) =>
    value[name] === undefined ? [fieldError.required(`${path}.${name}`, '')] : [];
