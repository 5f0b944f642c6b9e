import type { Volume, VolumeProjection } from '@orch/kinds/core';
import type { WarningCollector, WarningContext } from '../../../../content-warning.ts';

/** A path in a volume, and what is there. */
interface PlacedPath {
  readonly path: string;
  /** Empty where the volume has one source. */
  readonly source: string;
}

const textOf = ({ path, source }: PlacedPath): string =>
  source === '' ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;

/** A path with its place in the list, and the text that all paths below it begin with. */
interface IndexedPath extends PlacedPath {
  readonly index: number;
  readonly prefix: string;
  readonly text: string;
}

/** More pairs of overlapping paths than a reply has room for. */
const MAX_PAIRS = 256;

/** The first and the last of the paths with one text: the others overlap what these do. */
function outermost(paths: readonly PlacedPath[]): readonly IndexedPath[] {
  const first = new Map<string, IndexedPath>();
  const last = new Map<string, IndexedPath>();
  paths.forEach((placed, index) => {
    const path = placed.path.replace(trailingSlashes, '');
    if (path === '') return;
    const text = textOf({ ...placed, path });
    const indexed = { ...placed, path, index, prefix: `${path}/`, text };
    if (first.has(text)) last.set(text, indexed);
    else first.set(text, indexed);
  });
  return [...first.values(), ...last.values()];
}

const trailingSlashes = /(?<!\/)\/+$/;

type Pair = readonly [later: IndexedPath, earlier: IndexedPath];

/** The pairs of paths that are the same, or of which one is below the other. Sorted, a path precedes all those below it. */
function overlappingPairs(paths: readonly PlacedPath[]): readonly Pair[] {
  const sorted = outermost(paths).toSorted((a, b) =>
    a.prefix < b.prefix ? -1 : a.prefix > b.prefix ? 1 : a.index - b.index,
  );
  const above: IndexedPath[] = [];
  const pairs: Pair[] = [];
  for (const one of sorted) {
    for (
      let last = above.at(-1);
      last !== undefined && !one.prefix.startsWith(last.prefix);
      last = above.at(-1)
    )
      above.pop();
    for (const other of above) {
      if (pairs.length >= MAX_PAIRS) return inOrder(pairs);
      pairs.push(one.index > other.index ? [one, other] : [other, one]);
    }
    above.push(one);
  }
  return inOrder(pairs);
}

const inOrder = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.toSorted(([a, first], [b, second]) => a.index - b.index || first.index - second.index);

interface Item {
  readonly path?: string;
}

const itemPaths = (items: readonly Item[] = [], source = ''): readonly PlacedPath[] =>
  items.map(({ path = '' }) => ({ path, source }));

const quoted = (text = ''): string => JSON.stringify(text);

/** The paths of a source of a projected volume; undefined for one without. */
function projectedPaths(source: VolumeProjection): readonly PlacedPath[] | undefined {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  if (configMap?.items !== undefined)
    return itemPaths(configMap.items, `ConfigMap ${quoted(configMap.name)}`);
  if (secret?.items !== undefined) return itemPaths(secret.items, `Secret ${quoted(secret.name)}`);
  if (downwardAPI?.items !== undefined) return itemPaths(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken !== undefined) return itemPaths([serviceAccountToken], 'ServiceAccountToken');
  if (clusterTrustBundle !== undefined) {
    const { name, signerName, path = '' } = clusterTrustBundle;
    return [{ path, source: `ClusterTrustBundle ${quoted(name ?? signerName)}` }];
  }
  if (podCertificate === undefined) return undefined;
  const { certificateChainPath = '', keyPath = '', credentialBundlePath = '' } = podCertificate;
  return [
    { path: certificateChainPath, source: 'PodCertificate chain' },
    { path: keyPath, source: 'PodCertificate key' },
    { path: credentialBundlePath, source: 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '');
}

/** Warns of paths in one volume of which one hides the other. */
export function addPathWarnings(
  found: WarningCollector,
  volumes: readonly Volume[],
  { since }: WarningContext,
): void {
  if (!since('1.32')) return;
  for (const volume of volumes) {
    const { name = '', configMap, secret, downwardAPI, projected } = volume;
    const warn = addOverlaps(found, name);
    if (configMap?.items !== undefined)
      warn(`ConfigMap ${quoted(configMap.name)}`, itemPaths(configMap.items));
    if (secret?.items !== undefined) warn(`Secret ${quoted(secret.secretName)}`, itemPaths(secret.items));
    if (downwardAPI?.items !== undefined) warn('DownwardAPI', itemPaths(downwardAPI.items));
    if (projected !== undefined)
      warn('Projected', pathsOfSources(found, name, { sources: projected.sources ?? [], since }));
  }
}

interface Sources {
  readonly sources: readonly VolumeProjection[];
  readonly since: WarningContext['since'];
}

function pathsOfSources(
  found: WarningCollector,
  name: string,
  { sources, since }: Sources,
): readonly PlacedPath[] {
  let before: readonly PlacedPath[] = [];
  return sources.flatMap((source) => {
    if (Object.keys(source).length === 0) {
      found.add(`volume ${quoted(name)} (Projected) has no sources provided`);
      return [];
    }
    // Before 1.34, a source without paths counts as the one before it.
    const paths = projectedPaths(source) ?? (since('1.34') ? [] : before);
    before = paths;
    return paths;
  });
}

const addOverlaps =
  (found: WarningCollector, name: string) =>
  (what: string, paths: readonly PlacedPath[]): void => {
    for (const [later, earlier] of overlappingPairs(paths)) {
      if (found.isFull) return;
      found.add(`volume ${quoted(name)} (${what}): overlapping paths: ${later.text} with ${earlier.text}`);
    }
  };
