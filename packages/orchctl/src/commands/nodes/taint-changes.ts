import type { kinds } from '@orch/client';
import { labelValue, qualifiedName } from '@orch/machinery/formats';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../../command-error.ts';

export type Taint = kinds.core.Taint;

/** A taint to remove: all effects of the key when `effect` is empty. */
export interface RemovedTaint {
  readonly key: string;
  readonly effect: string;
}

export interface TaintChanges {
  readonly set: readonly Taint[];
  readonly removed: readonly RemovedTaint[];
}

const effects: ReadonlySet<string> = new Set(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

const isChange = (word: string): boolean => /[=:]/.test(word) || word.endsWith('-');

/** Splits arguments into those that name nodes and changes `KEY=VALUE:EFFECT`, `KEY:EFFECT` and `KEY[:EFFECT]-`. */
export function splitTaints(words: readonly string[]): {
  readonly objects: readonly string[];
  readonly changes: TaintChanges;
} {
  const first = words.findIndex(isChange);
  if (first < 0) throw new UsageError('at least one taint update is required');
  const [set, removed]: [Taint[], RemovedTaint[]] = [[], []];
  for (const word of words.slice(first)) {
    if (word.endsWith('-')) {
      const [key = '', effect = ''] = word.slice(0, -1).split(':');
      checkTaint({ key, effect: effect || 'NoSchedule' }, word);
      removed.push({ key, effect });
    } else set.push(readTaint(word, set));
  }
  const both = set.filter((one) => removed.some((other) => isMatch(one, other)));
  if (both.length > 0)
    throw new UsageError(
      `can not both modify and remove the following taint(s) in the same command: ${both.map(({ key }) => key).join(', ')}`,
    );
  return { objects: words.slice(0, first), changes: { set, removed } };
}

function readTaint(word: string, earlier: readonly Taint[]): Taint {
  const [pair = '', effect, ...more] = word.split(':');
  const [key = '', value, ...others] = pair.split('=');
  if (effect === undefined || more.length + others.length > 0)
    throw new UsageError(`invalid taint spec: ${word}; it must be KEY[=VALUE]:EFFECT`);
  const taint = { key, effect, ...(value !== undefined && value !== '' && { value }) };
  checkTaint(taint, word);
  if (earlier.some((one) => isSame(one, taint)))
    throw new UsageError(`duplicated taints with the same key and effect: ${word}`);
  return taint;
}

function checkTaint({ key, value = '', effect }: Taint, word: string): void {
  if (!effects.has(effect)) throw new UsageError(`invalid taint effect: ${effect}, unsupported taint effect`);
  const problem = qualifiedName(key) ?? (value === '' ? undefined : labelValue(value));
  if (problem !== undefined) throw new UsageError(`invalid taint spec: ${word}, ${problem}`);
}

const isSame = (a: RemovedTaint, b: RemovedTaint): boolean => a.key === b.key && a.effect === b.effect;

const isMatch = (taint: RemovedTaint, { key, effect }: RemovedTaint): boolean =>
  taint.key === key && (effect === '' || taint.effect === effect);

/**
 * The taints of a node after changes: the new ones, then the others. Throws a CommandError when a taint to remove does
 * not exist, and without `overwrite` when a taint to set exists.
 */
export function changedTaints(
  current: readonly Taint[],
  { set, removed }: TaintChanges,
  { node, overwrite }: { readonly node: string; readonly overwrite: boolean },
): readonly Taint[] {
  const existing = set.filter((one) => current.some((other) => isSame(one, other)));
  if (!overwrite && existing.length > 0)
    throw new CommandError(
      `node ${node} already has ${existing.map(({ key }) => key).join(',')} taint(s) with same effect(s) and --overwrite is false`,
    );
  for (const one of removed)
    if (!current.some((other) => isMatch(other, one)))
      throw new CommandError(
        `taint ${JSON.stringify(one.effect === '' ? one.key : `${one.key}:${one.effect}`)} not found`,
      );
  const kept = current.filter(
    (one) => !set.some((other) => isSame(one, other)) && !removed.some((other) => isMatch(one, other)),
  );
  return [...set, ...kept];
}

/** The report about changes of a node. */
export function taintAction(current: readonly Taint[], { set, removed }: TaintChanges): string {
  if (set.length === 0) return 'untainted';
  const replaces = set.some((one) => current.some((other) => isSame(one, other)));
  return removed.length > 0 || replaces ? 'modified' : 'tainted';
}
