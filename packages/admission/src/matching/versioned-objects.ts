import type { ApiObject } from '@orch/machinery';
import type { AdmissionAttributes } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';

/** The objects of a write in one version, read only. */
export interface ObjectsInVersion {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

/** The objects of a write in the versions of webhooks and policies: each is converted once. */
export class VersionedObjects {
  readonly #write: Pick<AdmissionAttributes, 'object' | 'oldObject' | 'signal'>;
  readonly #objects = new Map<VersionedResource, Converted>();
  readonly #oldObjects = new Map<VersionedResource, Converted>();

  constructor(write: Pick<AdmissionAttributes, 'object' | 'oldObject' | 'signal'>) {
    this.#write = write;
  }

  /** Rejects with the `ApiError` of a failed conversion. */
  async in(version: VersionedResource): Promise<ObjectsInVersion> {
    const { object, oldObject } = this.#write;
    const converted = this.#converted(this.#objects, version, object);
    const oldConverted = this.#converted(this.#oldObjects, version, oldObject);
    return { object: await converted, oldObject: await oldConverted };
  }

  /** Must be called after the new object was changed. */
  changed(): void {
    this.#objects.clear();
  }

  #converted(
    known: Map<VersionedResource, Converted>,
    version: VersionedResource,
    object: ApiObject | undefined,
  ): Converted {
    if (object === undefined) return undefined;
    const found = known.get(version);
    if (found !== undefined) return found;
    const converted = version.fromHub(object, this.#write.signal);
    // Its failure is reported to the callers that wait for it.
    if (converted instanceof Promise) converted.catch(() => {});
    known.set(version, converted);
    return converted;
  }
}

type Converted = ApiObject | undefined | Promise<ApiObject>;
