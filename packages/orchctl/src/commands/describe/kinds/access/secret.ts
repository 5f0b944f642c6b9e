import type { kinds } from '@orch/client';
import { describer, noEvents } from '../../describer.ts';
import { describeMetadata } from '../../text/metadata.ts';
import { sortedEntries } from '../../text/values.ts';

/** The only value that is shown: that of a token of a service account. */
const TOKEN = 'token';

export const secret = describer<kinds.core.Secret>({
  group: 'core',
  kind: 'Secret',
  versions: ['v1'],
  events: noEvents,
  describe(out, { metadata, type = '', data }, { names }) {
    describeMetadata(out, { metadata, names });
    out.raw(`\nType:\t${type}\n\nData\n====\n`);
    for (const [key, value] of sortedEntries(data)) {
      const bytes = Buffer.from(value, 'base64');
      const isToken = key === TOKEN && type === names.secretTypes.serviceAccountToken;
      out.field(0, key, isToken ? bytes.toString('utf8') : `${bytes.length} bytes`);
    }
  },
});
