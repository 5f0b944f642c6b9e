import type { StrategyContext } from '@orch/apis';
import type { RawEntry } from '@orch/apply';
import { type ApiObject, errors } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { WritePath } from '../../context/paths.ts';
import { setOwners, type Writer } from '../../convert/ownership.ts';
import type { StoredResource } from '../../resource/served-resource.ts';
import { checkNamespace, prepareCreateMeta } from './object-meta.ts';
import { sentToHub, validateObject } from './validate-object.ts';

const VERSION_IS_SET = 'resourceVersion should not be set on objects to be created';

/** Namespace, owner and status of a new object. */
export interface NewObjectOptions {
  readonly namespace: string;
  /** Owns the fields of the object; the server itself when absent. */
  readonly writer?: Writer;
  /** The managed fields of an object that is created by apply, instead of those of `writer`. */
  readonly owners?: readonly RawEntry[];
  /** Status of an object that the server creates for itself; objects of clients get the initial status of their kind. */
  readonly status?: Readonly<Record<string, unknown>>;
}

/** The rules for a new object. */
export class NewObject {
  readonly #path: WritePath;
  readonly #resource: StoredResource;
  readonly #options: NewObjectOptions;
  readonly #context: StrategyContext;
  readonly namespace: string;

  constructor(
    path: WritePath,
    resource: StoredResource,
    { options, context }: { readonly options: NewObjectOptions; readonly context: StrategyContext },
  ) {
    this.#path = path;
    this.#resource = resource;
    this.#options = options;
    this.#context = context;
    this.namespace = resource.type.namespaced ? options.namespace : '';
  }

  /** Checks the namespace of the sent object, and decides who owns its fields: those that the server sets later have no owner. In pieces. */
  *sent(object: ApiObject, isLarge: boolean): Work<void> {
    const { type, ownership } = this.#resource;
    // Manifests of cluster-scoped objects often have a namespace, which has no meaning.
    if (!type.namespaced) delete object.metadata.namespace;
    checkNamespace(object, this.#resource, this.namespace);
    const { owners, writer = { manager: this.#path.names.programs.apiserver, subresource: '' } } =
      this.#options;
    const after =
      owners ?? (yield* ownership.afterCreate(object, writer, { now: this.#context.now, isLarge }));
    setOwners(object.metadata, after);
    if (type.objectConverter !== undefined) this.#resetSentStatus(object);
  }

  /** The sent object in the hub version. */
  hub(sent: ApiObject): ApiObject | Promise<ApiObject> {
    const prepare = (object: ApiObject): void => this.#resetSentStatus(object);
    return sentToHub(this.#path, this.#resource, sent, { prepare });
  }

  /** Refuses an object that claims to have a version already. */
  checkVersion({ metadata: { resourceVersion = '' } }: ApiObject): void {
    // Clients that store versions as numbers send "0" for none.
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw errors.badRequest(VERSION_IS_SET, VERSION_IS_SET);
  }

  /** Sets the fields that the server determines: metadata, status, and the fields of the kind's strategy. */
  prepare(object: ApiObject): void {
    const { strategy, objectConverter } = this.#resource.type;
    prepareCreateMeta(object.metadata, {
      namespace: this.namespace,
      uid: this.#context.uuid(),
      now: this.#context.now,
      generation: strategy.generation === 'none' || strategy.generation === 'updates' ? undefined : 1,
    });
    if (strategy.resetStatus && 'status' in object && objectConverter === undefined)
      this.#resetStatus(object);
    strategy.prepareForCreate?.(object, this.#context);
    if (this.#options.status !== undefined) object['status'] = this.#options.status;
  }

  /** Refuses an object that violates a rule. */
  validate(object: ApiObject, isLarge: boolean): void | Promise<void> {
    const { strategy } = this.#resource.type;
    return validateObject(this.#path, this.#resource, {
      next: object,
      isLarge,
      inTurns: strategy.validation?.(object, undefined, this.#context),
      ofKind: () => strategy.validate?.(object, undefined, this.#context) ?? [],
    });
  }

  /** Sets the initial status, with its defaults. */
  #resetStatus(object: ApiObject): void {
    const { converter } = this.#resource;
    setStatus(object, converter.toHub(this.#empty()));
  }

  /** As `resetStatus`, before the conversion: a webhook receives only objects that clients sent or that are stored. */
  #resetSentStatus(sent: ApiObject): void {
    if (this.#resource.type.strategy.resetStatus) setStatus(sent, this.#empty());
  }

  #empty(): ApiObject {
    const { type, codec, converter } = this.#resource;
    const empty = { kind: type.kind, apiVersion: converter.apiVersion, metadata: {} };
    return codec.decode(empty, { defaults: true }).value;
  }
}

function setStatus(object: ApiObject, { status }: ApiObject): void {
  if (status === undefined) delete object['status'];
  else object['status'] = status;
}
