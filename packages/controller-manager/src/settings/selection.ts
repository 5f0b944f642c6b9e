import type { ControllerDescriptor } from '@orch/controllers';
import { UsageError } from '@orch/program';

/**
 * The controllers that `--controllers` names, in the order of `all`. What is said of a name comes before what `*` means,
 * and the first word on a name counts. Throws `UsageError` for a name that is none.
 */
export function selectControllers(
  words: readonly string[],
  all: readonly ControllerDescriptor[],
): readonly ControllerDescriptor[] {
  const said = new Map<string, boolean>();
  let isAll = false;
  for (const word of words) {
    if (word === '*') {
      isAll = true;
      continue;
    }
    const name = word.startsWith('-') ? word.slice(1) : word;
    if (!all.some((one) => one.name === name)) throw unknown(word, all);
    if (!said.has(name)) said.set(name, name === word);
  }
  return all.filter((one) => said.get(one.name) ?? (isAll && one.onByDefault));
}

const unknown = (word: string, all: readonly ControllerDescriptor[]): UsageError =>
  new UsageError(
    `invalid value ${JSON.stringify(word)} for --controllers: must be *, or one of ${all.map((one) => one.name).join(', ')}, perhaps with a - in front`,
  );
