import {
  cloneJson,
  deepFreeze,
  isJsonObject,
  jsonEquals,
  type MutableJsonObject,
} from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import {
  type ApplyResult,
  applyConfig,
  applyMergePatch,
  type FieldSet,
  type KindVersions,
  managedFieldsOf,
  setOfFields,
  type UpdateResult,
  updateOwnership,
  withManagedFields,
} from '../index.ts';
import { type DeckVersion, deckKind, deckVersions } from './deck.ts';

/** Options of a request other than its body. */
export interface Via {
  /** `test/` is put before it. */
  readonly version?: string;
  readonly subresource?: 'status';
  readonly force?: boolean;
  /** The annotation of client-side apply, for its own tool. */
  readonly lastApplied?: string;
}

const START = Date.UTC(2024, 0, 1);
const storedVersion = 'test/v1';

/** A kind of the cluster: versions, and how their objects are decoded. */
export interface ClusterKind {
  readonly versions: KindVersions;
  readonly codecs: Readonly<Record<string, DeckVersion>>;
}

/**
 * The part of a server that ownership works in, around one object: versions, decoding with defaults, subresources,
 * and nothing is stored when nothing changed. Objects are frozen, so that nothing can change an input.
 */
export class Cluster {
  #kind: ClusterKind;
  #live: MutableJsonObject | undefined;
  #seconds = 0;
  #revision = 0;

  constructor(kind: ClusterKind = { versions: deckKind, codecs: deckVersions }) {
    this.#kind = kind;
  }

  get live(): MutableJsonObject | undefined {
    return this.#live;
  }

  get versions(): KindVersions {
    return this.#kind.versions;
  }

  /** Writes that were stored. */
  get revision(): number {
    return this.#revision;
  }

  get now(): string {
    return formatTime(START + this.#seconds * 1000);
  }

  /** The kind changes under the stored object, as with a new release or a new custom resource definition. */
  become(kind: ClusterKind): void {
    this.#kind = kind;
  }

  /** Puts an object into the store as an older server would have left it. */
  plant(object: MutableJsonObject): void {
    this.#store(this.#decoded(object, storedVersion));
  }

  apply(manager: string, part: MutableJsonObject, via: Via = {}): ApplyResult {
    this.#seconds++;
    const apiVersion = `test/${via.version ?? 'v1'}`;
    const config = deepFreeze({
      apiVersion,
      kind: 'Deck',
      ...part,
      metadata: { name: 'd', ...metaOf(part) },
    });
    const result = applyConfig({
      versions: this.#kind.versions,
      apiVersion,
      manager,
      now: this.now,
      subresource: via.subresource ?? '',
      resetFields: resetFieldsOf(via),
      live: this.#in(apiVersion),
      config,
      force: via.force ?? false,
      ...(via.lastApplied === undefined ? {} : { lastAppliedAnnotation: via.lastApplied }),
    });
    if (result.kind === 'applied' && result.changed) this.#store(this.#decoded(result.object, apiVersion));
    return result;
  }

  /** A merge patch: the usual way to change a part. A `null` removes a field. */
  patch(manager: string, part: MutableJsonObject, via: Via = {}): UpdateResult {
    const apiVersion = `test/${via.version ?? 'v1'}`;
    const live = this.#in(apiVersion) ?? { apiVersion, kind: 'Deck', metadata: { name: 'd' } };
    return this.put(manager, applyMergePatch(live, part) as MutableJsonObject, via);
  }

  /** A whole object: a create when there is none. */
  put(manager: string, object: MutableJsonObject, via: Via = {}): UpdateResult {
    this.#seconds++;
    const apiVersion = `test/${via.version ?? 'v1'}`;
    const live = this.#in(apiVersion);
    const sent = this.#decoded(object, apiVersion);
    const next = deepFreeze(prepared(sent, live, via));
    const result = updateOwnership({
      versions: this.#kind.versions,
      apiVersion,
      manager,
      now: this.now,
      subresource: via.subresource ?? '',
      resetFields: resetFieldsOf(via),
      live,
      next,
    });
    const stored = this.#decoded(result.object, apiVersion);
    if (live === undefined || !jsonEquals(stored, live)) this.#store(this.#toStored(stored, apiVersion));
    return result;
  }

  /** The object in a version; frozen. */
  #in(apiVersion: string): MutableJsonObject | undefined {
    if (this.#live === undefined || apiVersion === storedVersion) return this.#live;
    const converted = this.#kind.versions.convert(this.#live, storedVersion, apiVersion);
    return converted === undefined ? undefined : deepFreeze(this.#decoded(converted, apiVersion));
  }

  #decoded(object: MutableJsonObject, apiVersion: string): MutableJsonObject {
    const codec = this.#kind.codecs[apiVersion]?.codec;
    if (codec === undefined) return cloneJson(object);
    const { value, problems } = codec.decode(object, { defaults: true });
    const [problem] = problems;
    if (problem !== undefined) throw new Error(problem.message);
    return value as unknown as MutableJsonObject;
  }

  #toStored(object: MutableJsonObject, apiVersion: string): MutableJsonObject {
    if (apiVersion === storedVersion) return object;
    return this.#kind.versions.convert(object, apiVersion, storedVersion) ?? object;
  }

  #store(object: MutableJsonObject): void {
    const from = String(object['apiVersion']);
    const stored = this.#decoded(this.#toStored(object, from), storedVersion);
    this.#live = deepFreeze(stored);
    this.#revision++;
  }
}

const metaOf = (part: MutableJsonObject): MutableJsonObject =>
  isJsonObject(part['metadata']) ? part['metadata'] : {};

const resetFieldsOf = ({ subresource }: Via): FieldSet =>
  setOfFields(subresource === 'status' ? [['spec'], ['metadata', 'labels']] : [['status']]);

/** The strategy of a kind: each way of writing preserves the fields that belong to another one. */
function prepared(
  sent: MutableJsonObject,
  live: MutableJsonObject | undefined,
  { subresource }: Via,
): MutableJsonObject {
  if (live === undefined) return { ...sent, status: {} };
  if (subresource !== 'status') return { ...sent, status: live['status'] };
  return withManagedFields(
    { ...live, status: sent['status'] },
    (managedFieldsOf(sent) ?? []) as readonly MutableJsonObject[],
  );
}
