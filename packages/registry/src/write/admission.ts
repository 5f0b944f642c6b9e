import type {
  AdmissionAttributes,
  AdmissionReport,
  AdmissionStep,
  Operation,
  ReleaseTaken,
  WriteAdmission,
} from '@orch/admission';
import type { UserInfo } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import { addStep, excludeTime, type Trace } from '@orch/request';
import type { WritePath } from '../context/paths.ts';
import { addWarnings } from '../request/reply.ts';
import type { OptionsObject } from '../request/write-options.ts';
import type { ServedResource } from '../resource/served-resource.ts';
import type { PendingWrite } from '../resource/write-hooks.ts';

/**
 * The operation of a change for admission plugins. `nothing` for changes by the server itself, or in addition to an
 * admitted write.
 */
export type AdmissionOperation =
  | {
      readonly operation: Exclude<Operation, 'CREATE'>;
      readonly subresource: string;
      /** The view of the object for plugins; the whole object when absent. */
      readonly view?: SubresourceView;
    }
  | 'nothing';

/** The operation of any write. */
export type WriteOperation =
  | AdmissionOperation
  | { readonly operation: 'CREATE'; readonly subresource: ''; readonly view?: undefined };

/** The part of an object that a subresource shows as an object of another kind. Objects are in the hub version. */
export interface SubresourceView {
  of(object: ApiObject): ApiObject | Promise<ApiObject>;
  /** The object with a changed view; `object` may be changed. Throws `ApiError` for an invalid view. */
  write(object: ApiObject, view: ApiObject): ApiObject | Promise<ApiObject>;
}

/** The target and the user of a write. */
export interface Writing {
  readonly name: string;
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** The options of the request; absent for connections. */
  readonly options?: OptionsObject | undefined;
  /** Receives what plugins report, which is discarded when this is absent. */
  readonly trace?: Trace | undefined;
}

/**
 * The states of an object around a write, in the hub version, and its name where it was generated meanwhile. Plugins read
 * the states through them, so that an object which no plugin reads need not be parsed.
 */
export type WrittenStates = Pick<AdmissionAttributes, 'object' | 'oldObject'> &
  Partial<Pick<AdmissionAttributes, 'name'>>;

/** Passes a write to the plugins that handle it. Rejects with their refusal. */
export type Admit = (states: WrittenStates) => Promise<void>;

/**
 * As `Admit`, for writes for which plugins may charge shared resources. The charges are released when the pending write
 * finishes without success; a write that is not stored must finish this way. Undefined when nothing was charged, as in
 * a dry run.
 */
export type Reserve = (states: WrittenStates) => Promise<PendingWrite | undefined>;

/** The phases of admission that plugins have for a write. A state of the object without plugins need not be decoded. */
export interface Admission {
  /** Decides on the write before its objects are read. Throws or rejects with a refusal. */
  readonly precheck: () => void | Promise<void>;
  /** Changes the new object in place, before it is validated. */
  readonly mutate: Admit | undefined;
  /** Decides on the new object as it will be stored. */
  readonly validate: Reserve | undefined;
}

/** Undefined when no plugin handles such a write. */
export function admissionOf(
  { admission: chain, versioned }: Pick<WritePath, 'admission' | 'versioned'>,
  resource: ServedResource,
  as: { readonly operation: Operation; readonly subresource: string } | 'nothing',
  writing: Writing,
): Admission | undefined {
  if (chain === undefined || as === 'nothing') return undefined;
  const { name, namespace, user, dryRun, signal, options = noOptions, trace } = writing;
  const write: WithOptions = {
    operation: as.operation,
    group: resource.type.group,
    resource: resource.type.resource,
    subresource: as.subresource,
    requested: versioned.of(resource, as.subresource),
    namespace,
    name,
    user,
    dryRun,
    signal,
    options,
    report: trace === undefined ? noReport : new TraceReport(trace),
  };
  const admission = chain.admissionOf(write);
  if (admission === undefined) return undefined;
  return {
    precheck: () => admission.precheck(write),
    mutate: admission.mutates ? (states) => admission.mutate(new AdmittedWrite(write, states)) : undefined,
    validate: admission.validates
      ? (states) => reserved(admission, new AdmittedWrite(write, states))
      : undefined,
  };
}

/** Admits a write; charges of plugins before a refusal are released. */
async function reserved(admission: WriteAdmission, write: AdmittedWrite): Promise<PendingWrite | undefined> {
  try {
    await admission.validate(write);
  } catch (error) {
    await write.taken?.finish(false);
    throw error;
  }
  return write.taken;
}

type WithOptions = Omit<AdmissionAttributes, 'object' | 'oldObject' | 'whenNotStored'>;

/** A write with its objects, which are read from `states` on demand. */
class AdmittedWrite implements AdmissionAttributes {
  readonly operation: Operation;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly requested: AdmissionAttributes['requested'];
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly options: OptionsObject;
  readonly report: AdmissionReport;
  readonly #states: WrittenStates;
  #releases: readonly ReleaseTaken[] = nothingTaken;

  constructor(write: WithOptions, states: WrittenStates) {
    this.operation = write.operation;
    this.group = write.group;
    this.resource = write.resource;
    this.subresource = write.subresource;
    this.requested = write.requested;
    this.namespace = write.namespace;
    this.name = states.name ?? write.name;
    this.user = write.user;
    this.dryRun = write.dryRun;
    this.signal = write.signal;
    this.options = write.options;
    this.report = write.report;
    this.#states = states;
  }

  whenNotStored(release: ReleaseTaken): void {
    this.#releases = [...this.#releases, release];
  }

  /** The charges of the write. */
  get taken(): PendingWrite | undefined {
    const all = this.#releases;
    if (all.length === 0) return undefined;
    return {
      async finish(success) {
        if (!success) for (const release of all.toReversed()) await release();
      },
    };
  }

  get object(): ApiObject | undefined {
    return this.#states.object;
  }

  get oldObject(): ApiObject | undefined {
    return this.#states.oldObject;
  }
}

/** Lets plugins receive the view of a subresource instead of the whole object. */
export const throughView = (admit: Reserve, { of }: SubresourceView): Reserve => {
  const viewOf = async (object: ApiObject | undefined): Promise<ApiObject | undefined> =>
    object === undefined ? undefined : of(object);
  return async ({ object, oldObject }) =>
    admit({ object: await viewOf(object), oldObject: await viewOf(oldObject) });
};

const nothingTaken: readonly ReleaseTaken[] = [];

const noOptions: OptionsObject = () => undefined;

/** Adds what plugins report to the trace of the request. */
class TraceReport implements AdmissionReport {
  readonly #trace: Trace;

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  warn(message: string): void {
    addWarnings(this.#trace, [message]);
  }

  annotate(key: string, value: string, level?: 'Metadata' | 'Request'): void {
    this.#trace.annotate?.(key, value, level);
  }

  exclude(ms: number): void {
    excludeTime(this.#trace, ms);
  }

  step(step: AdmissionStep): void {
    addStep(this.#trace, step);
  }
}

const noReport: AdmissionReport = { warn() {}, annotate() {}, exclude() {}, step() {} };

/** Namespace and name of an object, from its key in the resource. */
export function namespacedNameOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: slash === -1 ? '' : key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The states of a creation. */
export const creating = (
  object: ApiObject,
): { readonly object: ApiObject; readonly oldObject: undefined } => ({
  object,
  oldObject: undefined,
});
