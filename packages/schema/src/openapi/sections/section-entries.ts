import { ownNames } from '../definition-home.ts';
import type { DefinitionSet } from '../definitions/definitions.ts';
import { type Builder, Definitions, type EncodedDefinitions } from '../definitions/encoded-definitions.ts';
import { addReferences, addResource } from '../definitions/resource-definitions.ts';
import type { OpenApiInput } from '../input.ts';
import { resourcePaths } from '../operations/resource-operations.ts';
import type { Compression, Encoded } from '../pieces/index.ts';
import { inTurns, nextTurn } from '../turns.ts';
import { byPath, type Contents, isCustom } from './custom-contents.ts';
import type { DocumentSection } from './document-section.ts';

/** The part of one section in the documents. */
export interface SectionEntries {
  /** In each encoding. */
  readonly paths: readonly (readonly Encoded[])[];
  /** Sorted by name. */
  readonly definitions: EncodedDefinitions;
  /** The contents of custom resources; undefined when these are not kept apart. */
  readonly contents: Contents | undefined;
  readonly compression: Compression;
}

/** The contents of the custom resources of a section. */
export type ContentsOf = (section: DocumentSection) => Promise<Contents>;

/** Paths take far less time than resources with their definitions. */
const PATHS_PER_TURN = 32;
/** To add the definitions to which the contents of a custom resource refer takes microseconds. */
const REFERENCES_PER_TURN = 64;

/**
 * Creates the paths and definitions of a section: each is encoded as soon as it is created, one resource or a few paths
 * a turn. Those of custom resources may be cached.
 */
export async function sectionEntries(
  section: DocumentSection,
  builder: Builder,
  contentsOf?: ContentsOf,
): Promise<SectionEntries> {
  const { input, encoders } = builder;
  // It has the kinds of all sections: `metaDefinitions` makes it for every document.
  const deleteOptions = input.names.definitionName(input.meta.deleteOptions.name);
  const definitions = new Definitions(builder, (name) => name !== deleteOptions);
  const paths = [...section.discovery];
  const hasCustom = section.resources.some(isCustom);
  const contents = hasCustom ? await contentsOf?.(section) : undefined;
  for (const [i, resource] of section.resources.entries()) {
    if (contents === undefined || !isCustom(resource)) {
      await inTurns(input, addResource(definitions.set, input, resource));
      await nextTurn(input);
      paths.push(...resourcePaths(input, resource));
      await nextTurn(input);
    } else {
      addReferences(definitions.set, input, resource);
      if ((i + 1) % REFERENCES_PER_TURN === 0) await nextTurn(input);
    }
  }
  const encoded = encoders.map((): Encoded[] => []);
  for (const [i, path] of byPath(paths).entries()) {
    for (const [at, encoder] of encoders.entries()) encoded[at]?.push(encoder.path(path));
    if ((i + 1) % PATHS_PER_TURN === 0) await nextTurn(input);
  }
  return {
    paths: encoded,
    definitions: definitions.sorted(),
    contents,
    // Custom kinds may be many, and change while the server runs.
    compression: hasCustom ? 'fast' : 'small',
  };
}

/** The definitions that the operations of a document refer to besides those of its resources, sorted by name. */
export function metaDefinitions(sections: readonly DocumentSection[], builder: Builder): EncodedDefinitions {
  const definitions = new Definitions(builder, () => true);
  addMeta(definitions.set, builder.input, sections);
  return definitions.sorted();
}

function addMeta(set: DefinitionSet, input: OpenApiInput, sections: readonly DocumentSection[]): void {
  const { deleteOptions, status, watchEvent, listMeta: _added, ...discovery } = input.meta;
  const answers = new Set(
    sections.flatMap((section) =>
      section.discovery.flatMap(({ operations }) => operations.map(({ answer }) => answer)),
    ),
  );
  const named = new Set([...answers].map((answer) => (answer === 'text' ? '' : answer.definition)));
  for (const schema of Object.values(discovery)) {
    if (named.has(input.names.definitionName(schema.name))) set.add(schema, ownNames);
  }
  if (sections.every(({ resources }) => resources.length === 0)) return;
  for (const schema of [deleteOptions, status, watchEvent]) set.add(schema, ownNames);
  set.put(input.names.definitionName('meta.v1.Patch'), {
    description: 'A change to an object, in the format of the content type.',
    type: 'object',
  });
}
