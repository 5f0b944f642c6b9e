import type { UserInfo } from '@orch/auth';
import type { RequestInfo, RequestStep, WrittenObject } from '@orch/request';

/** The record of an answered request. It is JSON of bounded size: replicas exchange records. */
export interface RequestRecord {
  /** The audit id. Requests that belong together, such as a proxied one, share it. */
  readonly id: string;
  /** In epoch milliseconds. */
  readonly receivedAt: number;
  readonly durationMs: number;
  readonly code: number;
  readonly method: string;
  /** Path and query, cut to a limit. */
  readonly target: string;
  readonly isTargetCut: boolean;
  /** Without the rest of the path; the parts of very long paths are cut. */
  readonly info: RequestInfo;
  readonly userAgent: string;
  /** The user for whom the request was authorized: the impersonated one, if there is one. */
  readonly user: Pick<UserInfo, 'name' | 'uid'>;
  /** The credentials of the user that authorizers read; absent unless they refused the request, and when they are too long. */
  readonly credentials?: Pick<UserInfo, 'groups' | 'extra'>;
  /** Name of the user who sent it, where that is another one. */
  readonly impersonator?: string;
  /** The reason of the failure; absent when the request did not fail. */
  readonly failure?: RequestFailure;
  /** The object as the request wrote it; absent when it wrote none. */
  readonly written?: WrittenObject;
  /** In records of deprecated versions: the release that removes it, empty when none does, and the number of such requests. */
  readonly deprecated?: { readonly removedIn: string; readonly count: number };
  readonly timing: RequestTiming;
  /** The flow schema and priority level; absent without flow control. */
  readonly flow?: { readonly schema: string; readonly level: string };
  readonly steps: readonly RequestStep[];
}

export interface RequestFailure {
  /** Reason in the Status. */
  readonly reason: string;
  /** Message of the Status, truncated; without values of the request if a form without them exists. */
  readonly message: string;
  /** The stage that refused the request, where that is known. */
  readonly stage: 'authorization' | 'flow control' | 'admission' | '';
}

/** Stages that take less are not measured for records: fast requests must not pay for them. */
export const NOTABLE_MS = 1;

/** Times of stages, in milliseconds; 0 below one. */
export interface RequestTiming {
  readonly authentication: number;
  readonly authorization: number;
  /** In a queue of flow control. */
  readonly queued: number;
}

/** The record of a request with an audit id, on a replica. */
export interface ReplicaRecord {
  readonly replica: string;
  readonly record: RequestRecord;
}
