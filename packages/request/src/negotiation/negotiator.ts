import { errors, type Names } from '@orch/machinery';
import { type MediaRange, parseAccept } from './media-range.ts';
import { type Representation, type Representations, representations } from './representation.ts';

/**
 * What is asked for: one object, a collection, a stream of events; an answer that has no form but its own (`plain`: the
 * Scale of an object, a Status); or a document about the server (discovery).
 */
export type Shape = 'object' | 'list' | 'watch' | 'plain' | 'document';

/** Longest Accept header worth remembering, and how many are. */
const REMEMBERED_LENGTH = 512;
const REMEMBERED = 128;

/**
 * Chooses the representation of an answer by the Accept header (spec 4.7, facts: negotiation). Remembers the headers
 * it has seen, up to a bound.
 */
export class Negotiator {
  readonly #metaGroup: string;
  readonly #protobuf: string;
  readonly #forms: Representations;
  readonly #seen: Record<Shape, Map<string, Representation>> = {
    object: new Map(),
    list: new Map(),
    watch: new Map(),
    plain: new Map(),
    document: new Map(),
  };

  constructor(names: Names) {
    this.#metaGroup = names.group('meta');
    this.#protobuf = names.mediaTypes.protobuf;
    this.#forms = representations(this.#protobuf);
  }

  /** Throws a 406 `ApiError` when nothing that the client accepts can be served. */
  negotiate(accept: string | undefined, shape: Shape): Representation {
    if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*')
      return this.#forms.json.plain;
    const seen = this.#seen[shape];
    const known = seen.get(accept);
    if (known !== undefined) return known;
    const chosen = this.#choose(accept, shape);
    if (accept.length <= REMEMBERED_LENGTH) {
      if (seen.size >= REMEMBERED) seen.clear();
      seen.set(accept, chosen);
    }
    return chosen;
  }

  #choose(accept: string, shape: Shape): Representation {
    for (const range of parseAccept(accept)) {
      const found = this.#match(range, shape);
      if (found !== undefined) return found;
    }
    throw errors.notAcceptable([
      'application/json',
      ...(shape === 'watch' ? [] : ['application/yaml']),
      this.#protobuf,
    ]);
  }

  #match(range: MediaRange, shape: Shape): Representation | undefined {
    const as = range.parameters['as'];
    const { json, yaml, protobuf, protobufStream } = this.#forms;
    switch (range.type) {
      case 'application/json':
        return as === undefined ? json.plain : this.#transformed(range, as, shape, json);
      case '*/*':
      case 'application/*':
        return json.plain;
      case 'application/yaml':
        return as === undefined && shape !== 'watch' ? yaml : undefined;
      case this.#protobuf: {
        const forms = shape === 'watch' ? protobufStream : protobuf;
        // Cells of a table are JSON values, for which Protobuf has no form.
        if (as === 'Table') return undefined;
        return as === undefined ? forms.plain : this.#transformed(range, as, shape, forms);
      }
      default:
        return undefined;
    }
  }

  #transformed(
    range: MediaRange,
    as: string,
    shape: Shape,
    forms: Representations['json'],
  ): Representation | undefined {
    const version = range.parameters['v'];
    if (range.parameters['g'] !== this.#metaGroup || (version !== 'v1' && version !== 'v1beta1'))
      return undefined;
    if (shape === 'document' || shape === 'plain') return undefined;
    if (as === 'Table') return forms.table[version];
    return as === (shape === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata')
      ? forms.partial[version]
      : undefined;
  }
}
