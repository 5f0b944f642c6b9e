import { isUtf8 } from 'node:buffer';
import { contentHash } from './data/content-hash.ts';
import { appendHashFlag, dataFlags, readData } from './data/key-values.ts';
import { generator, newMetadata } from './generator.ts';

type Entries = readonly (readonly [string, Buffer])[];

const mapped = (entries: Entries, encoding: 'utf8' | 'base64'): Record<string, string> =>
  Object.fromEntries(entries.map(([key, value]) => [key, value.toString(encoding)]));

export const configMap = generator({
  usage: 'configmap NAME [--from-file=[KEY=]FILE] [--from-literal=KEY=VALUE] [--from-env-file=FILE] [flags]',
  about: 'Creates a config map from files, folders and literal values.',
  examples: [
    { comment: 'From literal values', line: 'orchctl create configmap settings --from-literal=color=red' },
    { comment: 'From the files of a folder', line: 'orchctl create configmap settings --from-file=config/' },
    {
      comment: 'From a file with lines KEY=VALUE',
      line: 'orchctl create configmap settings --from-env-file=app.env',
    },
  ],
  flags: { ...dataFlags, ...appendHashFlag },
  isNamespaced: true,
  build({ name, flags, io }) {
    const entries = [...readData(flags, io)];
    const data = mapped(
      entries.filter(([, value]) => isUtf8(value)),
      'utf8',
    );
    const binaryData = mapped(
      entries.filter(([, value]) => !isUtf8(value)),
      'base64',
    );
    const hasBinary = Object.keys(binaryData).length > 0;
    const content = { kind: 'ConfigMap', name, data, ...(hasBinary && { binaryData }) };
    return {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: newMetadata(flags.appendHash ? `${name}-${contentHash(content)}` : name),
      ...(Object.keys(data).length > 0 && { data }),
      ...(hasBinary && { binaryData }),
    };
  },
});
