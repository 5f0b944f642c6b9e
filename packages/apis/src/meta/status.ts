import { f, struct } from '@orch/schema';
import { ListMeta } from './list-meta.ts';

export const StatusCause = struct('meta.v1.StatusCause', 'One of several causes of a failure.', {
  reason: f.string(1, { doc: 'Machine-readable type of the cause.' }),
  message: f.string(2, { doc: 'Human-readable description of the cause.' }),
  field: f.string(3, { doc: 'Path of the field that is wrong, in JSON terms.' }),
});

export const StatusDetails = struct('meta.v1.StatusDetails', 'The object and the causes of a Status.', {
  name: f.string(1, { doc: 'Name of the object.' }),
  group: f.string(2, { doc: 'Group of the resource.' }),
  kind: f.string(3, { doc: 'Resource or kind.' }),
  uid: f.string(6, { doc: 'Identity of the object.' }),
  causes: f.list(4, StatusCause, { doc: 'The causes of the failure.' }),
  retryAfterSeconds: f.int32(5, { doc: 'Seconds to wait before another attempt.' }),
});

export const Status = struct(
  'meta.v1.Status',
  'The response of a request that returns no object: of every failure, and of some successes.',
  {
    metadata: f.struct(1, ListMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    status: f.string(2, { doc: 'Success or Failure.' }),
    message: f.string(3, { doc: 'Human-readable description of the result.' }),
    reason: f.string(4, { doc: 'Machine-readable reason, in CamelCase.' }),
    details: f.struct(5, StatusDetails, {
      doc: 'The object and the causes of the result.',
      presence: 'pointer',
      atomic: { since: '1.30', until: '1.35' },
    }),
    code: f.int32(6, { doc: 'HTTP status code.' }),
  },
  { typeMeta: true },
);
