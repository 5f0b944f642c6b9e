import { buildDocuments } from './build.ts';
import type { KeptStructs } from './definitions/definitions.ts';
import type { ForeignSchemas } from './foreign/foreign-part.ts';
import { ForeignPieces } from './foreign/foreign-pieces.ts';
import type { DocumentEncoder, JoiningEncoder } from './formats/document-encoder.ts';
import { protobufV2 } from './formats/gnostic-v2.ts';
import { protobufV3 } from './formats/gnostic-v3.ts';
import { jsonV2 } from './formats/v2.ts';
import { jsonV3 } from './formats/v3.ts';
import type { OpenApiInput, OpenApiResource } from './input.ts';
import type { Dialect } from './json-schema/json-schema.ts';
import {
  coreVersionsPath,
  groupPath,
  groupsPath,
  resourcesPath,
  versionPath,
} from './operations/discovery-operations.ts';
import { groupVersionPath, type PathOperations } from './operations/operation.ts';
import { joinedDocument, type OpenApiDocument, packedDocument } from './packed-document.ts';
import { CustomContents } from './sections/custom-contents.ts';
import type { DocumentSection } from './sections/document-section.ts';
import type { ContentsOf } from './sections/section-entries.ts';
import { digestOf, SectionParts } from './sections/section-parts.ts';
import { Unpacking } from './unpacking.ts';

/** The published schemas of a server. Every document is built on first use, and kept. */
export interface OpenApi {
  /** `/openapi/v2`: everything in one document. */
  v2Json(): Promise<OpenApiDocument>;
  /** The same in Protobuf encoding of gnostic. */
  v2Protobuf(): Promise<OpenApiDocument>;
  /** `/openapi/v3`: where the other documents are, with their hashes. */
  v3Index(): Promise<OpenApiDocument>;
  /**
   * `/openapi/v3/<path>`, as `api/v1`, `apis/<group>/<version>` or a path of discovery; undefined for a path that is
   * not served.
   */
  v3(path: string): Promise<OpenApiDocument> | undefined;
  /** The same in Protobuf encoding; resolves to undefined when another server has it in JSON only. */
  v3Protobuf(path: string): Promise<OpenApiDocument | undefined> | undefined;
  /** All paths that `v3` accepts, sorted. */
  v3Paths(): readonly string[];
  /**
   * The documents of another set of resources and of what other servers add, this one unchanged. Built parts of group
   * versions with identical resources are shared. The hashes of two documents differ exactly when their contents do. /
   */
  replaced(resources: readonly OpenApiResource[], foreign?: readonly ForeignSchemas[]): OpenApi;
}

/**
 * The media type of the Protobuf encodings in answers. Requests name them with `@` before the version
 * (`names.mediaTypes`), which is not allowed in a media type: clients fail on an answer that repeats it.
 */
const protobufType = (version: 'v2' | 'v3'): string =>
  `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`;

/** The result of work that is done on first use; work that failed is tried again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Runs tasks one after the other, so that documents requested concurrently do not need memory at the same time. */
function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
}

const byPath = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** The documents of other servers, as they are. */
const foreignSections = (foreign: readonly ForeignSchemas[]): [string, SectionDocuments][] =>
  foreign.flatMap(({ path, v3 }): [string, SectionDocuments][] => {
    if (v3 === undefined) return [];
    const { json, protobuf } = v3;
    const section = { discovery: [], resources: [] };
    return [[path, { section, json: async () => json, protobuf: async () => protobuf }]];
  });

/** A section in version 3, with its documents. */
interface SectionDocuments {
  readonly section: DocumentSection;
  readonly json: () => Promise<OpenApiDocument>;
  readonly protobuf: () => Promise<OpenApiDocument | undefined>;
}

/** The sections of a server's documents by their path below `/openapi/v3`, sorted; those of `kept` that did not change. */
function sectionsOf(
  { input, foreign }: Contents,
  kept: ReadonlyMap<string, SectionDocuments>,
): ReadonlyMap<string, DocumentSection> {
  const groupVersions = Map.groupBy(input.resources, ({ group, version }) =>
    groupVersionPath(group, version),
  );
  const sections = new Map<string, DocumentSection>();
  const add = (
    path: string,
    resources: readonly OpenApiResource[],
    discovery: () => PathOperations,
  ): void => {
    const known = kept.get(path)?.section;
    const isSame = known !== undefined && areSame(known.resources, resources);
    sections.set(path, isSame ? known : { discovery: [discovery()], resources });
  };
  add('version', [], () => versionPath(input));
  add('apis', [], () => groupsPath(input));
  for (const [path, resources] of groupVersions) {
    const { group = '', version = '' } = resources[0] ?? {};
    if (group === '') add('api', [], () => coreVersionsPath(input));
    else add(`apis/${group}`, [], () => groupPath(input, group));
    add(path.slice(1), resources, () => resourcesPath(input, group, version));
  }
  // Another server replaces a group version of this one.
  for (const { path } of foreign) sections.delete(path);
  return new Map([...sections].sort(byPath));
}

