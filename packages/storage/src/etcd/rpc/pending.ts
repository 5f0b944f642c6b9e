import type { Connection } from '../http2/connection.ts';
import type { RpcError } from './status.ts';

/** A call that waits for a connection. */
export interface Pending {
  /** Monotonic time in milliseconds at which it is rejected. */
  readonly deadlineAt: number;
  dispatch(connection: Connection): void;
  expire(): void;
  fail(error: RpcError): void;
}
