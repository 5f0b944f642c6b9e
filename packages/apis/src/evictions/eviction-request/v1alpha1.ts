import type { EvictionRequestSpecV1alpha1 as Requested } from '@orch/kinds/lifecycle';
import { fieldError } from '@orch/machinery';
import { type Check, f, struct } from '@orch/schema';
import { metadataField, statusField } from '../../meta/standard-fields.ts';
import { uniqueItems } from '../../validation-rules.ts';
import {
  checkObserved,
  checkPrefixed,
  intentField,
  prefixedField,
  statusFields,
  targetOf,
} from '../shared/fields.ts';

/** Domains of the system do not request evictions. */
const checkDomain: Check<Requested> = ({ requester = '' }, { path, names }) => {
  const [host = ''] = requester.split('/');
  const { apiDomain, domain } = names.labelPrefixes;
  const reserved = [apiDomain, domain.slice(0, -1)].find((own) => host === own || host.endsWith(`.${own}`));
  return reserved === undefined
    ? []
    : [
        fieldError.invalid(
          `${path}.requester`,
          requester,
          `the domain ${reserved} and those below it are reserved`,
        ),
      ];
};

const Spec = struct(
  'lifecycle.v1alpha1.EvictionRequestSpec',
  'Which object is to be evicted, and by whose wish.',
  {
    target: f.struct(1, targetOf('EvictionRequest'), {
      doc: 'The object to evict; it cannot change.',
      presence: 'always',
      openapiRequired: true,
      immutable: true,
    }),
    requester: prefixedField(2, 'Who requests the eviction, such as example.com/drainer; it cannot change.', {
      immutable: true,
    }),
    intent: intentField(3),
  },
  { checks: [checkPrefixed('requester'), checkDomain] },
);

const Status = struct(
  'lifecycle.v1alpha1.EvictionRequestStatus',
  'The progress of the eviction.',
  statusFields,
  {
    checks: [checkObserved, uniqueItems('conditions', 'type')],
  },
);

export const EvictionRequest = struct(
  'lifecycle.v1alpha1.EvictionRequest',
  'Asks for the eviction of an object, until it is withdrawn or deleted.',
  {
    metadata: metadataField,
    spec: f.struct(2, Spec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
    status: statusField(Status),
  },
  { typeMeta: true },
);
