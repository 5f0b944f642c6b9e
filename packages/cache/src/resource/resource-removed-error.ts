import { StoreError } from '@orch/storage';

/** Thrown by the cache of a resource that was removed, or replaced because its definition has changed. */
export class ResourceRemovedError extends StoreError {
  constructor(resource: string) {
    super('unavailable', `${resource} is no longer cached`);
    this.name = 'ResourceRemovedError';
  }
}
