import assert from 'node:assert/strict';
import type { Naming } from '@orch/machinery';
import type { ApiClient, ApiResponse, LaunchedServer, WatchEvent } from '@orch/testkit';

/** An object as the API shows it; only the fields that tests use are declared. */
export interface ApiItem {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly generateName?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
    readonly finalizers?: readonly string[];
    readonly labels?: Record<string, string>;
  };
  readonly data?: Record<string, string>;
  readonly spec: Record<string, unknown>;
  readonly status: Record<string, unknown>;
}

export interface ApiList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly ApiItem[];
}

export interface StatusBody {
  readonly kind: string;
  readonly apiVersion: string;
  readonly status: string;
  readonly reason?: string;
  readonly message: string;
  readonly code: number;
  readonly metadata: { readonly continue?: string };
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason: string; readonly field?: string }[];
  };
}

/** Identifiers that differ between the two namings. */
export const words = {
  orch: {
    meta: 'meta.orch.io',
    coordination: 'coordination.orch.io',
    protobuf: 'application/vnd.orch.protobuf',
    systemNamespace: 'orch-system',
    namespaces: ['default', 'orch-node-lease', 'orch-public', 'orch-system'],
  },
  kubernetes: {
    meta: 'meta.k8s.io',
    coordination: 'coordination.k8s.io',
    protobuf: 'application/vnd.kubernetes.protobuf',
    systemNamespace: 'kube-system',
    namespaces: ['default', 'kube-node-lease', 'kube-public', 'kube-system'],
  },
} as const satisfies Record<Naming, unknown>;

export const ns = '/api/v1/namespaces/default';
export const cms = `${ns}/configmaps`;
export const pods = `${ns}/pods`;

export const configMap = (
  name: string,
  data: Record<string, string> = {},
  metadata: Record<string, unknown> = {},
): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data });

export const podObject = (
  name: string,
  metadata: Record<string, unknown> = {},
  spec: Record<string, unknown> = {},
): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }], ...spec },
});

export const item = (answer: ApiResponse): ApiItem => answer.json as ApiItem;
export const list = (answer: ApiResponse): ApiList => answer.json as ApiList;
export const status = (answer: ApiResponse): StatusBody => answer.json as StatusBody;
export const names = (answer: ApiResponse): readonly string[] =>
  list(answer).items.map(({ metadata }) => metadata.name);

/** The response, when it has this code; otherwise the test fails with its text. */
export function expectCode(code: number, answer: ApiResponse): ApiResponse {
  assert.equal(answer.status, code, answer.text);
  return answer;
}

/** The `Status` of a failed request: code, reason, and causes must be as given. */
export function refused(
  answer: ApiResponse,
  code: number,
  reason: string | undefined,
  causes?: readonly string[],
): StatusBody {
  assert.equal(answer.status, code, answer.text);
  const body = status(answer);
  assert.deepEqual(
    [body.kind, body.apiVersion, body.status, body.code, body.reason],
    ['Status', 'v1', 'Failure', code, reason],
    answer.text,
  );
  assert.ok(body.message.length > 10, 'a message that says something');
  if (causes !== undefined) {
    assert.deepEqual(
      (body.details?.causes ?? []).map((cause) => cause.reason),
      causes,
      answer.text,
    );
  }
  return body;
}

export async function create(client: ApiClient, path: string, object: object): Promise<ApiItem> {
  return item(expectCode(201, await client.post(path, object)));
}

/** Events of a watch until `enough` returns true; fails when the watch ends before. */
export async function eventsUntil(
  client: ApiClient,
  path: string,
  enough: (events: readonly WatchEvent[]) => boolean,
  act?: () => Promise<unknown>,
): Promise<readonly WatchEvent[]> {
  const stop = new AbortController();
  const seen: WatchEvent[] = [];
  const watching = client.watch(path, stop.signal);
  const acting = act?.();
  for await (const event of watching) {
    seen.push(event);
    if (enough(seen)) {
      stop.abort();
      await acting;
      return seen;
    }
  }
  throw new Error(`the watch ended after ${JSON.stringify(seen)}`);
}

/** The whole of a watch that the server ends. */
export async function wholeWatch(client: ApiClient, path: string): Promise<readonly WatchEvent[]> {
  const seen: WatchEvent[] = [];
  for await (const event of client.watch(path, new AbortController().signal)) seen.push(event);
  return seen;
}

export const typesOf = (events: readonly WatchEvent[]): readonly string[] =>
  events.map(({ type, object }) => (type === 'BOOKMARK' ? type : `${type} ${object.metadata.name}`));

export type Served = Pick<LaunchedServer, 'client'>;
