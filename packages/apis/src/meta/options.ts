import { f, items, struct } from '@orch/schema';

export const Preconditions = struct(
  'meta.v1.Preconditions',
  'Conditions on the stored object; the request is refused with a conflict when one is not satisfied.',
  {
    uid: f.string(1, { doc: 'Required uid of the object.', presence: 'pointer' }),
    resourceVersion: f.string(2, { doc: 'Required resourceVersion of the object.', presence: 'pointer' }),
  },
);

export const DeleteOptions = struct(
  'meta.v1.DeleteOptions',
  'How an object is deleted.',
  {
    gracePeriodSeconds: f.int64(1, {
      doc: 'Seconds for graceful termination; 0 deletes immediately. The default of the kind when absent.',
      presence: 'pointer',
    }),
    preconditions: f.struct(2, Preconditions, {
      doc: 'Conditions of the deletion.',
      presence: 'pointer',
    }),
    orphanDependents: f.bool(3, {
      doc: 'Older form of propagationPolicy: true orphans the dependents.',
      presence: 'pointer',
      deprecated: 'Use propagationPolicy.',
    }),
    propagationPolicy: f.string(4, {
      doc: 'What happens to dependents: Orphan leaves them, Background removes them afterwards, Foreground removes them first.',
      presence: 'pointer',
    }),
    dryRun: f.list(5, items.string, { doc: 'With `All`, the request is processed but nothing is stored.' }),
    ignoreStoreReadErrorWithClusterBreakingPotential: f.bool(6, {
      doc: 'Also deletes an object that cannot be read, without its finalizers and dependents. Not together with other options.',
      presence: 'pointer',
      since: '1.32',
    }),
  },
  { typeMeta: true },
);

export const CreateOptions = struct(
  'meta.v1.CreateOptions',
  'Options of a create request.',
  {
    dryRun: f.list(1, items.string, { doc: 'With `All`, the request is processed but nothing is stored.' }),
    fieldManager: f.string(3, { doc: 'Name of the manager in managedFields.' }),
    fieldValidation: f.string(4, {
      doc: 'How unknown or repeated fields are treated: Ignore, Warn or Strict.',
      since: '1.23',
    }),
  },
  { typeMeta: true },
);

export const UpdateOptions = struct(
  'meta.v1.UpdateOptions',
  'Options of an update request.',
  {
    dryRun: f.list(1, items.string, { doc: 'With `All`, the request is processed but nothing is stored.' }),
    fieldManager: f.string(2, { doc: 'Name of the manager in managedFields.' }),
    fieldValidation: f.string(3, {
      doc: 'How unknown or repeated fields are treated: Ignore, Warn or Strict.',
      since: '1.23',
    }),
  },
  { typeMeta: true },
);

export const PatchOptions = struct(
  'meta.v1.PatchOptions',
  'Options of a patch request.',
  {
    dryRun: f.list(1, items.string, { doc: 'With `All`, the request is processed but nothing is stored.' }),
    force: f.bool(2, {
      doc: 'Takes over fields that another manager owns; for apply patches only.',
      presence: 'pointer',
    }),
    fieldManager: f.string(3, { doc: 'Name of the manager in managedFields; required for apply patches.' }),
    fieldValidation: f.string(4, {
      doc: 'How unknown or repeated fields are treated: Ignore, Warn or Strict.',
      since: '1.23',
    }),
  },
  { typeMeta: true },
);

export const ApplyOptions = struct(
  'meta.v1.ApplyOptions',
  'Options of an apply request.',
  {
    dryRun: f.list(1, items.string, { doc: 'With `All`, the request is processed but nothing is stored.' }),
    force: f.bool(2, { doc: 'Takes over fields that another manager owns.', presence: 'always' }),
    fieldManager: f.string(3, { doc: 'Name of the manager in managedFields.', presence: 'always' }),
  },
  { typeMeta: true },
);

export const GetOptions = struct(
  'meta.v1.GetOptions',
  'Options of a read of one object.',
  {
    resourceVersion: f.string(1, { doc: 'Minimum resourceVersion of the response.' }),
  },
  { typeMeta: true },
);

export const ListOptions = struct(
  'meta.v1.ListOptions',
  'Options of a list or watch.',
  {
    labelSelector: f.string(1, { doc: 'Only objects with these labels.' }),
    fieldSelector: f.string(2, { doc: 'Only objects with these values of selectable fields.' }),
    watch: f.bool(3, { doc: 'Streams changes instead of returning a list.' }),
    allowWatchBookmarks: f.bool(9, {
      doc: 'Allows bookmark events, which only have a resourceVersion.',
    }),
    resourceVersion: f.string(4, {
      doc: 'Minimum resourceVersion of the response, or the start of a watch.',
    }),
    resourceVersionMatch: f.string(10, {
      doc: 'How resourceVersion is matched: Exact or NotOlderThan.',
      since: '1.19',
    }),
    timeoutSeconds: f.int64(5, {
      doc: 'Maximum duration of the request in seconds.',
      presence: 'pointer',
    }),
    limit: f.int64(7, { doc: 'Largest number of items per chunk.' }),
    continue: f.string(8, { doc: 'Token of the previous chunk.' }),
    sendInitialEvents: f.bool(11, {
      doc: 'A watch begins with the existing objects, and a bookmark marks their end.',
      presence: 'pointer',
      since: '1.27',
    }),
    shardSelector: f.string(15, {
      doc: 'Only objects whose identity or namespace has a hash in the given ranges.',
      since: 'never',
      gate: 'ShardedListAndWatch',
    }),
  },
  { typeMeta: true },
);

export const TableOptions = struct(
  'meta.v1.TableOptions',
  'Options of a request for a table.',
  {
    includeObject: f.string(1, { doc: 'Part of each object in its row: None, Metadata or Object.' }),
  },
  { typeMeta: true },
);
