import { fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';

/** How the reference writes the path of the object itself. */
const NO_PATH = '<nil>';

/** Checks that a value is in the only model of resources that there is: that of named ones. */
export const checkModel: Check = ({ namedResources }, { path }) =>
  namedResources === undefined
    ? [fieldError.required(path === '' ? NO_PATH : path, 'exactly one structured model field must be set')]
    : [];
