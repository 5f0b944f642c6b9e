import { builtinTypes, findTypeOfKind, type KindVersion, type ResourceType } from '@orch/apis';
import { type Names, namesFor, namingOf, parseApiVersion } from '@orch/machinery';
import { asText, type JsonObject } from '@orch/machinery/json';

/** A version of a built-in kind, as an object names it. */
export interface FoundVersion {
  readonly type: ResourceType;
  readonly version: KindVersion;
  /** The naming of the object; the given one for groups that have one name. */
  readonly names: Names;
}

/**
 * The declaration of the kind of an object; undefined for kinds that are not built in. Works offline: declarations of all
 * releases are part of the program.
 */
export function findVersion(object: JsonObject, otherwise: Names): FoundVersion | undefined {
  const apiVersion = asText(object['apiVersion']);
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) return undefined;
  const naming = namingOf(apiVersion);
  const names = naming === undefined ? otherwise : namesFor(naming);
  const group = groupKeyOf(parsed.group, names);
  if (group === undefined) return undefined;
  const type = findTypeOfKind(group, parsed.version, asText(object['kind']), builtinTypes);
  const version = type?.versions.find(
    (one) => one.version === parsed.version && (one.group ?? type.group) === group,
  );
  return type === undefined || version === undefined ? undefined : { type, version, names };
}

/** The key of a group as declarations have it; that of the core group is empty. */
function groupKeyOf(group: string, names: Names): string | undefined {
  if (group === '') return '';
  return names.groupKey(group);
}

export const apiVersionOf = ({ type, version, names }: FoundVersion): string =>
  names.apiVersion(version.group ?? type.group, version.version);

/** The same version of a kind in words: `networking.k8s.io/v1 Ingress`. */
export const versionText = (found: FoundVersion): string =>
  `${apiVersionOf(found)} ${found.version.differs?.kind ?? found.type.kind}`;
