import type { FlagsMessage } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';

/** The input of a thread. */
export type ThreadInput = FlagsMessage<ApiServerFlags>;

/** A message of the first thread to a further one. */
export type ToThread =
  /** Start to serve on a port, which the first thread has opened. */
  | { readonly type: 'serve'; readonly port: number }
  /** Complete all requests and end. */
  | { readonly type: 'stop' };

/** A message of a further thread to the first one. */
export type FromThread =
  /** The thread serves requests. */
  | { readonly type: 'ready' }
  /** The thread cannot serve, and ends. */
  | { readonly type: 'failed'; readonly message: string };
