import type { Names } from '@orch/machinery';
import { definitionNameOf, listDefinitionNameOf } from '../definition-home.ts';
import type { OpenApiInput, OpenApiKind, OpenApiResource, OpenApiSubresource } from '../input.ts';
import { type Action, actionParameters, commonParameters, type Parameter } from './parameters.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/** The content of a body or an answer: a definition by name, or plain text. */
export type Content = { readonly definition: string } | 'text';

/** One operation, before it is written for a document version. */
export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** Absent where nothing is done to a resource: discovery. */
  readonly action?: Action;
  readonly kind?: OpenApiKind;
  readonly query: readonly Parameter[];
  readonly body?: { readonly content: Content; readonly required: boolean };
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  /** Status codes of success, all with the same content. */
  readonly codes: readonly number[];
  readonly answer: Content;
}

/** A path with its operations. */
export interface PathOperations {
  readonly path: string;
  /** Common to all operations. */
  readonly parameters: readonly Parameter[];
  readonly operations: readonly Operation[];
}

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Words of the group in names: `core`, `apps`, `rbacAuthorization`; groups of others with their whole domain. */
export function groupWord(group: string, names: Names): string {
  if (group === '') return 'core';
  const labels = group.split('.');
  const own = names.groupKey(group) !== undefined && labels.length > 2 ? labels.slice(0, -2) : labels;
  return own.map((label, i) => (i === 0 ? label : capital(label))).join('');
}

/** `/api/v1`, `/apis/apps/v1`. */
export const groupVersionPath = (group: string, version: string): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** Name in the document of the kind of a resource, or of the body of a subresource. */
export const definitionOf = (
  names: Names,
  { schema, home }: Pick<OpenApiResource, 'schema' | 'home'>,
): string => definitionNameOf(names, schema, home);

/** Name in the document of the lists of a resource. */
export const listDefinitionOf = (
  names: Names,
  { schema, home }: Pick<OpenApiResource, 'schema' | 'home'>,
): string => listDefinitionNameOf(names, schema, home);

type Extra = Partial<Pick<Operation, 'body' | 'consumes' | 'produces' | 'query' | 'codes' | 'kind'>>;

interface IdParts {
  /** Before the scope: `Collection`, `Get`. */
  readonly before?: string;
  /** At the end: a subresource. */
  readonly suffix?: string;
  readonly everywhere?: boolean;
}

type MediaTypes = Pick<OpenApiInput, 'objectMediaTypes' | 'streamMediaTypes' | 'patchMediaTypes'>;

/** Custom kinds have no Protobuf encoding, and their lists no merge keys. */
function withoutBuiltIn({ objectMediaTypes, patchMediaTypes, streamMediaTypes }: MediaTypes): MediaTypes {
  const isText = (type: string): boolean => !type.includes('protobuf');
  return {
    objectMediaTypes: objectMediaTypes.filter(isText),
    streamMediaTypes: streamMediaTypes.filter(isText),
    patchMediaTypes: patchMediaTypes.filter((type) => !type.includes('strategic-merge-patch')),
  };
}

/** The common parts of the operations of one resource. Definitions are referred to by name. */
export class OperationMaker {
  readonly input: OpenApiInput;
  readonly resource: OpenApiResource;
  /** `/api/v1`, `/apis/apps/v1`. */
  readonly base: string;
  readonly #word: string;

  constructor(input: OpenApiInput, resource: OpenApiResource) {
    this.input = input;
    this.resource = resource;
    this.base = groupVersionPath(resource.group, resource.version);
    this.#word = groupWord(resource.group, input.names);
  }

  has(verb: string): boolean {
    return this.resource.verbs.includes(verb);
  }

  /** `pods`, `namespaces/{namespace}/pods`. */
  collection(): string {
    const { namespaced, resource } = this.resource;
    return namespaced ? `namespaces/{namespace}/${resource}` : resource;
  }

  /** Parameters of a path: the last of them is common to all paths but those that hand the connection over. */
  path(
    path: string,
    named: boolean,
    operations: readonly Operation[],
    more?: readonly Parameter[],
  ): PathOperations {
    const parameters = [
      ...(named ? [commonParameters.name(this.resource.kind)] : []),
      ...(path.includes('{namespace}') ? [commonParameters.namespace] : []),
      ...(more ?? [commonParameters.pretty]),
    ];
    return { path: `${this.base}/${path}`, parameters, operations };
  }

  id(verb: string, { before = '', suffix = '', everywhere = false }: IdParts = {}): string {
    const { kind, namespaced, version } = this.resource;
    const scope = namespaced && !everywhere ? 'Namespaced' : '';
    const tail = everywhere ? `${suffix}ForAllNamespaces` : suffix;
    return `${verb}${capital(this.#word)}${capital(version)}${before}${scope}${kind}${tail}`;
  }

  operation(
    [method, action, id]: readonly [Method, Action, string],
    description: string,
    answer: Content,
    extra: Extra = {},
  ): Operation {
    const { group, version, kind } = this.resource;
    const query: readonly Parameter[] = actionParameters[action];
    return {
      method,
      action,
      id,
      description,
      answer,
      kind: { group, version, kind },
      tag: `${this.#word}_${version}`,
      query: this.input.fieldValidation ? query : query.filter(({ name }) => name !== 'fieldValidation'),
      consumes: ['*/*'],
      produces: this.mediaTypes.objectMediaTypes,
      codes: [200],
      ...extra,
    };
  }

  definition(schemaName: string): Content {
    return { definition: this.input.names.definitionName(schemaName) };
  }

  self(): Content {
    return { definition: definitionOf(this.input.names, this.resource) };
  }

  list(): Content {
    return { definition: listDefinitionOf(this.input.names, this.resource) };
  }

  /** Media types of objects in responses, those of further encodings of lists, and those of patches. */
  get mediaTypes(): MediaTypes {
    const { custom } = this.resource.schema;
    return custom === undefined ? this.input : withoutBuiltIn(this.input);
  }

  /** The content that a subresource of the type `object` reads and writes. */
  bodyOf({ schema, home }: OpenApiSubresource): Content {
    if (schema === undefined) return this.self();
    const place = home === undefined ? { schema } : { schema, home };
    return { definition: definitionOf(this.input.names, place) };
  }
}
