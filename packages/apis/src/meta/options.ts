import { f, items, struct } from '@orch/schema';

export const Preconditions = struct(
  'meta.v1.Preconditions',
  'Must hold for the object as it is stored, or the request is refused with a conflict.',
  {
    uid: f.string(1, { doc: 'The object must be this very one.', presence: 'pointer' }),
    resourceVersion: f.string(2, { doc: 'The object must not have changed since.', presence: 'pointer' }),
  },
);

export const DeleteOptions = struct(
  'meta.v1.DeleteOptions',
  'How an object is deleted.',
  {
    gracePeriodSeconds: f.int64(1, {
      doc: "Seconds to end in an orderly way; 0 removes at once. The kind's own default when absent.",
      presence: 'pointer',
    }),
    preconditions: f.struct(2, Preconditions, {
      doc: 'What must hold for the deletion to happen.',
      presence: 'pointer',
    }),
    orphanDependents: f.bool(3, {
      doc: 'Older form of propagationPolicy: true leaves dependents behind.',
      presence: 'pointer',
      deprecated: 'Use propagationPolicy.',
    }),
    propagationPolicy: f.string(4, {
      doc: 'What happens to dependents: Orphan leaves them, Background removes them afterwards, Foreground removes them first.',
      presence: 'pointer',
    }),
    dryRun: f.list(5, items.string, { doc: 'With `All`, everything happens except storing.' }),
  },
  { typeMeta: true },
);

export const CreateOptions = struct(
  'meta.v1.CreateOptions',
  'Options of a create request.',
  {
    dryRun: f.list(1, items.string, { doc: 'With `All`, everything happens except storing.' }),
    fieldManager: f.string(3, { doc: 'Who makes the change, for the record in managedFields.' }),
    fieldValidation: f.string(4, {
      doc: 'What to do about unknown or repeated fields: Ignore, Warn or Strict.',
      since: '1.23',
    }),
  },
  { typeMeta: true },
);

export const UpdateOptions = struct(
  'meta.v1.UpdateOptions',
  'Options of an update request.',
  {
    dryRun: f.list(1, items.string, { doc: 'With `All`, everything happens except storing.' }),
    fieldManager: f.string(2, { doc: 'Who makes the change, for the record in managedFields.' }),
    fieldValidation: f.string(3, {
      doc: 'What to do about unknown or repeated fields: Ignore, Warn or Strict.',
      since: '1.23',
    }),
  },
  { typeMeta: true },
);

export const PatchOptions = struct(
  'meta.v1.PatchOptions',
  'Options of a patch request.',
  {
    dryRun: f.list(1, items.string, { doc: 'With `All`, everything happens except storing.' }),
    force: f.bool(2, {
      doc: 'Takes over fields that another manager owns; for apply patches only.',
      presence: 'pointer',
    }),
    fieldManager: f.string(3, { doc: 'Who makes the change; needed for apply patches.' }),
    fieldValidation: f.string(4, {
      doc: 'What to do about unknown or repeated fields: Ignore, Warn or Strict.',
      since: '1.23',
    }),
  },
  { typeMeta: true },
);

export const ApplyOptions = struct(
  'meta.v1.ApplyOptions',
  'Options of an apply request.',
  {
    dryRun: f.list(1, items.string, { doc: 'With `All`, everything happens except storing.' }),
    force: f.bool(2, { doc: 'Takes over fields that another manager owns.', presence: 'always' }),
    fieldManager: f.string(3, { doc: 'Who applies.', presence: 'always' }),
  },
  { typeMeta: true },
);

export const GetOptions = struct(
  'meta.v1.GetOptions',
  'Options of a read of one object.',
  {
    resourceVersion: f.string(1, { doc: 'How fresh the answer has to be.' }),
  },
  { typeMeta: true },
);

export const ListOptions = struct(
  'meta.v1.ListOptions',
  'Options of a list or watch.',
  {
    labelSelector: f.string(1, { doc: 'Only objects with these labels.' }),
    fieldSelector: f.string(2, { doc: 'Only objects with these values of selectable fields.' }),
    watch: f.bool(3, { doc: 'Streams changes instead of answering with a list.' }),
    allowWatchBookmarks: f.bool(9, {
      doc: 'Lets the server send bookmark events that carry nothing but a resourceVersion.',
    }),
    resourceVersion: f.string(4, { doc: 'How fresh the answer has to be, or where a watch starts.' }),
    resourceVersionMatch: f.string(10, {
      doc: 'How resourceVersion is meant: Exact or NotOlderThan.',
      since: '1.19',
    }),
    timeoutSeconds: f.int64(5, {
      doc: 'Ends the request after this time, whatever it is doing.',
      presence: 'pointer',
    }),
    limit: f.int64(7, { doc: 'Largest number of items per chunk.' }),
    continue: f.string(8, { doc: 'Token of the previous chunk.' }),
  },
  { typeMeta: true },
);

export const TableOptions = struct(
  'meta.v1.TableOptions',
  'Options of a request for a table.',
  {
    includeObject: f.string(1, { doc: 'How much of each object a row carries: None, Metadata or Object.' }),
  },
  { typeMeta: true },
);
