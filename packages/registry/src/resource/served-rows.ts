import {
  type IncludesPart,
  type IsEnabled,
  type Release,
  type ResourceType,
  type ServedType,
  typesAt,
  withOpenParts,
} from '@orch/apis';
import type { TokenIssuer } from '@orch/auth';

export interface ServedRowsOptions {
  readonly release: Release;
  readonly types: readonly ResourceType[];
  readonly isEnabled?: IsEnabled;
  readonly openGates?: ReadonlySet<string>;
  readonly tokenIssuer?: TokenIssuer | undefined;
}

/** What a server of the release serves: without what closed feature gates take out, and without what it cannot do. */
export function servedRows(options: ServedRowsOptions, includes: IncludesPart): readonly ServedType[] {
  const { release, types, isEnabled, openGates = new Set() } = options;
  const rows = withOpenParts(typesAt(release, types, isEnabled), { openGates, includes });
  return options.tokenIssuer === undefined ? rows.map(withoutTokens) : rows;
}

/** Without a key to sign with, the server makes no tokens and does not offer any. */
function withoutTokens(row: ServedType): ServedType {
  const subresources = row.subresources.filter(({ behaviour }) => behaviour !== 'token');
  return subresources.length === row.subresources.length ? row : { ...row, subresources };
}
