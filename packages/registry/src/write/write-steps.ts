import type { ApiObject } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { isLarge, parseJsonInPieces } from '@orch/machinery/json';
import { isWithResourceVersion, withResourceVersion } from '@orch/schema';
import type { Committed, Revision } from '@orch/storage';
import { commitObject } from '../commit/object-committer.ts';
import type { WritePath } from '../context/paths.ts';
import { whenConverted } from '../convert/conversion-needed.ts';
import { addWarnings } from '../request/reply.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import type { PendingWrite } from '../resource/write-hooks.ts';
import {
  type Admission,
  type Admit,
  admissionOf,
  type SubresourceView,
  throughView,
  type WriteOperation,
  type Writing,
  type WrittenStates,
} from './admission.ts';
import type { Act, Candidate } from './change.ts';
import { mutateObject, mutateView } from './mutate-object.ts';
import { removeRepeatedOwners } from './rules/object-meta.ts';
import { type DraftStates, deletingStates } from './unparsed-states.ts';

/** The warning about owners that a request, or a plugin afterwards, gives more than once, as clients know it. */
const repeatedOwners = (uids: readonly string[], afterPlugins: boolean): string =>
  `.metadata.ownerReferences contains duplicate entries${afterPlugins ? ' after mutating admission happens' : ''}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`;

const CLUSTER_NAME =
  'metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25';

/** An object that is prepared and valid. */
export interface Draft {
  /** The state that it replaces; undefined for a creation. */
  readonly from: Candidate | undefined;
  /** The states around the write, which are parsed when a plugin or a hook reads them. */
  readonly states: DraftStates;
  /** The write as it was decided; undefined for a creation, whose object is encoded after its hooks. */
  readonly act: Act | undefined;
}

/** An admitted draft whose hooks have run. */
export interface ReadyWrite {
  readonly from: Candidate | undefined;
  readonly act: Act;
  /** The JSON of the object in the hub version, without resourceVersion. */
  readonly hub: Buffer;
  /** False when the hooks have made the object equal to the stored one: then there is nothing to commit or finish. */
  readonly isNeeded: boolean;
  /** Side effects that the commit finishes. */
  readonly pending: PendingWrite | undefined;
}

/**
 * The order of a write, one method for each step:
 *
 * 1. sent: the verb decodes the body and decides who owns its fields.
 * 2. hub: the object is converted to the hub version.
 * 3. precheck: admission plugins decide without the object.
 * 4. mutate: admission plugins change the object.
 * 5. prepare: the server sets the fields that it decides.
 * 6. validate: the rules of metadata, schema and kind.
 * 7. admit: admission plugins decide on the object as it will be stored.
 * 8. hooks: side effects of the kind begin.
 * 9. encode: the object becomes the bytes that are stored.
 * 10. commit: the decorators of `commit/object-committer.ts`, and the store.
 *
 * A creation runs 1 to 4 once, and the others for each name that it tries. A change runs 3 first, and the others for each
 * state of the object that it tries.
 *
 * A step without work for a write returns no promise; callers use `await` for all of them.
 */
export class WriteSteps {
  readonly #path: WritePath;
  readonly #resource: StoredResource;
  readonly #writing: Writing;
  readonly #admission: Admission | undefined;
  readonly #view: SubresourceView | undefined;

  constructor(path: WritePath, resource: StoredResource, operation: WriteOperation, writing: Writing) {
    this.#path = path;
    this.#resource = resource;
    this.#writing = writing;
    this.#admission = admissionOf(path, resource, operation, writing);
    this.#view = operation === 'nothing' ? undefined : operation.view;
  }

  /** The bytes of the object, or of the body if that has more. */
  size = 0;

  /** Whether each stage waits for a turn. */
  get isLarge(): boolean {
    return isLarge(this.size);
  }

  /** Resolves in the turn of the next stage of a large object; rejects when the request has ended. */
  async turn(): Promise<void> {
    await this.#path.turns.next();
    this.#writing.signal.throwIfAborted();
  }

  /** The value of a large stored object. */
  parsed(json: Buffer): unknown {
    return this.#path.turns.run(parseJsonInPieces(json));
  }

  /** Whether plugins may change the object. */
  get mutates(): boolean {
    return this.#admission?.mutate !== undefined;
  }

