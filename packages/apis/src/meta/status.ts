import { f, struct } from '@orch/schema';
import { ListMeta } from './list-meta.ts';

export const StatusCause = struct('meta.v1.StatusCause', 'One of several causes of a failure.', {
  reason: f.string(1, { doc: 'Kind of cause, for programs.' }),
  message: f.string(2, { doc: 'The cause, for people.' }),
  field: f.string(3, { doc: 'Path of the field that is wrong, in JSON terms.' }),
});

export const StatusDetails = struct('meta.v1.StatusDetails', 'What a Status speaks of, and why.', {
  name: f.string(1, { doc: 'Name of the object.' }),
  group: f.string(2, { doc: 'Group of the resource.' }),
  kind: f.string(3, { doc: 'Resource or kind.' }),
  uid: f.string(6, { doc: 'Identity of the object.' }),
  causes: f.list(4, StatusCause, { doc: 'Everything that is wrong, where there is more to say.' }),
  retryAfterSeconds: f.int32(5, { doc: 'Seconds to wait before another attempt.' }),
});

export const Status = struct(
  'meta.v1.Status',
  'The answer of a request that returns no object: every failure, and some successes.',
  {
    metadata: f.struct(1, ListMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    status: f.string(2, { doc: 'Success or Failure.' }),
    message: f.string(3, { doc: 'What happened, for people.' }),
    reason: f.string(4, { doc: 'Why, in one CamelCase word for programs.' }),
    details: f.struct(5, StatusDetails, { doc: 'What the answer speaks of.', presence: 'pointer' }),
    code: f.int32(6, { doc: 'HTTP status code.' }),
  },
  { typeMeta: true },
);
