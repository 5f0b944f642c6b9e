import type { ApiObject } from '@orch/machinery';
import type { ObjectsInVersion, VersionedObjects } from '../matching/versioned-objects.ts';
import type { VersionedResource } from '../versioned-resource.ts';

/** The objects of a write in one version, and their JSON as reviews contain it. Texts are encoded once, with the whole review. */
export interface EncodedVersion extends ObjectsInVersion {
  readonly json: { readonly object: string; readonly oldObject: string };
}

const NONE = 'null';

/** The objects of a write for webhooks: encoded once in each version, however many webhooks receive them. */
export class EncodedObjects {
  readonly #objects: VersionedObjects;
  readonly #encoded = new Map<VersionedResource, Promise<EncodedVersion>>();

  constructor(objects: VersionedObjects) {
    this.#objects = objects;
  }

  /** Rejects with the `ApiError` of a failed conversion. */
  in(version: VersionedResource): Promise<EncodedVersion> {
    const encoded = this.#encoded.get(version) ?? this.#encode(version);
    this.#encoded.set(version, encoded);
    return encoded;
  }

  /** Must be called after the new object was changed. */
  changed(): void {
    this.#objects.changed();
    this.#encoded.clear();
  }

  async #encode(version: VersionedResource): Promise<EncodedVersion> {
    const { object, oldObject } = await this.#objects.in(version);
    const json = { object: shown(object, version), oldObject: shown(oldObject, version) };
    return { object, oldObject, json };
  }
}

function shown(object: ApiObject | undefined, { hasMetadata }: VersionedResource): string {
  if (object === undefined) return NONE;
  if (hasMetadata) return JSON.stringify(object);
  const { metadata: _none, ...fields } = object;
  return JSON.stringify(fields);
}
