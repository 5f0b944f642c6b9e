import { errors, type Names } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { queryValue } from '../info/query.ts';
import type { ApiRequest } from '../message/types.ts';
import { type MediaRange, parseAccept } from './media-range.ts';
import {
  CBOR,
  CBOR_SEQUENCE,
  type Representation,
  type Representations,
  representations,
} from './representation.ts';

/**
 * The requested form: one object, a collection, a stream of events, also of a kind whose objects have no Protobuf
 * encoding (`json…`: only their metadata has one); a reply with one format only (`plain`: a Status, a review); or a
 * document about the server (discovery).
 */
export type Shape = ResourceShape | 'jsonObject' | 'jsonList' | 'jsonWatch' | 'plain' | 'document';
export type ResourceShape = 'object' | 'list' | 'watch';

/** The shapes of replies about a resource. */
export type ResourceShapes = Readonly<Record<ResourceShape, Shape>>;

export const objectShapes: ResourceShapes = { object: 'object', list: 'list', watch: 'watch' };
/** Shapes of a kind whose objects have no Protobuf encoding. */
export const jsonObjectShapes: ResourceShapes = {
  object: 'jsonObject',
  list: 'jsonList',
  watch: 'jsonWatch',
};

/** Reports whether the reply is a stream of events. */
export const isWatch = (shape: Shape): boolean => shape === 'watch' || shape === 'jsonWatch';

const lacksProtobuf = (shape: Shape): boolean =>
  shape === 'jsonObject' || shape === 'jsonList' || shape === 'jsonWatch';

/** Formats that only some servers serve. */
export interface ServedFormats {
  readonly cbor: boolean;
}

/** Maximum length and number of cached Accept headers. */
const MAX_CACHED_LENGTH = 512;
const bounds = { maxEntries: 128 };

/**
 * Chooses the representation of a reply by the Accept header (spec 4.7, facts: negotiation). Results are cached by
 * header, up to a bound.
 */
export class Negotiator {
  readonly #metaGroup: string;
  readonly #protobuf: string;
  readonly #hasCbor: boolean;
  readonly #formats: Representations;
  readonly #seen: Record<Shape, BoundedCache<string, Representation>> = {
    object: new BoundedCache(bounds),
    list: new BoundedCache(bounds),
    watch: new BoundedCache(bounds),
    jsonObject: new BoundedCache(bounds),
    jsonList: new BoundedCache(bounds),
    jsonWatch: new BoundedCache(bounds),
    plain: new BoundedCache(bounds),
    document: new BoundedCache(bounds),
  };

  /** `formats.cbor`: replies in CBOR are served. */
  constructor(names: Names, formats: ServedFormats) {
    this.#metaGroup = names.group('meta');
    this.#protobuf = names.mediaTypes.protobuf;
    this.#hasCbor = formats.cbor;
    this.#formats = representations(this.#protobuf);
  }

  /** Throws a 406 `ApiError` when no accepted media type can be served. */
  negotiate(accept: string | undefined, shape: Shape): Representation {
    if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*')
      return this.#formats.json.plain;
    const seen = this.#seen[shape];
    const cached = seen.get(accept);
    if (cached !== undefined) return cached;
    const chosen = this.#choose(accept, shape);
    if (accept.length <= MAX_CACHED_LENGTH) seen.set(accept, chosen);
    return chosen;
  }

  #choose(accept: string, shape: Shape): Representation {
    for (const range of parseAccept(accept)) {
      const found = this.#match(range, shape);
      if (found !== undefined) return found;
    }
    throw errors.notAcceptable([
      'application/json',
      ...(isWatch(shape) ? [] : ['application/yaml']),
      ...(lacksProtobuf(shape) ? [] : [this.#protobuf]),
      ...(this.#hasCbor ? [isWatch(shape) ? CBOR_SEQUENCE : CBOR] : []),
    ]);
  }

  #match(range: MediaRange, shape: Shape): Representation | undefined {
    const as = range.parameters['as'];
    const { json, yaml, protobuf, protobufStream } = this.#formats;
    switch (range.type) {
      case 'application/json':
        return as === undefined ? json.plain : this.#transformed(range, as, shape, json);
      case '*/*':
      case 'application/*':
        return json.plain;
      case 'application/yaml':
        return as === undefined && !isWatch(shape) ? yaml : undefined;
      case this.#protobuf: {
        const formats = isWatch(shape) ? protobufStream : protobuf;
        // Cells of a table are JSON values, which Protobuf cannot express.
        if (as === 'Table') return undefined;
        if (as !== undefined) return this.#transformed(range, as, shape, formats);
        return lacksProtobuf(shape) ? undefined : formats.plain;
      }
      case CBOR:
      case CBOR_SEQUENCE:
        return this.#cbor(range, shape);
      default:
        return undefined;
    }
  }

  /** Watches are sequences, whichever of the two types the client accepts; other replies are one data item. */
  #cbor(range: MediaRange, shape: Shape): Representation | undefined {
    const isSequence = isWatch(shape);
    if (!this.#hasCbor || shape === 'document' || (range.type === CBOR_SEQUENCE && !isSequence))
      return undefined;
    const formats = isSequence ? this.#formats.cborStream : this.#formats.cbor;
    const as = range.parameters['as'];
    return as === undefined ? formats.plain : this.#transformed(range, as, shape, formats);
  }

  #transformed(
    range: MediaRange,
    as: string,
    shape: Shape,
    formats: Representations['json'],
  ): Representation | undefined {
    const version = range.parameters['v'];
    if (range.parameters['g'] !== this.#metaGroup || (version !== 'v1' && version !== 'v1beta1'))
      return undefined;
    if (shape === 'document' || shape === 'plain') return undefined;
    if (as === 'Table') return formats.table[version];
    const isList = shape === 'list' || shape === 'jsonList';
    return as === (isList ? 'PartialObjectMetadataList' : 'PartialObjectMetadata')
      ? formats.partial[version]
      : undefined;
  }
}

const FALSE_VALUES: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'False', 'FALSE']);

/** User agents of interactive clients, which get indented JSON by default. */
const readers: readonly string[] = ['curl', 'Wget', 'Mozilla/5.0'];

/** Reports whether JSON is indented: by the parameter `pretty`, else by the user agent (spec 4.3). */
export function wantsPretty(request: ApiRequest): boolean {
  const value = queryValue(request.rawQuery, 'pretty');
  if (value !== undefined && value !== '') return !FALSE_VALUES.has(value);
  const agent = request.headers['user-agent'];
  return agent !== undefined && readers.some((reader) => agent.startsWith(reader));
}
