import { UsageError } from '@orch/program/flags';

/** The pairs `KEY=VALUE`. Throws a `UsageError` for others. */
export function pairsOf(texts: readonly string[], flag: string): readonly (readonly [string, string])[] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at <= 0)
      throw new UsageError(`invalid value ${JSON.stringify(text)} for ${flag}: it must be KEY=VALUE`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}
