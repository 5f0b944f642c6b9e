import type { UnreadableObject } from '../types.ts';

/** Thrown by reads of states whose stored values cannot be decrypted or decoded. */
export class UnreadableObjectsError extends Error {
  override readonly name = 'UnreadableObjectsError';
  readonly objects: readonly UnreadableObject[];

  constructor(objects: readonly UnreadableObject[], options: { readonly cause?: unknown } = {}) {
    super('stored objects cannot be read', options);
    this.objects = objects;
  }
}
