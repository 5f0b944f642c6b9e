/**
 * Where a served version publishes the definitions of its kinds. A declaration is shared by versions that do not differ;
 * what is published is named after the version that serves it, with everything below that belongs to the same packages.
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

/** Where a struct that no served version claims is published: under its own name. */
export function ownHome(schemaName: string): DefinitionHome {
  const [packageName = '', version = ''] = partsOf(schemaName) ?? [];
  return { package: packageName, version, of: [packageName] };
}

/** The neutral name under which a struct appears when `home` refers to it. */
export function publishedName(schemaName: string, home: DefinitionHome): string {
  const parts = partsOf(schemaName);
  if (parts === undefined || !home.of.includes(parts[0])) return schemaName;
  return `${home.package}.${home.version}.${parts[2]}`;
}
