import type { PersistentVolumeClaimSpec, Volume } from '@orch/kinds/core';
import type { WarningContext } from '../../../../content-warning.ts';
import { fractionWarnings } from './containers.ts';

type Source = Exclude<keyof Volume, 'name'>;

/** A volume whose plugin is deprecated: the release from which the server warns of it, its last path segment, and the text. */
interface DeprecatedSource {
  readonly source: Source;
  readonly shownAs?: string;
  readonly since?: string;
  text(since: WarningContext['since']): string;
}

const removedIn1_25 = (since: WarningContext['since']): string =>
  since('1.27')
    ? 'deprecated in v1.22, non-functional in v1.25+'
    : 'deprecated in v1.22, support removal is planned in v1.26';

const removedIn1_31 = (): string => 'deprecated in v1.28, non-functional in v1.31+';

const beforeClaims: readonly DeprecatedSource[] = [
  { source: 'photonPersistentDisk', text: () => 'deprecated in v1.11, non-functional in v1.16+' },
  {
    source: 'gitRepo',
    text: (since) =>
      since('1.33') && !since('never', 'GitRepoVolumeDriver')
        ? 'deprecated in v1.11, and disabled by default in v1.33+'
        : 'deprecated in v1.11',
  },
  { source: 'scaleIO', text: () => 'deprecated in v1.16, non-functional in v1.22+' },
  { source: 'flocker', text: removedIn1_25 },
  { source: 'storageos', shownAs: 'storageOS', text: removedIn1_25 },
  { source: 'quobyte', text: removedIn1_25 },
  {
    source: 'glusterfs',
    since: '1.25',
    text: (since) =>
      since('1.27')
        ? 'deprecated in v1.25, non-functional in v1.26+'
        : 'deprecated in v1.25, this feature will be removed soon after in a subsequent release',
  },
];

const afterClaims: readonly DeprecatedSource[] = [
  { source: 'cephfs', since: '1.28', text: removedIn1_31 },
  { source: 'rbd', since: '1.28', text: removedIn1_31 },
];

/** Warns of the source of a volume. */
export function volumeWarnings(path: string, volume: Volume, { since }: WarningContext): readonly string[] {
  const warnOf = (sources: readonly DeprecatedSource[]): readonly string[] =>
    sources
      .filter(({ source, since: first = '1.22' }) => volume[source] !== undefined && since(first))
      .map(({ source, shownAs = source, text }) => `${path}.${shownAs}: ${text(since)}`);
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  return [
    ...warnOf(beforeClaims),
    ...(claim === undefined
      ? []
      : claimSpecWarnings(`${path}.ephemeral.volumeClaimTemplate.spec`, claim, since)),
    ...warnOf(afterClaims),
  ];
}

/** Warns of the storage that a claim requests. */
export const claimSpecWarnings = (
  path: string,
  { resources = {} }: PersistentVolumeClaimSpec,
  since: WarningContext['since'],
): readonly string[] =>
  since('1.26')
    ? [
        ...fractionWarnings(`${path}.resources.requests`, resources.requests, ['storage']),
        ...fractionWarnings(`${path}.resources.limits`, resources.limits, ['storage']),
      ]
    : [];
