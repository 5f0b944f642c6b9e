import {
  allVerbs,
  finalizerWarnings,
  isStructural,
  type KindVersion,
  keepStatus,
  ObjectMeta,
  type ResourceType,
  restoreAllButStatus,
  type Strategy,
  type Subresource,
  type SubresourceRules,
  scaleSubresource,
  statusSubresource,
  strategyOf,
} from '@orch/apis';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '@orch/kinds/apiextensions';
import { compareVersions, type Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import { structuralKind } from '@orch/schema';
import { conditionsIn, hasCondition } from '../definition/condition.ts';
import { customTable } from './columns.ts';
import { PackedSchema } from './packed-schema.ts';
import { customScale } from './scale.ts';
import { scaleCheck } from './scale-check.ts';
import { customFields } from './selectable-fields.ts';

/** One version of a definition, ready to be served. */
export interface CustomVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /**
   * The warning about a deprecated version: its own, or the default one (`''`); undefined when it is not deprecated.
   */
  readonly deprecationWarning: string | undefined;
  readonly schema: PackedSchema;
  /** The kind in this version: the resource type with this version as the only one. */
  readonly type: ResourceType;
}

/** The resource of a definition. */
export interface CustomResource {
  /** API group as served. */
  readonly group: string;
  readonly listKind: string;
  /** In order of preference: stable before beta before alpha, higher numbers first. */
  readonly versions: readonly CustomVersion[];
}

/** The spec of the definition, and the names under which it is served. */
interface Defined {
  readonly names: Names;
  readonly spec: CustomResourceDefinitionSpec;
  readonly accepted: CustomResourceDefinitionNames;
  /** Whether all schemas are known to be structural. */
  readonly isStructural: boolean;
}

/** `/status` of custom objects writes no metadata either, besides the owners of the status. */
const statusRules: SubresourceRules = {
  prepareForUpdate(next, old) {
    restoreAllButStatus(next, old);
    const { managedFields, resourceVersion } = next.metadata;
    next.metadata = {
      ...old.metadata,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    if (managedFields === undefined) delete next.metadata.managedFields;
    else next.metadata.managedFields = managedFields;
  },
};

/** The status is an ordinary field: replaces the rules of another version, which may have `/status`. */
const withoutStatus = { prepareForUpdate: (): void => {}, through: {} };

/** Writes of custom objects: a separate status subresource isolates spec and status from each other. */
function strategyFor(version: CustomResourceDefinitionVersion): Strategy {
  const base = strategyOf({ unconditionalUpdate: false, generation: 'spec', warnings: finalizerWarnings });
  if (version.subresources?.status === undefined) return { ...base, ...withoutStatus };
  return { ...base, resetStatus: true, prepareForUpdate: keepStatus, through: { status: statusRules } };
}

function subresourcesOf(
  version: CustomResourceDefinitionVersion,
  { accepted, spec }: Defined,
): readonly Subresource[] {
  const { scale, status } = version.subresources ?? {};
  const kind = accepted.kind ?? '';
  return [
    ...(status === undefined ? [] : [statusSubresource(kind, spec.group ?? '', version.name ?? '')]),
    ...(scale === undefined ? [] : [scaleSubresource]),
  ];
}

function kindVersion(
  version: CustomResourceDefinitionVersion,
  schema: PackedSchema,
  defined: Defined,
): KindVersion {
  const { accepted, isStructural: isKnown, names, spec } = defined;
  const { scale } = version.subresources ?? {};
  const [group, name, kind] = [spec.group ?? '', version.name ?? '', accepted.kind ?? ''];
  return {
    version: name,
    schema: structuralKind({
      name: `${group}.${name}.${kind}`,
      doc: '',
      metadata: ObjectMeta,
      structural: () => schema.structural(),
      reading: () => schema.reading(),
      ...(scale === undefined ? {} : { checks: [scaleCheck(scale)] }),
      custom: {
        group,
        version: name,
        kind,
        listKind: accepted.listKind ?? '',
        document: publishedDocument(schema, names, isKnown),
      },
    }),
  };
}

/** A version in published documents: schemas that are not structural, which is checked once where it is not known, are not published. */
function publishedDocument(
  schema: PackedSchema,
  names: Names,
  isKnown: boolean,
): () => Work<JsonObject | undefined> {
  let isPublished = isKnown ? true : undefined;
  return function* () {
    if (schema.size === 0 || isPublished === false) return undefined;
    const document = schema.document();
    yield;
    isPublished ??= yield* isStructural(document, names);
    return isPublished ? document : undefined;
  };
}

function typeOf(
  version: CustomResourceDefinitionVersion,
  schema: PackedSchema,
  defined: Defined,
): ResourceType {
  const { accepted, spec } = defined;
  const { scale } = version.subresources ?? {};
  return {
    group: spec.group ?? '',
    resource: accepted.plural ?? '',
    singular: accepted.singular ?? '',
    kind: accepted.kind ?? '',
    namespaced: spec.scope === 'Namespaced',
    shortNames: accepted.shortNames ?? [],
    categories: accepted.categories ?? [],
    verbs: allVerbs,
    versions: [kindVersion(version, schema, defined)],
    jsonOnly: true,
    lacksMergeKeys: true,
    nameFormat: 'dns1123subdomain',
    unqualifiedFinalizers: true,
    strategy: strategyFor(version),
    subresources: subresourcesOf(version, defined),
    fields: customFields(version.selectableFields ?? []),
    table: customTable(version.additionalPrinterColumns ?? []),
    ...(scale === undefined ? {} : { scale: customScale(scale) }),
  };
}

/** The schema of a version; everything is preserved when the definition sets that as a whole. */
function schemaOf(version: CustomResourceDefinitionVersion, { names, spec }: Defined): PackedSchema {
  const openAPIV3Schema = version.schema?.openAPIV3Schema;
  const preserves = spec.preserveUnknownFields === true;
  if (openAPIV3Schema === undefined || !preserves) {
    return new PackedSchema(openAPIV3Schema, names);
  }
  const key = names.schemaExtensions.preserveUnknownFields;
  return new PackedSchema({ ...openAPIV3Schema, [key]: true }, names, { preservesAll: true });
}

function customVersion(version: CustomResourceDefinitionVersion, defined: Defined): CustomVersion {
  const schema = schemaOf(version, defined);
  const { deprecated, deprecationWarning = '', name = '', served, storage } = version;
  return {
    name,
    served: served === true,
    storage: storage === true,
    deprecationWarning: deprecated === true ? deprecationWarning : undefined,
    schema,
    type: typeOf(version, schema, defined),
  };
}

/** Schemas are checked before a definition is established; the condition tells those that are not structural. */
const wasFoundStructural = (definition: CustomResourceDefinition): boolean =>
  hasCondition(definition, 'Established', 'True') &&
  !conditionsIn(definition).some(({ type }) => type === 'NonStructuralSchema');

/**
 * The resource that a definition (in v1, decoded and validated) defines, under the names that were accepted. Schemas are
 * neither parsed nor compiled before their first use.
 */
export function customResource(definition: CustomResourceDefinition, names: Names): CustomResource {
  const { spec = {}, status: { acceptedNames: accepted = {} } = {} } = definition;
  const isStructural = wasFoundStructural(definition);
  const versions = (spec.versions ?? []).map((one) =>
    customVersion(one, { names, spec, accepted, isStructural }),
  );
  return {
    group: spec.group ?? '',
    listKind: accepted.listKind ?? '',
    versions: versions.sort((a, b) => compareVersions(a.name, b.name)),
  };
}
