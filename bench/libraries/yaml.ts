import { encodeYaml, parseYaml } from '@orch/machinery';
import { largePod, podOf } from '../lib/pods.ts';
import { type Comparison, cpuMicros, importMillis, library } from './measure.ts';

/** Texts in YAML 1.1, and their expected values. */
const meanings: readonly (readonly [text: string, value: unknown])[] = [
  ['mode: 0644', { mode: 420 }],
  ['on: yes', { true: true }],
  ['day: 2001-12-14', { day: '2001-12-14' }],
  ['exact: 9007199254740993', { exact: '9007199254740993' }],
  ['a: 1\na: 2', { a: 2 }],
];

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner));

function reads(parse: (text: string) => unknown, [text, value]: (typeof meanings)[number]): boolean {
  try {
    const parsed = textOf(parse(text)).replace(/:(\d{16,})/, ':"$1"');
    return parsed === textOf(value);
  } catch {
    return false;
  }
}

export function yaml(): readonly Comparison[] {
  const theirs = library('js-yaml');
  const load = (text: string): unknown => theirs.load(text);
  const text = encodeYaml(podOf(1, largePod));
  const bytes = Buffer.from(text);
  const wrong = meanings.filter((each) => !reads(load, each)).map(([each]) => JSON.stringify(each));
  const ourWrong = meanings.filter((each) => !reads((one) => parseYaml(Buffer.from(one)), each));
  return [
    {
      what: `parse a pod of ${(bytes.length / 1000).toFixed(1)} KB`,
      ours: cpuMicros(() => parseYaml(bytes), 100),
      library: 'js-yaml',
      theirs: cpuMicros(() => load(text), 100),
      unit: 'µs',
      note: `js-yaml reads ${wrong.length} of ${meanings.length} texts differently: ${wrong.join(', ')}; ours ${ourWrong.length}`,
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
