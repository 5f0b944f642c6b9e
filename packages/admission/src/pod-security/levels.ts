import type { Release } from '@orch/apis';

/** The policies of the Pod Security Standards, the least strict first. */
export const levels = ['privileged', 'baseline', 'restricted'] as const;

export type Level = (typeof levels)[number];

/** The release whose checks apply; `latest` is the emulated release. */
export type PolicyVersion = 'latest' | Release;

export interface LevelVersion {
  readonly level: Level;
  readonly version: PolicyVersion;
}

/** `restricted:v1.24`, the form in labels and messages. */
export const levelText = ({ level, version }: LevelVersion): string => `${level}:${versionText(version)}`;

export const versionText = (version: PolicyVersion): string =>
  version === 'latest' ? version : `v${version}`;

export const sameLevel = (a: LevelVersion, b: LevelVersion): boolean =>
  a.level === b.level && a.version === b.version;

/** Reports whether `a` is a stricter level than `b`. */
export const isStricter = (a: Level, b: Level): boolean => levels.indexOf(a) > levels.indexOf(b);

export const parseLevel = (text: string): Level | undefined => levels.find((level) => level === text);

export const LEVEL_RULE = `must be one of ${levels.join(', ')}`;

const versionPattern = /^v(1\.(?:0|[1-9]\d{0,8}))$/;

export function parseVersion(text: string): PolicyVersion | undefined {
  return text === 'latest' ? text : versionPattern.exec(text)?.[1];
}

export const VERSION_RULE = 'must be "latest" or "v1.x"';
