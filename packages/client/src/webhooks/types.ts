import type { ApiObject, Env } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import type { Client } from '../client.ts';
import type { JsonPatchOperation } from '../rest/types.ts';

/** Beside the request of a handler: what it works with. */
export interface WebhookCall {
  /** Aborts when the deadline of the request has passed or its client has left. */
  readonly signal: AbortSignal;
  readonly client: Client;
  readonly env: Env;
}

/** A kind in a version of its group. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A resource in a version of its group. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The request of an AdmissionReview. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly requestKind?: GroupVersionKind;
  readonly requestResource?: GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly userInfo: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  /** A copy for the handler, which may change it; null for a deletion. */
  readonly object: ApiObject | null;
  /** Null for a creation. */
  readonly oldObject: ApiObject | null;
  readonly dryRun?: boolean;
  readonly options: JsonObject | null;
}

interface Notes {
  /** Shown to the user. */
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** An allowed write. A mutating webhook returns the changed object or a patch. */
export interface AllowedWrite extends Notes {
  readonly allowed: true;
  /** The object as it has to be: the server makes the patch. */
  readonly object?: ApiObject;
  readonly patch?: readonly JsonPatchOperation[];
}

/** A write that the webhook denies. */
export interface DeniedWrite extends Notes {
  readonly allowed: false;
  /** Why, for the user. */
  readonly message: string;
  /** For programs; `Forbidden` when absent. */
  readonly reason?: string;
  /** The code of the response to the user; 403 when absent. */
  readonly code?: number;
}

/** The decision of an admission handler. */
export type AdmissionAnswer = AllowedWrite | DeniedWrite;

/** Decides on a write. A handler that throws, or takes too long, denies it. */
export type AdmissionHandler = (
  request: AdmissionRequest,
  call: WebhookCall,
) => AdmissionAnswer | Promise<AdmissionAnswer>;

/**
 * Converts one object of a custom resource to another version of it. The server sets `apiVersion` and `kind`, and of the
 * metadata it takes over labels and annotations.
 */
export type ConversionHandler = (
  object: ApiObject,
  desiredApiVersion: string,
  call: WebhookCall,
) => JsonObject | Promise<JsonObject>;
