import type { kinds } from '@orch/client';
import { describer } from '../../describer.ts';
import { describeMetadata } from '../../text/metadata.ts';
import { sortedEntries } from '../../text/values.ts';

export const configMap = describer<kinds.core.ConfigMap>({
  group: 'core',
  kind: 'ConfigMap',
  versions: ['v1'],
  describe(out, { metadata, data, binaryData }, { names }) {
    describeMetadata(out, { metadata, names });
    out.raw('\nData\n====\n');
    for (const [key, value] of sortedEntries(data)) out.raw(`${key}:\n----\n${value}\n\n`);
    out.raw('\nBinaryData\n====\n');
    for (const [key, value] of sortedEntries(binaryData))
      out.raw(`${key}: ${Buffer.from(value, 'base64').length} bytes\n`);
    out.raw('\n');
  },
});
