import type { UserInfo } from '@orch/auth';
import type { JsonSlice } from '@orch/machinery/json';

/** A field of a stored object, in a served version. */
export interface FieldQuestion {
  /** `namespace` is empty for objects without one; `group` is the API group as served. */
  readonly place: {
    readonly group: string;
    readonly resource: string;
    readonly namespace: string;
    readonly name: string;
  };
  readonly version: string;
  /** Reads the field from an object of that version; undefined where the object does not have it. */
  readonly fieldOf: (object: JsonSlice) => JsonSlice | undefined;
}

/** The write that gave a field its value. */
export interface FieldWrite {
  readonly user: string;
  /** The user who acted as `user`; empty without impersonation. */
  readonly impersonator: string;
  readonly time: string;
  readonly resourceVersion: string;
}

/** The latest write that was found; `unread` when the remaining states exceed the limit of one request. */
export type FoundWrite = FieldWrite | 'unread' | undefined;

/** The history of objects, where the server keeps one. */
export interface FieldHistory {
  /**
   * The latest write that changed the field. Undefined when there is none in the history, or when the user may not read the
   * history: the implementation authorizes.
   */
  lastWrite(
    question: FieldQuestion,
    asker: { readonly user: UserInfo; readonly signal: AbortSignal },
  ): Promise<FoundWrite>;
}
