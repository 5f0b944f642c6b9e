import type { Names } from '@orch/machinery';
import type { StructSchema } from '../schema.ts';

/**
 * The names under which a served version publishes the definitions of its kinds. A declaration is shared by versions
 * that do not differ; the published definition is named after the version that serves it, with everything below that
 * belongs to the same packages.
 */
export interface DefinitionHome {
  /** Package and version that the published names begin with: `rbac`, `v1beta1`. */
  readonly package: string;
  readonly version: string;
  /** Packages whose structs are published here, in whichever version they are declared: `networking`, `extensions`. */
  readonly of: readonly string[];
}

/** `rbac.v1.Role` in its parts; undefined for a name without a version (`resource.Quantity`). */
function partsOf(schemaName: string): readonly [string, string, string] | undefined {
  const [packageName, version, kind, ...more] = schemaName.split('.');
  if (packageName === undefined || version === undefined || kind === undefined || more.length > 0)
    return undefined;
  return [packageName, version, kind];
}

/** The name of a struct that belongs to no served version: its own. */
export function ownHome(schemaName: string): DefinitionHome {
  const [packageName = '', version = ''] = partsOf(schemaName) ?? [];
  return { package: packageName, version, of: [packageName] };
}

/** The names of built-in structs in custom kinds and the operations of every group: their own. */
export const ownNames: DefinitionHome = { package: '', version: '', of: [] };

/** The canonical name under which a struct appears when `home` refers to it. */
export function publishedName(schemaName: string, home: DefinitionHome): string {
  const parts = partsOf(schemaName);
  if (parts === undefined || !home.of.includes(parts[0])) return schemaName;
  return `${home.package}.${home.version}.${parts[2]}`;
}

/**
 * The name in documents of the definition of a schema. Custom kinds are named by their group, reversed. A group that would
 * lead to the name of a built-in definition has another one: a definition must not replace it.
 */
export function definitionNameOf(
  names: Names,
  { custom, name }: Pick<StructSchema, 'custom' | 'name'>,
  home: DefinitionHome = ownHome(name),
): string {
  if (custom === undefined) return names.definitionName(publishedName(name, home));
  return customName(names, custom.group, custom.version, custom.kind);
}

/** The name of the definition of the lists of a kind. */
export function listDefinitionNameOf(
  names: Names,
  { custom, name }: Pick<StructSchema, 'custom' | 'name'>,
  home: DefinitionHome = ownHome(name),
): string {
  if (custom === undefined) return names.definitionName(`${publishedName(name, home)}List`);
  return customName(names, custom.group, custom.version, custom.listKind);
}

function customName(names: Names, group: string, version: string, kind: string): string {
  const name = names.customDefinitionName(group, version, kind);
  return names.schemaName(name) === undefined ? name : `custom.${name}`;
}
