import type { MetricsFormat } from '@orch/machinery';
import type { FlagsMessage } from '@orch/program';
import type { RenewedPairs } from '../certificates/renewed-pairs.ts';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import type { ChangedSetting } from './live-settings.ts';

/** The input of a thread. */
export type ThreadInput = FlagsMessage<ApiServerFlags>;

/** A message of the first thread to a further one. */
export type ToThread =
  /** Start to serve on a port, which the first thread has opened. */
  | { readonly type: 'serve'; readonly port: number }
  /** Complete all requests and end. */
  | { readonly type: 'stop' }
  /** Send the values of the metrics. */
  | { readonly type: 'metrics' }
  /** Use other certificates for new connections. */
  | { readonly type: 'renewed'; readonly renewed: RenewedPairs }
  /** Change a setting. */
  | { readonly type: 'setting'; readonly changed: ChangedSetting }
  /** The answer to the request for an exposition with this number. */
  | { readonly type: 'exposition'; readonly id: number; readonly text: string };

/** A message of a further thread to the first one. */
export type FromThread =
  /** The thread serves requests. */
  | { readonly type: 'ready' }
  /** The thread cannot serve, and ends. */
  | { readonly type: 'failed'; readonly message: string }
  /** The families of the thread in the text format: the answer to the earliest request that has none. */
  | { readonly type: 'metrics'; readonly text: string }
  /** A setting that has changed in the thread. */
  | { readonly type: 'setting'; readonly changed: ChangedSetting }
  /** A request for the metrics of all threads. */
  | { readonly type: 'exposition'; readonly id: number; readonly format: MetricsFormat };