const areSame = (a: readonly OpenApiResource[], b: readonly OpenApiResource[]): boolean =>
  a.length === b.length && a.every((resource, i) => resource === b[i]);

/** The OpenAPI documents of a set of resources. Nothing is built before it is requested. */
export const openApi = (input: OpenApiInput, foreign: readonly ForeignSchemas[] = []): OpenApi =>
  openApiWith({ input, foreign }, new Map(), sharedOf(input));

function sharedOf(input: OpenApiInput): Shared {
  const { names } = input;
  const structs = { v2: new Map(), v3: new Map() };
  const encoders = {
    v2: [jsonV2(input, names), protobufV2(input, names)],
    v3: [jsonV3(input, names)],
  } as const;
  return {
    v2: inTurn(),
    v3: inTurn(),
    sections: new SectionParts(),
    structs,
    encoders,
    custom: new CustomContents({ input, encoders, structs, digestOf }),
    foreign: [new ForeignPieces(), new ForeignPieces()],
    unpacking: new Unpacking(input),
  };
}

/** The state that the documents of all sets of resources share. */
interface Shared {
  /** A section of version 3 does not wait for version 2, which takes much longer. */
  readonly v2: ReturnType<typeof inTurn>;
  readonly v3: ReturnType<typeof inTurn>;
  /** The parts of version 2, some of which the next document is made of too. */
  readonly sections: SectionParts;
  readonly structs: Readonly<Record<Dialect, KeptStructs>>;
  readonly encoders: {
    readonly v2: readonly [JoiningEncoder, JoiningEncoder];
    readonly v3: readonly [DocumentEncoder];
  };
  readonly custom: CustomContents;
  readonly foreign: readonly ForeignPieces[];
  readonly unpacking: Unpacking;
}

/** The contents of the documents. */
interface Contents {
  readonly input: OpenApiInput;
  readonly foreign: readonly ForeignSchemas[];
}

function openApiWith(
  { input, foreign }: Contents,
  kept: ReadonlyMap<string, SectionDocuments>,
  shared: Shared,
): OpenApi {
  const document = (section: DocumentSection, encoder: DocumentEncoder, contentType: string) =>
    once(() =>
      shared.v3(async () => {
        const [pieces = []] = await buildDocuments(input, [section], [encoder], {
          structs: shared.structs.v3,
          ...(encoder === v3Encoder ? { contentsOf: keptContents(shared, 'v3') } : {}),
        });
        return joinedDocument(pieces, contentType, shared.unpacking);
      }),
    );
  const [v3Encoder] = shared.encoders.v3;
  const sections = sectionsOf({ input, foreign }, kept);
  const v3 = new Map<string, SectionDocuments>();
  for (const [path, section] of sections) {
    const known = kept.get(path);
    if (known?.section === section) v3.set(path, known);
    else {
      const json = document(section, v3Encoder, 'application/json');
      const protobuf = document(section, protobufV3(input, input.names), protobufType('v3'));
      v3.set(path, { section, json, protobuf });
    }
  }
  const documents = new Map([...v3, ...foreignSections(foreign)].sort(byPath));
  const v2 = once(() =>
    shared.v2(() =>
      wholeDocuments(
        { input, foreign },
        [...v3.values()].map(({ section }) => section),
        shared,
      ),
    ),
  );
  return {
    v2Json: async () => (await v2()).json,
    v2Protobuf: async () => (await v2()).protobuf,
    v3Index: once(() => index(documents)),
    v3: (path) => documents.get(path)?.json(),
    v3Protobuf: (path) => documents.get(path)?.protobuf(),
    v3Paths: () => [...documents.keys()],
    replaced: (resources, others = foreign) =>
      openApiWith({ input: { ...input, resources }, foreign: others }, v3, shared),
  };
}

const keptContents =
  ({ custom }: Shared, dialect: Dialect): ContentsOf =>
  (section) =>
    custom.of(section, dialect);

/** Version 2 in both encodings: its definitions are made once for them. */
async function wholeDocuments(
  { input, foreign }: Contents,
  sections: readonly DocumentSection[],
  shared: Shared,
): Promise<{ readonly json: OpenApiDocument; readonly protobuf: OpenApiDocument }> {
  const encoders = shared.encoders.v2;
  const [json = [], protobuf = []] = await buildDocuments(input, sections, encoders, {
    parts: shared.sections,
    structs: shared.structs.v2,
    contentsOf: keptContents(shared, 'v2'),
    foreign: { parts: foreign.flatMap((one) => one.v2 ?? []), pieces: shared.foreign, encoders },
  });
  return {
    json: joinedDocument(json, 'application/json', shared.unpacking),
    protobuf: joinedDocument(protobuf, protobufType('v2'), shared.unpacking),
  };
}

async function index(documents: ReadonlyMap<string, SectionDocuments>): Promise<OpenApiDocument> {
  const paths: Record<string, object> = {};
  for (const [path, { json }] of documents) {
    const { hash } = await json();
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
  }
  return packedDocument(Buffer.from(JSON.stringify({ paths })), 'application/json');
}
