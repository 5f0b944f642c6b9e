import type { ResponderStatusV1alpha1 as Progress } from '@orch/kinds/lifecycle';
import { fieldError } from '@orch/machinery';
import { type Check, type FieldOptions, f, struct } from '@orch/schema';
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

const MAX_REQUESTERS = 100;
/** The ten that a pod may have, and the one that uses the eviction of pods. */
const MAX_RESPONDERS = 11;
const MAX_PRIORITY = 100_000;
const MAX_MESSAGE_CHARACTERS = 4000;

/** Fields that do not change once they are set. */
const keptOnceSet =
  (...names: readonly string[]): Check =>
  (value, { path, old }) =>
    names.flatMap((name) => {
      const [next, before] = [value[name], old?.[name]];
      if (before === undefined || before === null || next === before) return [];
      const done = next === undefined || next === null ? 'cleared' : 'modified';
      return [fieldError.invalid(`${path}.${name}`, null, `field cannot be ${done} once set`)];
    });

const Spec = struct('lifecycle.v1alpha1.EvictionSpec', 'Which object is evicted.', {
  target: f.struct(1, targetOf('Eviction'), {
    doc: 'The object to evict; it cannot change.',
    presence: 'always',
    openapiRequired: true,
    immutable: true,
  }),
});

const Requester = struct(
  'lifecycle.v1alpha1.Requester',
  'One of those who have requested the eviction.',
  { name: prefixedField(1, 'Name of the requester.'), intent: intentField(2) },
  { mapType: 'atomic', checks: [checkPrefixed('name')] },
);

const TargetResponder = struct(
  'lifecycle.v1alpha1.TargetResponder',
  'A program that is to evict the object.',
  {
    name: prefixedField(1, 'Name of the program.'),
    priority: f.int32(2, {
      doc: 'Order of the programs, highest first.',
      presence: 'pointer',
      required: true,
      openapiRequired: true,
      min: 0,
      max: MAX_PRIORITY,
    }),
    state: f.string(3, {
      doc: 'Inactive until it is its turn, then Active, and at the end Interrupted, Canceled or Completed.',
      presence: 'always',
      required: true,
      enum: ['Active', 'Canceled', 'Completed', 'Inactive', 'Interrupted'],
    }),
  },
  { mapType: 'atomic', checks: [checkPrefixed('name'), keptOnceSet('priority')] },
);

const checkMessage: Check<Progress> = ({ message = '' }, { path }) =>
  [...message].length > MAX_MESSAGE_CHARACTERS
    ? [fieldError.tooLong(`${path}.message`, MAX_MESSAGE_CHARACTERS)]
    : [];

const time = (num: number, doc: string) => f.time(num, { doc, presence: 'pointer' });

const ResponderStatus = struct(
  'lifecycle.v1alpha1.ResponderStatus',
  'The progress of a program, which writes it.',
  {
    name: prefixedField(1, 'Name of the program.'),
    startTime: time(2, 'When its turn began; it does not change.'),
    heartbeatTime: time(3, 'When it last reported that it is at work.'),
    expectedCompletionTime: time(4, 'When it expects to end.'),
    completionTime: time(5, 'When it ended; it does not change.'),
    message: f.string(6, { doc: 'Human-readable details.', presence: 'pointer' }),
  },
  {
    mapType: 'granular',
    checks: [checkPrefixed('name'), checkMessage, keptOnceSet('startTime', 'completionTime')],
  },
);

const named = (maxItems: number): FieldOptions & { listType: 'map'; mapKeys: readonly string[] } => ({
  listType: 'map',
  mapKeys: ['name'],
  patchStrategy: 'merge',
  patchMergeKey: 'name',
  maxItems,
});

const Status = struct(
  'lifecycle.v1alpha1.EvictionStatus',
  'The progress of the eviction.',
  {
    ...statusFields,
    requesters: f.list(3, Requester, {
      doc: 'Those who want the eviction, or have withdrawn.',
      ...named(MAX_REQUESTERS),
    }),
    targetResponders: f.list(4, TargetResponder, {
      doc: 'Programs that evict the object, one after the other.',
      ...named(MAX_RESPONDERS),
    }),
    responders: f.list(5, ResponderStatus, {
      doc: 'The progress of each of the programs.',
      ...named(MAX_RESPONDERS),
    }),
  },
  {
    checks: [
      checkObserved,
      uniqueItems('conditions', 'type'),
      uniqueItems('requesters', 'name'),
      uniqueItems('targetResponders', 'name'),
      uniqueItems('responders', 'name'),
    ],
  },
);

export const Eviction = struct(
  'lifecycle.v1alpha1.Eviction',
  'The eviction of an object that has been requested.',
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
