import { builtinTypes, type Release, type ServedType, typesAt } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { type RepeatingField, repeatingFields } from '@orch/schema/testing';
import type { ApiFixture } from '@orch/server/testing';
import { manifestsOf, readManifests } from './manifests.ts';
import { type ServedKind, servedKinds } from './served-kinds.ts';

/** A list, a map or a value of any form in objects of a kind. */
export interface LargeField {
  readonly served: ServedKind;
  readonly field: RepeatingField;
  /** Of the kind. */
  readonly schema: ServedType['served'][number]['schema'];
  /** The object of the kind's manifest, in which the field has about that many bytes of JSON. */
  readonly objectOf: (bytes: number) => object;
}

const names = namesFor('orch');

/** Every such field of every kind that clients create, whose manifests are in the naming of the project. */
export async function largeFieldsOf(
  api: Pick<ApiFixture, 'get'>,
  release: Release,
): Promise<readonly LargeField[]> {
  const declared = typesAt(release, builtinTypes, () => true);
  return (await servedKinds(api, release)).flatMap((served) => {
    const schema = schemaOf(declared, served);
    const [manifest] = manifestsOf(readManifests(names), served);
    if (schema === undefined || manifest === undefined || !served.verbs.includes('create')) return [];
    return repeatingFields(schema)
      .filter(({ kind }) => kind !== 'text')
      .map((field) => ({
        served,
        field,
        schema,
        objectOf: (bytes: number) => field.fill(manifest.object, bytes),
      }));
  });
}

function schemaOf(
  declared: readonly ServedType[],
  { apiVersion, kind }: ServedKind,
): ServedType['served'][number]['schema'] | undefined {
  const versions = declared
    .filter((type) => type.kind === kind)
    .flatMap((type) =>
      type.served.map((version) => ({
        apiVersion: names.apiVersion(version.group ?? type.group, version.version),
        schema: version.schema,
      })),
    );
  return versions.find((version) => version.apiVersion === apiVersion)?.schema;
}
