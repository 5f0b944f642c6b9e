import { encodeYaml, parseYaml } from '@orch/machinery/yaml';
import { largePod, podOf } from '../lib/pods.ts';
import { type Comparison, cpuMicros, importMillis, library } from './measure.ts';

/** The reader of the usual form of YAML over the events of js-yaml, against both of the libraries that it is made of. */
export function yaml(): readonly Comparison[] {
  const withPositions = library('yaml');
  const withSchema = library('js-yaml');
  const text = encodeYaml(podOf(1, largePod));
  const bytes = Buffer.from(text);
  const ours = cpuMicros(() => parseYaml(bytes), 100);
  const what = `parse a pod of ${(bytes.length / 1000).toFixed(1)} KB`;
  return [
    {
      what,
      ours,
      library: 'yaml',
      theirs: cpuMicros(() => withPositions.parse(text, { version: '1.1' }), 100),
      unit: 'µs',
      note: 'ours reads all other forms with it, and takes its messages and positions',
    },
    {
      what,
      ours,
      library: 'js-yaml',
      theirs: cpuMicros(() => withSchema.load(text), 100),
      unit: 'µs',
      note: 'ours over its events has the scalars, keys and exact numbers of the ecosystem',
    },
    {
      what: 'load the library',
      ours: importMillis('yaml'),
      library: 'js-yaml',
      theirs: importMillis('js-yaml'),
      unit: 'ms',
    },
  ];
}