  /** Steps 1 and 2. `work` has no other effects: it is repeated after each conversion that it needs. */
  hub<T>(work: () => T | Promise<T>): T | Promise<T> {
    return whenConverted(this.#resource, work, this.#writing.signal);
  }

  /** Step 3. */
  precheck(): void | Promise<void> {
    return this.#admission?.precheck();
  }

  /** Step 4. The object, or the one that plugins made of it. Repeated owners are removed before and after the plugins run. */
  mutate(object: ApiObject, oldObject: ApiObject | undefined): ApiObject | Promise<ApiObject> {
    const mutate = this.#admission?.mutate;
    this.#removeRepeatedOwners(object);
    this.#warnOfClusterName(object.metadata);
    if (mutate === undefined) return object;
    return this.#mutated(object, oldObject, mutate).then((next) => this.#removeRepeatedOwners(next, true));
  }

  #mutated(object: ApiObject, oldObject: ApiObject | undefined, mutate: Admit): Promise<ApiObject> {
    if (this.#view !== undefined && oldObject !== undefined)
      return mutateView(this.#view, { object, oldObject }, mutate);
    const turns = this.isLarge ? this.#path.turns : undefined;
    return mutateObject(this.#resource, { object, oldObject, turns }, mutate);
  }

  #removeRepeatedOwners(object: ApiObject, afterPlugins = false): ApiObject {
    const uids = removeRepeatedOwners(object.metadata);
    if (uids.length > 0) addWarnings(this.#writing.trace, [repeatedOwners(uids, afterPlugins)]);
    return object;
  }

  /** Only the schemas of some releases have the field; it is never stored. */
  #warnOfClusterName({ clusterName }: ApiObject['metadata'] & { readonly clusterName?: string }): void {
    if (clusterName !== undefined && clusterName !== '' && this.#resource.codec.since('1.24'))
      addWarnings(this.#writing.trace, [CLUSTER_NAME]);
  }

  /** Step 4 of a write that proposes no object. */
  mutateNothing(old: Buffer): Promise<void> | undefined {
    return this.#admission?.mutate?.(deletingStates(old));
  }

  /** Steps 5 and 6. `work` is repeated as in `hub`. */
  valid<T>(work: () => T | Promise<T>): T | Promise<T> {
    return whenConverted(this.#resource, work, this.#writing.signal);
  }

  /** Steps 7 to 9. `states` is called when plugins or hooks take part. */
  ready(from: Candidate, act: Act, states: () => DraftStates): ReadyWrite | Promise<ReadyWrite> {
    if (this.#admission?.validate !== undefined || this.#resource.hooks !== undefined)
      return this.readyDraft({ from, act, states: states() });
    return { from, act, hub: hubOf(act), isNeeded: true, pending: undefined };
  }

  /** Steps 7 to 9 of a creation. */
  created(states: DraftStates): ReadyWrite | Promise<ReadyWrite> {
    const draft: Draft = { from: undefined, states, act: undefined };
    if (this.isLarge || this.#admission?.validate !== undefined || this.#resource.hooks !== undefined)
      return this.readyDraft(draft);
    const act = this.#encoded(draft);
    return { from: undefined, act, hub: hubOf(act), isNeeded: true, pending: undefined };
  }

  /** As `ready`. */
  async readyDraft(draft: Draft): Promise<ReadyWrite> {
    if (this.isLarge) await this.turn();
    const taken = await this.admit(draft.states);
    const begun = this.#resource.hooks === undefined ? undefined : await this.#hooks(draft, taken);
    // What plugins and hooks have taken is released by the commit.
    const act = this.isLarge
      ? await this.#path.turns.run(this.#encodedInPieces(draft))
      : this.#encoded(draft);
    const hub = hubOf(act);
    const { from } = draft;
    const isNeeded = act === draft.act || begun !== undefined || from === undefined || !isStoredAs(hub, from);
    if (!isNeeded) await taken?.finish(false);
    return { from, act, hub, isNeeded, pending: both(taken, begun) };
  }

  /** Step 7. The charges of plugins are released when the result finishes without success. */
  admit(states: WrittenStates): Promise<PendingWrite | undefined> | undefined {
    const validate = this.#admission?.validate;
    if (validate === undefined) return undefined;
    return this.#view === undefined ? validate(states) : throughView(validate, this.#view)(states);
  }

  /** Step 8. The charges of plugins are released when a hook refuses the write. */
  async #hooks(
    { from, states, act }: Draft,
    taken: PendingWrite | undefined,
  ): Promise<PendingWrite | undefined> {
    const { hooks } = this.#resource;
    // Hooks depend on the content, which cannot be read. The repairs of their kinds release what they hold.
    if (hooks === undefined || from?.isPlaceholder === true) return undefined;
    const { user, dryRun, signal } = this.#writing;
    try {
      const next = act?.kind === 'remove' ? undefined : states.stored;
      return await hooks.begin({ next, old: states.oldObject, user, dryRun, signal });
    } catch (error) {
      await taken?.finish(false);
      throw error;
    }
  }

  /** Step 9. */
  #encoded({ states, act }: Draft): Act {
    if (this.#isFinal(act)) return act;
    return { kind: 'write', encoded: this.#resource.storageCodec.encode(states.stored) };
  }

  /** Like `encoded`, in pieces. */
  *#encodedInPieces({ states, act }: Draft): Work<Act> {
    if (this.#isFinal(act)) return act;
    return { kind: 'write', encoded: yield* this.#resource.storageCodec.encodeInPieces(states.stored) };
  }

  /** Whether no hook may have changed the object since the decision. */
  #isFinal(act: Act | undefined): act is Act {
    const { hooks } = this.#resource;
    return act !== undefined && (act.kind === 'remove' || hooks === undefined || hooks.onlyRefuses === true);
  }

  /** Step 10. */
  commit(
    { from, act, pending }: ReadyWrite,
    { key, name }: { readonly key: string; readonly name: string },
  ): Promise<Committed> {
    const { user, signal, trace } = this.#writing;
    return commitObject(this.#path.committer, {
      resource: this.#resource,
      key,
      name,
      expected: from?.rev,
      old: from,
      next: act.kind === 'remove' ? undefined : act.encoded,
      user,
      signal,
      trace,
      pending,
    });
  }
}

const hubOf = (act: Act): Buffer => (act.kind === 'write' ? act.encoded.hub : act.hub);

/** The JSON of a written object, resourceVersion included. */
export const servedJson = ({ act, hub }: ReadyWrite, rev: Revision): Buffer =>
  withResourceVersion(hub, rev, act.kind === 'write' ? act.encoded.splice : undefined);

const isStoredAs = (hub: Buffer, { needsMigration, rev, json }: Candidate): boolean =>
  !needsMigration && isWithResourceVersion(json, hub, rev);

/** The side effects that began last finish first. */
function both(first: PendingWrite | undefined, last: PendingWrite | undefined): PendingWrite | undefined {
  if (first === undefined || last === undefined) return first ?? last;
  return {
    async finish(success) {
      await last.finish(success);
      await first.finish(success);
    },
  };
}
