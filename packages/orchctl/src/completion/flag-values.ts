import type { Flag } from '@orch/program/flags';
import type { ArgumentRequest } from './arguments.ts';
import { type Completion, nothing, words } from './candidate.ts';

/** The formats of `--output`; those that end with `=` are followed by their text. */
const formats = [
  ...['json', 'yaml', 'kyaml', 'name', 'wide'],
  ...['custom-columns=', 'custom-columns-file=', 'go-template=', 'go-template-file='],
  ...['jsonpath=', 'jsonpath-as-json=', 'jsonpath-file='],
];

/** Flags whose values are paths. */
const pathFlags = new Set([
  ...['filename', 'kustomize', 'client-config', 'certificate-authority', 'client-certificate', 'client-key'],
  ...['patch-file', 'from-file', 'from-env-file', 'custom', 'output-directory'],
]);

/** Completes the value of a flag. */
export async function completeFlagValue(
  flag: Flag<unknown> | undefined,
  { current, sources, words: before }: ArgumentRequest,
): Promise<Completion> {
  if (flag === undefined) return nothing;
  switch (flag.name) {
    case 'namespace':
    case 'namespaces':
      return words(await sources.names('namespaces'));
    case 'context':
      return words(await sources.configured('contexts'));
    case 'cluster':
      return words(await sources.configured('clusters'));
    case 'user':
      return words(await sources.configured('users'));
    case 'container':
    case 'target':
      return words(await sources.containers((before[0] ?? '').replace(/^pods?\//, '')));
    case 'output':
      return outputs(flag, current);
    default:
      return pathFlags.has(flag.name) ? { candidates: [], withFiles: true } : words(choicesOf(flag));
  }
}

function outputs(flag: Flag<unknown>, current: string): Completion {
  const choices = choicesOf(flag);
  if (choices.length > 0) return words(choices);
  const matching = formats.filter((format) => format.startsWith(current));
  return { ...words(matching), continues: matching.every((format) => format.endsWith('=')) };
}

/** The values of a flag with few of them, which is its type: `background|foreground|orphan`. */
const choicesOf = ({ type }: Flag<unknown>): readonly string[] => (type.includes('|') ? type.split('|') : []);
