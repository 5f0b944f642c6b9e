import { asObject, asObjects, type JsonObject } from '../../../read.ts';
import { saidByAll } from '../v1beta1.top-level.ts';

/** A part of a definition and where its errors are reported. */
export interface Placed<T> {
  readonly path: string;
  readonly value: T;
}

/** The parts of a definition that its versions say, each once. */
export interface OlderView {
  readonly schemas: readonly (Placed<JsonObject> & { readonly hasStatus: boolean })[];
  readonly subresources: readonly Placed<JsonObject>[];
  readonly columns: readonly Placed<JsonObject>[];
}

const pathOf = (i: number, member: string): string => `spec.versions[${i}].${member}`;

/** Values of a member: that of all versions in one place, or those of each. */
function placed(versions: readonly JsonObject[], own: string, top: string): readonly Placed<unknown>[] {
  const common = saidByAll(versions, own);
  if (common !== undefined) return [{ path: `spec.${top}`, value: common }];
  return versions.flatMap((version, i) =>
    version[own] === undefined ? [] : [{ path: pathOf(i, own), value: version[own] }],
  );
}

const hasStatus = (subresources: unknown): boolean => asObject(subresources)['status'] !== undefined;

/**
 * Errors speak of what all versions say alike in the words of the older form, which said it once: `spec.validation` for
 * the schema of the only version. Clients have come to know these paths.
 */
export function olderView(versions: readonly JsonObject[]): OlderView {
  const anyStatus = versions.some((version) => hasStatus(version['subresources']));
  const commonSchema = saidByAll(versions, 'schema');
  const schemas =
    commonSchema !== undefined
      ? [{ path: 'spec.validation', value: asObject(commonSchema), hasStatus: anyStatus }]
      : versions.flatMap((version, i) =>
          version['schema'] === undefined
            ? []
            : [
                {
                  path: pathOf(i, 'schema'),
                  value: asObject(version['schema']),
                  hasStatus: hasStatus(version['subresources']),
                },
              ],
        );
  const subresources = placed(versions, 'subresources', 'subresources');
  const columns = placed(versions, 'additionalPrinterColumns', 'additionalPrinterColumns');
  return {
    schemas,
    subresources: subresources.map(({ path, value }) => ({ path, value: asObject(value) })),
    columns: columns.flatMap(({ path, value }) =>
      asObjects(value).map((column, i) => ({ path: `${path}[${i}]`, value: column })),
    ),
  };
}
