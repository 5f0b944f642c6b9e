import type { Exchange } from '../exchange.ts';
import { combinations, queryOf, type RequestCase, sendAll } from './request-case.ts';

const versions = [undefined, '', '0', '1', '-1', 'x', '99999999999', '99999999999999999999'];
const matches = [undefined, '', 'Exact', 'NotOlderThan', 'exact', 'x'];
const limits = [undefined, '0', '1', '-1', 'x'];
const continues = [undefined, '', 'x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhXHUwMDAwIn0'];
const initial = [undefined, 'true', 'false'];
const bookmarks = [undefined, 'true'];
const odd: readonly Readonly<Record<string, string>>[] = [
  { labelSelector: '!' },
  { labelSelector: 'a in (b' },
  { labelSelector: 'a in ()' },
  { labelSelector: 'a>1' },
  { labelSelector: 'a=b=c' },
  { labelSelector: '-a' },
  { labelSelector: 'a==b,c!=d,!e' },
  { fieldSelector: 'x=y' },
  { fieldSelector: 'metadata.name=kube-root-ca.crt' },
  { fieldSelector: 'metadata.name!=a' },
  { fieldSelector: 'metadata.name' },
  { fieldSelector: 'metadata.name=a,metadata.name=b' },
  { fieldSelector: 'metadata.name=a\\,b' },
  { fieldSelector: 'metadata.name=a\\x' },
  { timeoutSeconds: 'x' },
  { watch: 'x' },
  { watch: '0' },
  { allowWatchBookmarks: 'x' },
  { limit: '9223372036854775808' },
  { pretty: 'true' },
  { pretty: 'x' },
  { unknown: 'x' },
  { shardSelector: 'x' },
];

/** A metadata list is as large as its servers have objects: only what belongs to every server is compared. */
const collections = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces',
  '/apis/apps/v1/namespaces/none/deployments',
];

/** Sends lists and watches with every combination of the options about versions and pages, and other options with odd values. */
export async function compareListRequests(exchange: Exchange): Promise<void> {
  exchange.begin('lists and watches');
  await sendAll(exchange, [...lists(), ...watches(), ...oddOptions()]);
}

const lists = (): readonly RequestCase[] =>
  collections.slice(0, 1).flatMap((path) =>
    combinations([versions, matches, limits, continues]).map(
      ([resourceVersion, resourceVersionMatch, limit, token]) => ({
        method: 'GET',
        path: `${path}${queryOf({ resourceVersion, resourceVersionMatch, limit, continue: token })}`,
      }),
    ),
  );

const watches = (): readonly RequestCase[] =>
  combinations([
    versions,
    matches,
    [undefined, '1'],
    continues.slice(0, 3).filter((one) => one !== ''),
    initial,
    bookmarks,
  ]).map(([resourceVersion, resourceVersionMatch, limit, token, sendInitialEvents, allowWatchBookmarks]) => ({
    method: 'GET',
    path: `${collections[2]}${queryOf({
      watch: 'true',
      timeoutSeconds: '1',
      resourceVersion,
      resourceVersionMatch,
      limit,
      continue: token,
      sendInitialEvents,
      allowWatchBookmarks,
    })}`,
    project: events,
  }));

const oddOptions = (): readonly RequestCase[] => [
  ...collections.flatMap((path) =>
    odd.flatMap((parameters) => [
      { method: 'GET', path: `${path}${queryOf({ timeoutSeconds: '1', ...parameters })}`, project: events },
      {
        method: 'GET',
        path: `${path}${queryOf({ watch: '1', timeoutSeconds: '1', ...parameters })}`,
        project: events,
      },
    ]),
  ),
  ...versions.flatMap((resourceVersion) =>
    matches.map((resourceVersionMatch) => ({
      method: 'GET',
      path: `/api/v1/namespaces/default${queryOf({ resourceVersion, resourceVersionMatch })}`,
    })),
  ),
];

/** The events of a watch, each with the name of its object; a refusal stays as it is. */
function events(body: unknown): unknown {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}
