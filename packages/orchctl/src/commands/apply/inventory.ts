import { isNotFound, type ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { asObjects, asStringMap, asText, isJsonObject } from '@orch/machinery/json';
import { CommandError } from '../../command-error.ts';
import type { Session } from '../../session/session.ts';

/** An object that an earlier apply with the same inventory has applied. */
export interface InventoryEntry {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Only this object is deleted, not another one of the same name. */
  readonly uid: string;
}

/** The field of the config map. */
const FIELD = 'inventory.json';

/**
 * A config map that lists the applied objects, so that a later apply can delete those that are no longer in its files.
 */
export class Inventory {
  readonly #client: ResourceClient;
  readonly #name: string;
  readonly #fieldManager: string;

  constructor(client: ResourceClient, name: string, fieldManager: string) {
    this.#client = client;
    this.#name = name;
    this.#fieldManager = fieldManager;
  }

  /** The inventory of a name in the namespace of the session. */
  static async open(session: Session, name: string, fieldManager: string): Promise<Inventory> {
    const resource = await session.resources.ofKind('v1', 'ConfigMap');
    return new Inventory(session.client.resource(resource, session.namespace), name, fieldManager);
  }

  async read(signal: AbortSignal): Promise<readonly InventoryEntry[]> {
    let object: ApiObject;
    try {
      object = await this.#client.get(this.#name, {}, signal);
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
    const text = asStringMap((object as { readonly data?: unknown }).data)[FIELD];
    if (text === undefined)
      throw new CommandError(
        `the config map ${JSON.stringify(this.#name)} is not an inventory: it has no field ${FIELD}; choose another name for --inventory`,
      );
    return entriesIn(text);
  }

  /** Writes the entries by server-side apply. */
  async write(entries: readonly InventoryEntry[], signal: AbortSignal): Promise<void> {
    await this.#client.patch.apply(
      this.#name,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: this.#name },
        data: { [FIELD]: JSON.stringify(entries) },
      },
      { fieldManager: this.#fieldManager, force: true },
      signal,
    );
  }
}

function entriesIn(text: string): readonly InventoryEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandError(`the inventory is damaged: its field ${FIELD} is not JSON`);
  }
  return asObjects(value)
    .filter(isJsonObject)
    .map((entry) => ({
      apiVersion: asText(entry['apiVersion']),
      kind: asText(entry['kind']),
      namespace: asText(entry['namespace']),
      name: asText(entry['name']),
      uid: asText(entry['uid']),
    }));
}

export const entryOf = ({ apiVersion = '', kind = '', metadata }: ApiObject): InventoryEntry => ({
  apiVersion,
  kind,
  namespace: metadata.namespace ?? '',
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
});

/** Entries of `before` whose objects are not in `after`. */
export function missingEntries(
  before: readonly InventoryEntry[],
  after: readonly InventoryEntry[],
): readonly InventoryEntry[] {
  const uids = new Set(after.map(({ uid }) => uid));
  return before.filter(({ uid }) => !uids.has(uid));
}
