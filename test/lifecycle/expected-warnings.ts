import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Release, servedIn } from '@orch/apis';
import { lifecycles } from './api-lifecycle.ts';

/** A warning of the reference, and the releases that send it: `until` is the first that does not. */
interface Announced {
  readonly since: Release;
  readonly until: Release;
  readonly warning: string;
}

/**
 * The warnings of the releases from 1.24 on, without those of the core group. Some differ from the table: they name a later
 * removal, or begin after the deprecation.
 */
const announced: readonly Announced[] = readFileSync(
  join(import.meta.dirname, '../../packages/registry/src/dispatch/deprecation.fixture.jsonl'),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Announced);

/** The warning that clients of a version receive; undefined when the release has none. */
export function warningOf(
  release: Release,
  {
    apiVersion,
    kind,
    resource,
  }: { readonly apiVersion: string; readonly kind: string; readonly resource: string },
): string | undefined {
  if (apiVersion !== 'v1' && servedIn(release, { introduced: '1.24' })) {
    const isSent = ({ since, until }: Announced) => servedIn(release, { introduced: since, removed: until });
    const start = `${apiVersion} ${kind} is deprecated `;
    return announced.find((each) => isSent(each) && each.warning.startsWith(start))?.warning;
  }
  const lifecycle = lifecycles.get(`${apiVersion} ${resource}`) ?? {};
  const { deprecated, removed, instead } = lifecycle;
  if (deprecated === undefined || !servedIn(release, { introduced: deprecated })) return undefined;
  if (!servedIn(release, { introduced: '1.19' })) return undefined;
  const isNew = servedIn(release, { introduced: '1.23' });
  const better = isNew ? instead : (lifecycle.insteadBefore123 ?? instead);
  const words = [`${apiVersion} ${kind} is deprecated in v${deprecated}+`];
  if (removed !== undefined) words.push(`, unavailable in v${removed}+`);
  if (better !== undefined) words.push(`; use ${better.includes(' ') ? better : `${better} ${kind}`}`);
  return words.join('');
}
