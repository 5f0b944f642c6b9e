import type { Work } from '@orch/machinery/concurrency';
import type { MutableJsonObject } from '@orch/machinery/json';
import { emptySet, type FieldSet } from '../fields/field-set.ts';
import { type Change, changeExcept } from '../typed/change.ts';
import { compare } from '../typed/compare.ts';
import { compareInPieces } from '../typed/compare-in-pieces.ts';
import type { KindVersions } from './versions.ts';

/** One write, as far as ownership is concerned. */
export interface Transition {
  readonly versions: KindVersions;
  /** Version of both objects: that of the request. */
  readonly apiVersion: string;
  /** Undefined when the object is created. */
  readonly before: MutableJsonObject | undefined;
  readonly after: MutableJsonObject;
  /** Fields that writes through this path do not change, regardless of the objects. */
  readonly resetFields: FieldSet | undefined;
}

/** Both objects in the version of the request, and their shape. */
function sidesOf({ versions, apiVersion, before, after }: Transition): Parameters<typeof compare> {
  const shapes = versions.shapes(apiVersion);
  if (shapes === undefined) throw new TypeError(`${apiVersion} is not a version of the kind`);
  return [before ?? shapes.empty(), after, shapes.root];
}

/** The changes of a write in every version in which fields are owned. Each is computed once, on first use. */
export class Changes {
  readonly #transition: Transition;
  /** In the version of the request. */
  readonly here: Change | undefined;
  /** In other versions; undefined before the first one, since most objects have owners in one version. */
  #others: Map<string, Change | undefined> | undefined;

  constructor(transition: Transition, change = compare(...sidesOf(transition))) {
    this.#transition = transition;
    this.here = this.#counted(change);
  }

  /** The changes of a write of a large object, compared in pieces. */
  static *inPieces(transition: Transition): Work<Changes> {
    return new Changes(transition, yield* compareInPieces(...sidesOf(transition)));
  }

  /** In some version; `'unserved'` when the object does not exist in it. */
  in(apiVersion: string): Change | 'unserved' | undefined {
    const { versions, apiVersion: here } = this.#transition;
    if (apiVersion === here) return this.here;
    if (this.#others?.has(apiVersion) === true) return this.#others.get(apiVersion);
    const shapes = versions.shapes(apiVersion);
    if (shapes === undefined) return 'unserved';
    if (this.here === undefined || shapes === versions.shapes(here)) return this.here;
    const { before, after } = this.#transition;
    const was = before === undefined ? shapes.empty() : versions.convert(before, here, apiVersion);
    const is = versions.convert(after, here, apiVersion);
    if (was === undefined || is === undefined) return 'unserved';
    const change = this.#counted(compare(was, is, shapes.root));
    this.#others ??= new Map();
    this.#others.set(apiVersion, change);
    return change;
  }

  #counted(change: Change | undefined): Change | undefined {
    return changeExcept(change, this.#transition.resetFields ?? emptySet);
  }
}
