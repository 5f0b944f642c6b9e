import type { Names } from '@orch/machinery';
import type { OpenApiInput, OpenApiKind, OpenApiResource, OpenApiSubresource } from './input.ts';
import {
  type Action,
  actionParameters,
  commonParameters,
  optionParameters,
  type Parameter,
} from './parameters.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/** What a body or an answer holds: a definition by name, or plain text. */
export type Content = { readonly definition: string } | 'text';

/** One operation, before it is written in the form of a document version. */
export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly action: Action;
  readonly kind: OpenApiKind;
  readonly tag: string;
  readonly description: string;
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

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Words of the group in names: `core`, `apps`, `rbacAuthorization`; groups of others with their whole domain. */
function groupWord(group: string, names: Names): string {
  if (group === '') return 'core';
  const labels = group.split('.');
  const own = names.groupKey(group) !== undefined && labels.length > 2 ? labels.slice(0, -2) : labels;
  return own.map((label, i) => (i === 0 ? label : capital(label))).join('');
}

/** `/api/v1`, `/apis/apps/v1`. */
export const groupVersionPath = (group: string, version: string): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

type Extra = Partial<Pick<Operation, 'body' | 'consumes' | 'produces' | 'query' | 'codes'>>;

/** Makes the operations of one resource. Definitions are referred to by name. */
export class ResourceOperations {
  readonly #input: OpenApiInput;
  readonly #resource: OpenApiResource;
  readonly #word: string;

  constructor(input: OpenApiInput, resource: OpenApiResource) {
    this.#input = input;
    this.#resource = resource;
    this.#word = groupWord(resource.group, input.names);
  }

