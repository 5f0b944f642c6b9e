import type { ControllerDescriptor } from '@orch/controllers';
import { UsageError } from '@orch/program';

/**
 * The controllers that `--controllers` enables, in the order of `all`. A name takes precedence over `*`, and the first
 * occurrence of a name applies. Throws `UsageError` for an unknown name.
 */
export function selectControllers(
  values: readonly string[],
  all: readonly ControllerDescriptor[],
): readonly ControllerDescriptor[] {
  const explicit = new Map<string, boolean>();
  let isAll = false;
  for (const value of values) {
    if (value === '*') {
      isAll = true;
      continue;
    }
    const name = value.startsWith('-') ? value.slice(1) : value;
    if (!all.some((one) => one.name === name)) throw unknown(value, all);
    if (!explicit.has(name)) explicit.set(name, name === value);
  }
  return all.filter((one) => explicit.get(one.name) ?? (isAll && one.onByDefault));
}

const unknown = (value: string, all: readonly ControllerDescriptor[]): UsageError =>
  new UsageError(
    `invalid value ${JSON.stringify(value)} for --controllers: must be *, or one of ${all.map((one) => one.name).join(', ')}, optionally with the prefix -`,
  );
