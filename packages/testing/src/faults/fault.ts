/** When a fault of a write happens: the server has not received the write, or it has taken effect and its answer is lost. */
export type Moment = 'before' | 'after';

/** A fault of one request. */
export type Fault =
  /** An error of the server. `after` lets a write take effect first. */
  | { readonly kind: 'error'; readonly code: 409 | 429 | 500 | 503; readonly moment?: Moment }
  /** The connection ends without an answer. */
  | { readonly kind: 'lost'; readonly moment?: Moment }
  /** The request is sent after a time. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The clock of the control plane and of its clients jumps forward while the request is sent (see `ControlPlane.advance`). */
  | { readonly kind: 'jump'; readonly ms: number }
  /** The replica of the server ends: so do all watches of the client, and the request is sent to another replica. */
  | { readonly kind: 'replica' }
  /** A read gets an earlier answer to the same read, where there was one. */
  | { readonly kind: 'stale' }
  /** A list or watch is told that its version was compacted (410). */
  | { readonly kind: 'compacted' }
  /** A watch ends after a number of events. */
  | { readonly kind: 'cut'; readonly events: number }
  /** Each event of a watch arrives after a time. */
  | { readonly kind: 'delayed'; readonly ms: number }
  /** A watch delivers bookmarks, and ends instead of the first event. */
  | { readonly kind: 'bookmarksOnly' };

/** A request that a rule decides about. */
export interface FaultRequest {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`. */
  readonly verb: string;
  /** Without the query. */
  readonly path: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  /** How many requests with the same verb and path there were before. */
  readonly occurrence: number;
}

/** A rule: the fault of a request, or undefined for none. */
export type FaultRule = (request: FaultRequest) => Fault | undefined;

/** A fault that happened. */
export interface InjectedFault {
  readonly request: FaultRequest;
  readonly fault: Fault;
}

export const faultText = ({ request, fault }: InjectedFault): string => {
  const { kind, ...rest } = fault;
  const details = Object.entries(rest).map(([name, value]) => ` ${name}=${value}`);
  return `${request.verb} ${request.path} (occurrence ${request.occurrence}): ${kind}${details.join('')}`;
};

const writeVerbs: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

export const isWrite = ({ verb }: Pick<FaultRequest, 'verb'>): boolean => writeVerbs.has(verb);
