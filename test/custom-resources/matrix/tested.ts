import assert from 'node:assert/strict';
import type { Names } from '@orch/machinery';
import type { ApiClient, ApiResponse, LaunchedServer, RequestOptions, WatchEvent } from '@orch/testkit';
import { type RawAnswer, rawGet } from '../../api/raw-get.ts';
import type { Json, TestedKind } from './tested-kinds.ts';

export const NAMESPACE = 'matrix';

export const contentTypes = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** A media type with the header field that requests responses in it. */
export const accepting = (accept: string): RequestOptions => ({ headers: { accept } });

/** Requests for the objects of one kind at one server. Each test uses separate names. */
export class Tested {
  readonly names: Names;
  readonly kind: TestedKind;
  readonly #server: () => LaunchedServer;

  /** `server` is called when it runs. */
  constructor(server: () => LaunchedServer, names: Names, kind: TestedKind) {
    this.#server = server;
    this.names = names;
    this.kind = kind;
  }

  get api(): ApiClient {
    return this.#server().client;
  }

  get apiVersion(): string {
    return `${this.kind.group}/v1`;
  }

  /** Objects of all namespaces. */
  get all(): string {
    return `/apis/${this.apiVersion}/${this.kind.resource}`;
  }

  get collection(): string {
    const { namespaced, resource } = this.kind;
    return namespaced ? `/apis/${this.apiVersion}/namespaces/${NAMESPACE}/${resource}` : this.all;
  }

  path(name: string, subresource = ''): string {
    return `${this.collection}/${name}${subresource === '' ? '' : `/${subresource}`}`;
  }

  object(name: string, metadata: object = {}): Json {
    const { content, kind } = this.kind;
    return {
      apiVersion: this.apiVersion,
      kind,
      metadata: { name, ...metadata },
      ...structuredClone(content),
    };
  }

  /** A content that differs from that of `object`. */
  changed(name: string, value: string, metadata: object = {}): Json {
    return merged(this.object(name, metadata), this.kind.change(value));
  }

  async create(name: string, metadata: object = {}): Promise<Json> {
    return ok(await this.api.post(this.collection, this.changed(name, 'initial', metadata)), 201);
  }

  async read(name: string): Promise<Json> {
    return ok(await this.api.get(this.path(name)));
  }

  patch(
    path: string,
    body: object,
    type: keyof typeof contentTypes = 'merge',
    options: RequestOptions = {},
  ): Promise<ApiResponse> {
    return this.api.send('PATCH', path, { body, contentType: contentTypes[type], ...options });
  }

  /** The revision of the collection. */
  async revision(): Promise<string> {
    return ok(await this.api.get(`${this.collection}?limit=1`)).metadata.resourceVersion;
  }

  watch(path: string, signal: AbortSignal, accept?: string): AsyncGenerator<WatchEvent> {
    return this.api.watch(path, signal, accept === undefined ? {} : accepting(accept));
  }

  /** A response as its bytes. */
  bytes(path: string, options: { readonly accept?: string; readonly encoding?: string }): Promise<RawAnswer> {
    return rawGet(this.#server(), path, { ...options, whole: true });
  }

  /** Media type that requests a transformed response. */
  as(kind: string, encoding = 'application/json'): string {
    return `${encoding};as=${kind};v=v1;g=${this.names.group('meta')}`;
  }
}

/** The body of a response with this code; the test fails with the text of another one. */
export function ok(answer: ApiResponse, code = 200): Json {
  assert.equal(answer.status, code, answer.text.slice(0, 2000));
  return answer.json;
}

/** The `Status` of a refused request. */
export function refused(answer: ApiResponse, code: number, reason: string): Json {
  const status = ok(answer, code);
  assert.deepEqual([status?.kind, status?.reason], ['Status', reason], answer.text);
  return status;
}

/** Texts of the warnings of a response. */
export function warningsOf({ headers }: ApiResponse): readonly string[] {
  const { warning = [] } = headers;
  return [warning]
    .flat()
    .flatMap((line) =>
      [...line.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map((m) => (m[1] ?? '').replace(/\\(.)/g, '$1')),
    );
}

/** A merge patch, applied. */
export function merged(target: Json, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result = { ...target };
  for (const [key, value] of Object.entries(patch)) result[key] = merged(result[key], value);
  return result;
}

export const namesIn = (list: Json): readonly string[] => list.items.map((item: Json) => item.metadata.name);
