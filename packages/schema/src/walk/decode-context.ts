import { Pace } from '@orch/machinery/concurrency';
import { isExactNumber } from '@orch/machinery/json';
import type { DecodeOptions, DecodeProblem } from '../codec.ts';
import type { StructSchema } from '../schema.ts';

/** Problems of one kind beyond this many are not kept: a malicious body may contain millions of unknown fields. */
const MAX_PROBLEMS = 100;

/**
 * Bytes that defaults add to one object at most: the size of a request that a store accepts, so that an object with more
 * could not be stored.
 */
export const MAX_DEFAULTED_BYTES = 1_572_864;

/** Levels of nesting below which values are refused, so that no recursion exhausts the stack. */
export const MAX_DEPTH = 1000;

interface Draft {
  readonly kind: DecodeProblem['kind'];
  readonly text: string;
  /** From the value outwards. */
  readonly segments: string[];
}

const shorten = (text: string): string => (text.length > 64 ? `${text.slice(0, 64)}…` : text);

/** The type of a JSON value, for messages. */
const typeText = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isExactNumber(value)) return 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** A JSON value, for messages: `the string "three"`. */
function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isExactNumber(value)) return `the number ${shorten(value.rawJSON)}`;
  switch (typeof value) {
    case 'string':
      return `the string ${JSON.stringify(shorten(value))}`;
    case 'number':
      return `the number ${value}`;
    case 'boolean':
      return `the boolean ${value}`;
    default:
      return 'an object';
  }
}

/**
 * State of one pass of decoding. Readers have no path: a problem is reported relative to the value itself, and every
 * enclosing reader prepends its own segment to the problems of a field that it has read. So paths cost nothing on input
 * without problems.
 */
export class DecodeContext {
  readonly reportUnknown: boolean;
  readonly defaults: boolean;
  /** Schema name of the whole object. */
  readonly root: string;
  /** Problems kept so far. */
  count = 0;
  depth = 0;
  readonly #describe: (value: unknown) => string;
  readonly #drafts: Draft[] = [];
  readonly #kept = { type: 0, unknown: 0, duplicate: 0, size: 0 };
  #defaultedBytes = 0;
  #pace: Pace | undefined;

  constructor(
    { reportUnknown = false, defaults = false }: DecodeOptions = {},
    { name: root = '', holdsCredentials }: Partial<Pick<StructSchema, 'name' | 'holdsCredentials'>> = {},
  ) {
    this.reportUnknown = reportUnknown;
    this.defaults = defaults;
    this.root = root;
    this.#describe = holdsCredentials === true ? typeText : describe;
  }

  /** Of decoding in pieces. */
  get pace(): Pace {
    this.#pace ??= new Pace();
    return this.#pace;
  }

  /** Nothing is computed from a value with fields or items of a wrong type: it is refused. */
  get isMistyped(): boolean {
    return this.#kept.type > 0;
  }

  /** The value is not of the type it should have. */
  wrongType(expected: string, got: unknown): void {
    this.#add('type', `expected ${expected}, got ${this.#describe(got)}`);
  }

  /** Bytes that defaults have added. */
  get defaultedBytes(): number {
    return this.#defaultedBytes;
  }

  /** Counts the bytes of a default; false when they are too many, so that it is not applied. */
  grow(bytes: number): boolean {
    this.#defaultedBytes += bytes;
    if (this.#defaultedBytes <= MAX_DEFAULTED_BYTES) return true;
    // One problem stands for the whole object.
    if (this.#kept.size === 0)
      this.#add('size', `its defaults make the object larger than the limit of ${MAX_DEFAULTED_BYTES} bytes`);
    return false;
  }

  tooDeep(): void {
    this.#add('type', `nested more than ${MAX_DEPTH} levels deep`);
  }

  /** A field that the schema does not declare; `segment` is its own part of the path. */
  unknown(segment: string): void {
    this.#add('unknown', '', segment);
  }

  /** Prepends `segment` (`.name`, `[3]`, `[key]`) to the paths of the problems from index `seen` on. */
  within(seen: number, segment: string): void {
    for (let i = seen; i < this.#drafts.length; i++) this.#drafts[i]?.segments.push(segment);
  }

  /** As `within`, for the value of a key: paths of unknown fields have the form that clients know, without brackets. */
  withinKey(seen: number, key: string): void {
    for (let i = seen; i < this.#drafts.length; i++) {
      const draft = this.#drafts[i];
      draft?.segments.push(draft.kind === 'unknown' ? `.${key}` : `[${key}]`);
    }
  }

  problems(): readonly DecodeProblem[] {
    return this.#drafts.map(({ kind, text, segments }) => {
      const path = segments.reverse().join('');
      const field = path.startsWith('.') ? path.slice(1) : path;
      if (kind === 'unknown') return { kind, field, message: `unknown field ${JSON.stringify(field)}` };
      return { kind, field, message: field === '' ? text : `${field}: ${text}` };
    });
  }

  #add(kind: Draft['kind'], text: string, ...segments: string[]): void {
    if (this.#kept[kind]++ >= MAX_PROBLEMS) return;
    this.count = this.#drafts.push({ kind, text, segments });
  }
}
