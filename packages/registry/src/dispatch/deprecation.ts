import { atLeast, compareVersions, type KindVersion, type Release, servedIn } from '@orch/apis';
import type { Metrics, Names } from '@orch/machinery';
import type { Answer, ResourceContext } from '@orch/request';
import { apiVersionOf, hubOf } from '../convert/version-converter.ts';
import { warningHeader, withWarnings } from '../request/reply.ts';
import type { ServedResource } from '../resource/served-resource.ts';

/** Clients are warned from this release on. */
export const WARNINGS_SINCE: Release = '1.19';

/**
 * The effects of the use of deprecated versions (spec 6): a Warning header, a gauge and the record of the user. Undefined where the version of
 * a resource is not deprecated in the emulated release.
 */
export type Deprecation = (serve: () => Answer, call: ResourceContext) => Answer;

export function deprecations(
  release: Release,
  metrics: Metrics,
  names: Names,
): (resource: ServedResource) => Deprecation | undefined {
  const gauge = metrics.gauge({
    name: 'apiserver_requested_deprecated_apis',
    help: 'Deprecated APIs that were requested, by the release that removes them.',
    isSameInThreads: true,
    labels: ['group', 'version', 'resource', 'subresource', 'removed_release'],
    stability: 'STABLE',
  });
  return (resource) => {
    const { type, version, group, declared } = resource;
    const announcement = announcedIn(release, declared);
    const { removed = '' } = announcement;
    const text = deprecationText(resource, announcement, { names, release });
    if (text === undefined || !atLeast(release, WARNINGS_SINCE)) return undefined;
    const use = { removed };
    const warnings = [warningHeader(text)];
    return (serve, { info, trace }) => {
      trace.deprecated = use;
      gauge.series(group, version, type.resource, info.subresource, removed).set(1);
      return withWarnings(serve, () => warnings);
    };
  };
}

type Announcement = Pick<KindVersion, 'deprecated' | 'removed' | 'replacement'>;

/** What a release says of the end of a version. */
const announcedIn = (release: Release, { announced, ...version }: KindVersion): Announcement =>
  announced === undefined || atLeast(release, announced.before) ? version : announced;

interface Server {
  readonly names: Names;
  readonly release: Release;
}

/** The text of the warning; undefined where the version is not deprecated in the release. */
function deprecationText(
  { apiVersion, type, declared }: ServedResource,
  { deprecated, removed, replacement }: Announcement,
  server: Server,
): string | undefined {
  const { deprecationWarning } = declared;
  if (deprecationWarning !== undefined) return deprecationWarning;
  if (deprecated === undefined || !atLeast(server.release, deprecated)) return undefined;
  const end = removed === undefined ? '' : `, unavailable in v${removed}+`;
  const instead =
    replacement === undefined ? betterVersion(type, declared, server) : named(replacement, server.names);
  return `${apiVersion} ${type.kind} is deprecated in v${deprecated}+${end}${instead === undefined ? '' : `; use ${instead}`}`;
}

/** The replacement that a version declares; undefined if it has none. */
const named = (replacement: NonNullable<Announcement['replacement']>, names: Names): string | undefined =>
  replacement === 'none'
    ? undefined
    : `${names.apiVersion(replacement.group, replacement.version)} ${replacement.kind}`;

/** The best version of the resource; undefined if it is the given one. */
function betterVersion(
  type: ServedResource['type'],
  declared: KindVersion,
  { names, release }: Server,
): string | undefined {
  const best = apiVersionOf(type, bestVersion(type, release), names);
  return best === apiVersionOf(type, declared, names) ? undefined : `${best} ${type.kind}`;
}

/** The hub; before the release that introduced it, the best version with the same major number. */
function bestVersion(type: ServedResource['type'], release: Release): KindVersion {
  const hub = hubOf(type);
  if (atLeast(release, hub.introduced)) return hub;
  const onTheWay = type.versions.filter(
    (version) => servedIn(release, version) && majorOf(version) === majorOf(hub),
  );
  return onTheWay.toSorted((a, b) => compareVersions(a.version, b.version))[0] ?? hub;
}

/** `2` of `v2beta1`. */
const majorOf = ({ version }: KindVersion): string => /\d+/.exec(version)?.[0] ?? '';
