import { errors, type Names } from '@orch/machinery';
import { type MediaRange, parseAccept } from './media-range.ts';

/** What is asked for: one object, a collection, a stream of events, or something with one fixed JSON form. */
export type Shape = 'object' | 'list' | 'watch' | 'document';

/** How an answer is written. Instances are interned: equal representations are the same object. */
export interface Representation {
  readonly encoding: 'json' | 'yaml';
  readonly as: 'plain' | 'table' | 'partial';
  /** Version of the meta group for tables and partial objects. */
  readonly metaVersion: 'v1' | 'v1beta1';
  readonly contentType: string;
}

const representation = (
  encoding: 'json' | 'yaml',
  as: Representation['as'] = 'plain',
  metaVersion: Representation['metaVersion'] = 'v1',
): Representation => Object.freeze({ encoding, as, metaVersion, contentType: `application/${encoding}` });

const plainJson = representation('json');
const plainYaml = representation('yaml');
const transformed = {
  table: { v1: representation('json', 'table', 'v1'), v1beta1: representation('json', 'table', 'v1beta1') },
  partial: {
    v1: representation('json', 'partial', 'v1'),
    v1beta1: representation('json', 'partial', 'v1beta1'),
  },
} as const;

/** Longest Accept header worth remembering, and how many are. */
const REMEMBERED_LENGTH = 512;
const REMEMBERED = 128;

/**
 * Chooses the representation of an answer by the Accept header (spec 4.7, facts: negotiation). Remembers the headers
 * it has seen, up to a bound.
 */
export class Negotiator {
  readonly #metaGroup: string;
  readonly #seen: Record<Shape, Map<string, Representation>> = {
    object: new Map(),
    list: new Map(),
    watch: new Map(),
    document: new Map(),
  };

  constructor(names: Names) {
    this.#metaGroup = names.group('meta');
  }

  /** Throws a 406 `ApiError` when nothing that the client accepts can be served. */
  negotiate(accept: string | undefined, shape: Shape): Representation {
    if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*')
      return plainJson;
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
    throw errors.notAcceptable(
      shape === 'watch' ? ['application/json'] : ['application/json', 'application/yaml'],
    );
  }

  #match(range: MediaRange, shape: Shape): Representation | undefined {
    const as = range.parameters['as'];
    switch (range.type) {
      case 'application/json':
        return as === undefined ? plainJson : this.#transformed(range, as, shape);
      case '*/*':
      case 'application/*':
        return plainJson;
      case 'application/yaml':
        return as === undefined && shape !== 'watch' ? plainYaml : undefined;
      default:
        return undefined;
    }
  }

  #transformed(range: MediaRange, as: string, shape: Shape): Representation | undefined {
    const version = range.parameters['v'];
    if (range.parameters['g'] !== this.#metaGroup || (version !== 'v1' && version !== 'v1beta1'))
      return undefined;
    if (shape === 'document') return undefined;
    if (as === 'Table') return transformed.table[version];
    return as === (shape === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata')
      ? transformed.partial[version]
      : undefined;
  }
}
