import { f, struct } from '@orch/schema';
import { RawExtension } from './raw.ts';

export const WatchEvent = struct('meta.v1.WatchEvent', 'One line of a watch stream.', {
  type: f.string(1, { doc: 'ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.', presence: 'always' }),
  object: f.struct(2, RawExtension, {
    doc: 'The object after the change, or the Status of an error.',
    presence: 'always',
  }),
});
