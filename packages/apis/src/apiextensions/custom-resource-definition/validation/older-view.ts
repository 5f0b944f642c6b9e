import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
} from '@orch/kinds/apiextensions';
import { sameInAll } from '../v1beta1.top-level.ts';

type Version = CustomResourceDefinitionVersion;

/** A part of a definition and where its errors are reported. */
export interface Placed<T> {
  readonly path: string;
  readonly value: T;
}

/** The versions that have a schema. */
interface SchemaUse {
  readonly hasStatus: boolean;
  readonly versions: readonly (string | undefined)[];
}

/** The per-version parts of a definition, each once. */
export interface OlderView {
  readonly schemas: readonly (Placed<CustomResourceValidation> & SchemaUse)[];
  readonly subresources: readonly Placed<CustomResourceSubresources>[];
  readonly columns: readonly Placed<CustomResourceColumnDefinition>[];
}

const pathOf = (i: number, field: string): string => `spec.versions[${i}].${field}`;

/** Values of a field: one for all versions, or one for each. */
function placed<K extends 'subresources' | 'additionalPrinterColumns'>(
  versions: readonly Version[],
  name: K,
): readonly Placed<NonNullable<Version[K]>>[] {
  const common = sameInAll(versions, name);
  if (common !== undefined) return [{ path: `spec.${name}`, value: common }];
  return versions.flatMap(({ [name]: value }, i) =>
    value === undefined ? [] : [{ path: pathOf(i, name), value }],
  );
}

const hasStatus = (subresources: Version['subresources']): boolean => subresources?.status !== undefined;

/**
 * Errors about a part that is equal in all versions use its path in the older version, where it is a top-level field:
 * `spec.validation` for the schema of the only version. Kept for compatibility.
 */
export function olderView(versions: readonly Version[]): OlderView {
  const anyStatus = versions.some((version) => hasStatus(version.subresources));
  const commonSchema = sameInAll(versions, 'schema');
  const schemas =
    commonSchema !== undefined
      ? [
          {
            path: 'spec.validation',
            value: commonSchema,
            hasStatus: anyStatus,
            versions: versions.map(({ name }) => name),
          },
        ]
      : versions.flatMap((version, i) =>
          version.schema === undefined
            ? []
            : [
                {
                  path: pathOf(i, 'schema'),
                  value: version.schema,
                  hasStatus: hasStatus(version.subresources),
                  versions: [version.name],
                },
              ],
        );
  const subresources = placed(versions, 'subresources');
  const columns = placed(versions, 'additionalPrinterColumns');
  return {
    schemas,
    subresources,
    columns: columns.flatMap(({ path, value }) =>
      value.map((column, i) => ({ path: `${path}[${i}]`, value: column })),
    ),
  };
}
