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

export interface ServedDefinitionsOptions {
  readonly release: Release;
  readonly types: readonly ResourceType[];
  readonly isEnabled?: IsEnabled;
  readonly openGates?: ReadonlySet<string>;
  readonly tokenIssuer?: TokenIssuer | undefined;
}

/** The resources that a server of the release serves: without the parts of disabled feature gates, and without those that it cannot serve. */
export function servedDefinitions(
  options: ServedDefinitionsOptions,
  includes: IncludesPart,
): readonly ServedType[] {
  const { release, types, isEnabled, openGates = new Set() } = options;
  const definitions = withOpenParts(typesAt(release, types, isEnabled), { openGates, includes });
  return options.tokenIssuer === undefined ? definitions.map(withoutTokens) : definitions;
}

/** Without a signing key, the server issues no tokens and does not serve their subresource. */
function withoutTokens(definition: ServedType): ServedType {
  const subresources = definition.subresources.filter(({ behaviour }) => behaviour !== 'token');
  return subresources.length === definition.subresources.length
    ? definition
    : { ...definition, subresources };
}