  paths(): PathOperations[] {
    const { namespaced, resource, group, version } = this.#resource;
    const base = groupVersionPath(group, version);
    const collection = namespaced ? `${base}/namespaces/{namespace}/${resource}` : `${base}/${resource}`;
    const all = [
      this.#path(collection, false, this.#collectionOperations()),
      this.#path(`${collection}/{name}`, true, this.#objectOperations()),
      ...this.#resource.subresources.flatMap((sub) =>
        this.#subresource(`${collection}/{name}/${sub.name}`, sub),
      ),
    ];
    if (namespaced && this.#has('list')) {
      const everywhere = this.#list(this.#id('list', { everywhere: true }));
      all.push({
        path: `${base}/${resource}`,
        parameters: [commonParameters.pretty],
        operations: [everywhere],
      });
    }
    return all.filter((path) => path.operations.length > 0);
  }

  #has(verb: string): boolean {
    return this.#resource.verbs.includes(verb);
  }

  #path(
    path: string,
    named: boolean,
    operations: readonly Operation[],
    more: readonly Parameter[] = [],
  ): PathOperations {
    const parameters = [
      ...(named ? [commonParameters.name(this.#resource.kind)] : []),
      ...(this.#resource.namespaced ? [commonParameters.namespace] : []),
      ...more,
      commonParameters.pretty,
    ];
    return { path, parameters, operations };
  }

  #id(verb: string, extra: { before?: string; suffix?: string; everywhere?: boolean } = {}): string {
    const { kind, namespaced, version } = this.#resource;
    const scope = namespaced && !extra.everywhere ? 'Namespaced' : '';
    const tail = extra.everywhere ? 'ForAllNamespaces' : (extra.suffix ?? '');
    return `${verb}${capital(this.#word)}${capital(version)}${extra.before ?? ''}${scope}${kind}${tail}`;
  }

  #operation(
    method: Method,
    action: Action,
    id: string,
    description: string,
    answer: Content,
    extra: Extra = {},
  ): Operation {
    const { group, version, kind } = this.#resource;
    const query: readonly Parameter[] = actionParameters[action];
    return {
      method,
      action,
      id,
      description,
      answer,
      kind: { group, version, kind },
      tag: `${this.#word}_${version}`,
      query: this.#input.fieldValidation ? query : query.filter(({ name }) => name !== 'fieldValidation'),
      consumes: ['*/*'],
      produces: this.#input.objectMediaTypes,
      codes: [200],
      ...extra,
    };
  }

  #definition(schemaName: string): Content {
    return { definition: this.#input.names.definitionName(schemaName) };
  }

  #self(): Content {
    return this.#definition(this.#resource.schema.name);
  }

  #list(id: string): Operation {
    const produces = this.#has('watch')
      ? [...this.#input.objectMediaTypes, ...this.#input.streamMediaTypes]
      : this.#input.objectMediaTypes;
    const answer = this.#definition(`${this.#resource.schema.name}List`);
    const description = `Lists or watches objects of kind ${this.#resource.kind}.`;
    return this.#operation('get', 'list', id, description, answer, { produces });
  }

  #collectionOperations(): Operation[] {
    const { kind } = this.#resource;
    const operations: Operation[] = [];
    if (this.#has('list')) operations.push(this.#list(this.#id('list')));
    if (this.#has('create')) {
      const extra = { body: { content: this.#self(), required: true }, codes: [200, 201, 202] };
      operations.push(
        this.#operation('post', 'post', this.#id('create'), `Creates a ${kind}.`, this.#self(), extra),
      );
    }
    if (this.#has('deletecollection')) {
      const id = this.#id('delete', { before: 'Collection' });
      const body = { content: this.#definition('meta.v1.DeleteOptions'), required: false };
      const answer = this.#definition('meta.v1.Status');
      operations.push(
        this.#operation('delete', 'deletecollection', id, `Deletes a collection of ${kind}.`, answer, {
          body,
        }),
      );
    }
    return operations;
  }

  #objectOperations(): Operation[] {
    const { kind, verbs, deleteReturnsObject } = this.#resource;
    const operations = this.#readAndWrite(verbs, `the ${kind}`, '', this.#self());
    if (this.#has('delete')) {
      const body = { content: this.#definition('meta.v1.DeleteOptions'), required: false };
      const answer = deleteReturnsObject === true ? this.#self() : this.#definition('meta.v1.Status');
      const extra = { body, codes: [200, 202] };
      operations.push(
        this.#operation('delete', 'delete', this.#id('delete'), `Deletes a ${kind}.`, answer, extra),
      );
    }
    return operations;
  }

  /** GET, PUT and PATCH of an object or of one of its subresources. */
  #readAndWrite(verbs: readonly string[], what: string, suffix: string, content: Content): Operation[] {
    const operations: Operation[] = [];
    if (verbs.includes('get')) {
      operations.push(this.#operation('get', 'get', this.#id('read', { suffix }), `Reads ${what}.`, content));
    }
    if (verbs.includes('update')) {
      const extra = { body: { content, required: true }, codes: [200, 201] };
      const id = this.#id('replace', { suffix });
      operations.push(this.#operation('put', 'put', id, `Replaces ${what}.`, content, extra));
    }
    if (verbs.includes('patch')) {
      const body = { content: this.#definition('meta.v1.Patch'), required: true };
      const extra = { body, codes: [200, 201], consumes: this.#input.patchMediaTypes };
      const id = this.#id('patch', { suffix });
      operations.push(this.#operation('patch', 'patch', id, `Changes parts of ${what}.`, content, extra));
    }
    return operations;
  }

  #subresource(path: string, sub: OpenApiSubresource): PathOperations[] {
    const suffix = capital(sub.name);
    if (sub.form === 'stream' || sub.form === 'proxy') return this.#connections(path, sub, suffix);
    const operations = sub.form === 'text' ? [this.#text(sub, suffix)] : this.#objectSubresource(sub, suffix);
    return [
      this.#path(
        path,
        true,
        operations.map((operation) => ({ ...operation, kind: this.#kindOf(sub) })),
      ),
    ];
  }

  /** Text of an object is documented as a read of the object itself. */
  #kindOf(sub: OpenApiSubresource): OpenApiKind {
    const { group, version, kind } = this.#resource;
    return sub.form === 'text' ? { group, version, kind } : sub.kind;
  }

  #text(sub: OpenApiSubresource, suffix: string): Operation {
    const extra = {
      produces: ['text/plain', ...this.#input.objectMediaTypes],
      query: optionParameters(sub.schema),
    };
    const description = `Reads the ${sub.name} of the ${this.#resource.kind}.`;
    return this.#operation('get', 'get', this.#id('read', { suffix }), description, 'text', extra);
  }

  #objectSubresource(sub: OpenApiSubresource, suffix: string): Operation[] {
    const content = sub.schema === undefined ? this.#self() : this.#definition(sub.schema.name);
    const what = `the ${sub.name} of the ${this.#resource.kind}`;
    const operations = this.#readAndWrite(sub.verbs, what, suffix, content);
    if (sub.verbs.includes('create')) {
      const extra = { body: { content, required: true }, codes: [200, 201, 202] };
      const id = this.#id('create', { suffix });
      operations.push(this.#operation('post', 'post', id, `Creates ${what}.`, content, extra));
    }
    return operations;
  }

  #connections(path: string, sub: OpenApiSubresource, suffix: string): PathOperations[] {
    const every: Method[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
    const methods: Method[] = sub.form === 'proxy' ? every : ['get', 'post'];
    const query = optionParameters(sub.schema);
    const at = (tail: string): Operation[] =>
      methods.map((method) => {
        const id = this.#id('connect', { before: capital(method), suffix: suffix + tail });
        const description = `Connects ${method.toUpperCase()} requests to the ${sub.name} of the ${this.#resource.kind}.`;
        const extra = { produces: ['*/*'], query };
        return { ...this.#operation(method, 'connect', id, description, 'text', extra), kind: sub.kind };
      });
    const paths = [this.#path(path, true, at(''))];
    if (sub.form === 'proxy') {
      paths.push(this.#path(`${path}/{path}`, true, at('WithPath'), [commonParameters.proxyPath]));
    }
    return paths;
  }
}
