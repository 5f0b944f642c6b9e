/** OpenAPI definition names: the path of each package of the schema language. */

/** Packages with a separate path below the domain; everything else is `api.<package>`. */
const homes: readonly (readonly [schemaPrefix: string, orch: string, kubernetes: string])[] = [
  ['meta.', 'apimachinery.pkg.apis.meta.', 'apimachinery.pkg.apis.meta.'],
  ['runtime.', 'apimachinery.pkg.runtime.', 'apimachinery.pkg.runtime.'],
  ['intstr.', 'apimachinery.pkg.util.intstr.', 'apimachinery.pkg.util.intstr.'],
  ['version.', 'apimachinery.pkg.version.', 'apimachinery.pkg.version.'],
  [
    'apiextensions.',
    'apiextensions-apiserver.pkg.apis.apiextensions.',
    'apiextensions-apiserver.pkg.apis.apiextensions.',
  ],
  [
    'apiregistration.',
    'orch-aggregator.pkg.apis.apiregistration.',
    'kube-aggregator.pkg.apis.apiregistration.',
  ],
];

// `resource.Quantity` is a scalar form; `resource.v1alpha2.ResourceClaim` is an API kind.
const quantity = ['resource.Quantity', 'apimachinery.pkg.api.resource.Quantity'] as const;

export interface DefinitionNames {
  /** Prefix of the definition names of built-in types: `io.orch.` or `io.k8s.`. */
  readonly definitionPrefix: string;
  /** `core.v1.Pod` → `io.orch.api.core.v1.Pod` / `io.k8s.api.core.v1.Pod`. */
  definitionName(schemaName: string): string;
  /** The reverse; undefined for a name that is not a built-in definition. */
  schemaName(definitionName: string): string | undefined;
  /** Definition of a custom kind: the group reversed, `io.example.v1.Widget`. */
  customDefinitionName(apiGroup: string, version: string, kind: string): string;
}

/** Translations of definition names for one column of the table (0 orch, 1 kubernetes). */
export function definitionNames(column: 0 | 1): DefinitionNames {
  const prefix = column === 0 ? 'io.orch.' : 'io.k8s.';
  const rows = homes.map((row) => [row[0], prefix + row[column + 1]] as const);
  return {
    definitionPrefix: prefix,
    definitionName(schemaName) {
      if (schemaName === quantity[0]) return prefix + quantity[1];
      const row = rows.find(([from]) => schemaName.startsWith(from));
      return row === undefined ? `${prefix}api.${schemaName}` : row[1] + schemaName.slice(row[0].length);
    },
    schemaName(definitionName) {
      if (!definitionName.startsWith(prefix)) return undefined;
      if (definitionName === prefix + quantity[1]) return quantity[0];
      const row = rows.find(([, to]) => definitionName.startsWith(to));
      if (row !== undefined) return row[0] + definitionName.slice(row[1].length);
      const api = `${prefix}api.`;
      return definitionName.startsWith(api) ? definitionName.slice(api.length) : undefined;
    },
    customDefinitionName: (apiGroup, version, kind) =>
      [...apiGroup.split('.').reverse(), version, kind].join('.'),
  };
}
