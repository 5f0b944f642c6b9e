import type { UserInfo } from '@orch/auth';
import { type ApiError, errors } from '@orch/machinery';
import type {
  ApiRequest,
  Authenticated,
  Authorized,
  Handler,
  ResourceRequest,
  Stage,
  WithInfo,
} from './types.ts';

/** A measured part of a request: a plugin or webhook of admission, or a transaction of the store. */
export interface RequestStep {
  readonly stage: 'admission' | 'webhook' | 'store';
  /** Name of the plugin, or of the webhook; of the operation of the store. */
  readonly name: string;
  /** The object that configures the webhook. */
  readonly configuration?: { readonly resource: string; readonly name: string };
  readonly ms: number;
  /** The step refused the request, or failed. */
  readonly refused: boolean;
}

/** The flow schema and priority level of a request. */
export interface RequestFlow {
  readonly name: string;
  readonly level: { readonly name: string };
}

/** An object that a request wrote. */
export interface WrittenObject {
  readonly name: string;
  readonly resourceVersion: string;
}

/** The report of inner stages about a request, for the log line, the metrics and the audit event at its end. */
export interface Trace {
  /** Name of the authenticated user; empty before authentication. */
  user: string;
  /** The authenticated user; absent before authentication. */
  identity?: UserInfo | undefined;
  /** Time of authentication, in milliseconds; absent when it took less than one. */
  authenticationMs?: number;
  /** Time of authorization, in milliseconds; absent when it took less than one. */
  authorizationMs?: number;
  /** Time in a queue of flow control, in milliseconds; absent when there was none. */
  queuedMs?: number;
  /** Absent without flow control. */
  flow?: RequestFlow | undefined;
  /** The stage that refused the request, where the status does not show it. */
  refusedBy?: 'authorization' | 'flow control';
  /** Set by requests for a deprecated version: the release that removes it, empty when none does. */
  deprecated?: { readonly removed: string };
  /** Steps that refused, took time or called another service; absent when there are none. */
  steps?: RequestStep[];
  /** The object of the last creation or update; absent when there was none, also after a dry run. */
  written?: WrittenObject;
  /** The impersonated user; absent without impersonation. */
  impersonated?: UserInfo;
  /** Audit annotations about the credentials. */
  credentials?: Readonly<Record<string, string>>;
  /**
   * Adds an annotation to the audit event, from an audit level on; absent when the request is not audited. The first value of a
   * key is kept.
   */
  annotate?: (key: string, value: string, level?: 'Metadata' | 'Request') => void;
  /**
   * Time in queues of flow control and in admission webhooks, in milliseconds, which service level indicators exclude; absent
   * when there was none.
   */
  excludedMs?: number;
  /** The request, when it is a write and a history of objects is kept. */
  source?: { readonly request: ApiRequest; readonly info: ResourceRequest };
  /** Warnings of admission plugins, for the reply, also one about a failure; absent when there are none. */
  warnings?: Set<string>;
}

/** Excludes time from the service level indicators of a request, in milliseconds. */
export function excludeTime(trace: Trace, ms: number): void {
  trace.excludedMs = (trace.excludedMs ?? 0) + ms;
}

/** Maximum number of steps that are kept of a request: repeated attempts of a write repeat them. */
const MAX_STEPS = 64;

/** Adds a step to those of a request, up to a limit. */
export function addStep(trace: Trace, step: RequestStep): void {
  trace.steps ??= [];
  if (trace.steps.length < MAX_STEPS) trace.steps.push(step);
}

/** After request info: a request that is observed. */
export interface Observed extends WithInfo {
  readonly trace: Trace;
}

/** After authentication: a request with its user. */
export type Identified = Observed & Authenticated;

/** The context of a request for a resource. */
export interface ResourceContext extends Authorized {
  readonly trace: Trace;
  readonly info: ResourceRequest;
}

/**
 * Puts a stage before a handler. Stages are composed from the end, once, when the server is created: a request then costs
 * one call per stage. The types admit only a handler that needs what the stage provides.
 */
export const before =
  <In, Out extends In>(stage: Stage<In, Out>, next: Handler<Out>): Handler<In> =>
  (context) =>
    stage(context, next);

/** Status code of a request whose client disconnected before the reply, in metrics and logs only. */
export const CLIENT_GONE_CODE = 499;

/** The abort reason of such a request. */
export const clientGone = (): ApiError => errors.plain(CLIENT_GONE_CODE, 'the client closed the connection');

/**
 * An `AbortSignal` that is created on first use: most requests are answered from memory and never use it.
 */
export class LazySignal {
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The abort reason; undefined until it is aborted. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Only the first reason is kept. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
