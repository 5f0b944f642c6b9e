import type { UserInfo } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import type { VersionedResource } from './versioned-resource.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** Operation and resource of writes. */
export interface ResourceTarget {
  readonly operation: Operation;
  /** Key of the group in the table of names: `''`, `coordination`. */
  readonly group: string;
  readonly resource: string;
  /** Subresource that is written; `''` for the object itself. */
  readonly subresource: string;
  /** The resource in the version of the request. */
  readonly requested: VersionedResource;
}

/** Operation, resource, namespace and user of a write: all that is available before any object is read. */
export interface WriteTarget extends ResourceTarget {
  /** `''` for objects outside namespaces. */
  readonly namespace: string;
  readonly user: UserInfo;
}

/** An authorized write before its objects are read. */
export interface RequestedWrite extends WriteTarget {
  /** `''` while the name of a new object is not generated. */
  readonly name: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly report: AdmissionReport;
}

/**
 * An authorized write, as plugins receive it. Objects are in the hub version of their kind. They may be parsed when they are
 * first read, so plugins read them only when their decision depends on them.
 */
export interface AdmissionAttributes extends RequestedWrite {
  /**
   * As it will be stored; undefined for a deletion, also for one that waits for finalizers. Only `mutate` may change it, in
   * place.
   */
  readonly object: ApiObject | undefined;
  /** As it is stored, read only; undefined when it is new. */
  readonly oldObject: ApiObject | undefined;
  /**
   * The options of the request as an object: `CreateOptions`, `UpdateOptions` (also of patches) or `DeleteOptions`; undefined
   * for connections.
   */
  readonly options: () => JsonObject | undefined;
  /** Registers a callback that releases the quota of the write. It is called when the write has definitely failed. */
  whenNotStored(release: ReleaseTaken): void;
}

/** Releases the quota of a write. Never rejects. */
export type ReleaseTaken = () => Promise<void>;

/** The report of plugins about a write, independent of its outcome. */
export interface AdmissionReport {
  /** Adds a `Warning` to the reply. */
  warn(message: string): void;
  /** Adds an annotation to the audit event of the request, from an audit level on. The first value of a key is kept. */
  annotate(key: string, value: string, level?: 'Metadata' | 'Request'): void;
  /**
   * Excludes time from the service level indicators of the request, in milliseconds: other systems are responsible for
   * it.
   */
  exclude(ms: number): void;
  /** Reports a plugin or webhook that refused the write, took time or called another service. */
  step(step: AdmissionStep): void;
}

/** A plugin or webhook that was called for a write. */
export interface AdmissionStep {
  readonly stage: 'admission' | 'webhook';
  /** Name of the plugin or webhook. */
  readonly name: string;
  /** The object that configures a webhook. */
  readonly configuration?: { readonly resource: string; readonly name: string };
  readonly ms: number;
  readonly refused: boolean;
}

/** Whether mutating plugins are called a second time, because a later one changed the object (access-control document, 4.4). */
export interface Reinvocation {
  /** The second call. */
  readonly isSecond: boolean;
  /** Requests a second call of all mutating plugins. */
  request(): void;
}

/** Reason of a refusal: the second half of a sentence that starts with the object of the write. */
export type Refusal = string;

/** Undefined when the write is admitted. Throws `ApiError` when that cannot be determined, or for a reason other than 403. */
export type Verdict = Refusal | undefined | Promise<Refusal | undefined>;

/** The objects of the cluster that configure a rule, such as webhook configurations. */
export interface RuleObjects {
  /** False while there may be an object, for example because they are being loaded. Changes with the objects. */
  readonly isEmpty: boolean;
}

/**
 * A rule for writes in addition to authorization and validation (access-control document, 5.14), or changes to them. A
 * write that is retried after a conflict passes all phases again, on the newer object.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /**
   * Reports whether the rule may apply to such writes of a resource, as long as the resource is served. Objects of writes that no plugin
   * handles need not be decoded.
   */
  readonly handles: (target: ResourceTarget) => boolean;
  /**
   * Reports whether the rule applies to one of the writes that it handles, by their differences: the user, the
   * namespace, objects that configure the rule. It applies to all of them when absent.
   */
  readonly handlesWrite?: (target: WriteTarget) => boolean;
  /**
   * The objects of the cluster without which the rule does not apply to such writes, regardless of their user and namespace:
   * `handlesWrite` is not called while there is none. Undefined for a rule that applies without objects.
   */
  readonly configuredBy?: (target: ResourceTarget) => RuleObjects | undefined;
  /** Decides on a write without its objects: called once, before all other phases, in the order of plugins. */
  precheck?(write: RequestedWrite): Verdict;
  /**
   * Changes the object before it is validated: called in the order of plugins. Fields of the object, of `metadata` and of
   * `spec` are assigned; what they contain may be shared, and is replaced rather than changed.
   */
  mutate?(write: AdmissionAttributes, reinvocation: Reinvocation): Verdict;
  /** Decides on the object as it will be stored, which it does not change. Plugins validate concurrently. */
  validate?(write: AdmissionAttributes): Verdict;
  /**
   * Charges a shared resource, such as quota, for a write that nothing else refuses: called after all others have
   * validated. The plugin registers the release of the charge with `whenNotStored`.
   */
  reserve?(write: AdmissionAttributes): Verdict;
}

/** A phase of the admission chain, in the form that plugins implement. */
export type Phase = 'precheck' | 'mutate' | 'validate' | 'reserve';
