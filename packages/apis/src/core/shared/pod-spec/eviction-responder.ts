import type { EvictionResponder as Responder } from '@orch/kinds/core';
import { fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';

export const MAX_EVICTION_RESPONDERS = 10;

const checkResponderName: Check<Responder> = ({ name = '' }, { path }) =>
  name === '' || name.includes('/')
    ? []
    : [fieldError.invalid(`${path}.name`, name, 'must have a domain before a slash')];

export const EvictionResponder = struct(
  'core.v1.EvictionResponder',
  'A program that responds to requests for the eviction of a pod.',
  {
    name: f.string(1, {
      doc: 'Name of the program, after its domain.',
      presence: 'always',
      required: true,
      format: 'qualifiedName',
    }),
    priority: f.int32(2, {
      doc: 'Order of the programs, highest first.',
      presence: 'pointer',
      required: true,
      openapiRequired: true,
      min: 0,
      max: 100_000,
    }),
  },
  { mapType: 'atomic', checks: [checkResponderName] },
);
