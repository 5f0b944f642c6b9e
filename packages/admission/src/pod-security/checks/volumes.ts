import type { Volume } from '@orch/kinds/core';
import { type Check, listed, plural, quoted, sortedSet } from './check.ts';

const ALLOWED: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/** Forbidden sources, or `unknown` for a volume without any. */
function restrictedSources({ name, ...sources }: Volume): readonly string[] {
  const set = Object.entries(sources).flatMap(([source, value]) => (value === undefined ? [] : source));
  return set.length === 0 ? ['unknown'] : set.filter((source) => !ALLOWED.has(source));
}

/** Checks that volumes have one of the sources that give no access to the host or to storage without a claim. */
export const restrictedVolumes: Check = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => restrictedSources(volume).length > 0);
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.flatMap(restrictedSources));
  const names = listed(
    'volume',
    bad.map(({ name = '' }) => name),
  );
  const uses = `${plural(bad.length, 'uses', 'use')} ${plural(types.length, 'restricted volume type')}`;
  return { reason: 'restricted volume types', detail: `${names} ${uses} ${quoted(types)}` };
};
