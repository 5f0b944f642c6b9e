import { labelValue, qualifiedName } from '@orch/machinery/formats';
import { UsageError } from '@orch/program/flags';

/** The labels of `a=b,c=d`. Throws a UsageError for invalid ones. */
export function labelMap(text: string, flag: string): Record<string, string> {
  const pairs = text
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const at = pair.indexOf('=');
      const [key, value] = [pair.slice(0, Math.max(at, 0)), pair.slice(at + 1)];
      if (at <= 0 || (qualifiedName(key) ?? labelValue(value)) !== undefined)
        throw new UsageError(`invalid value ${JSON.stringify(pair)} for ${flag}: it must be KEY=VALUE`);
      return [key, value];
    });
  return Object.fromEntries(pairs);
}
