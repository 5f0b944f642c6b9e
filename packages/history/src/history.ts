import type { Authorizer } from '@orch/auth';
import type { Env, Names } from '@orch/machinery';
import { Turns } from '@orch/machinery/concurrency';
import type { ChangeRecorder, PastObjects } from '@orch/registry';
import type { Handler, ResourceContext } from '@orch/request';
import type { Store } from '@orch/storage';
import { runPruner } from './prune/run-pruner.ts';
import { HistoryRecorder } from './record/history-recorder.ts';
import { FieldWrites } from './serve/field-writes.ts';
import { historyHandler } from './serve/history-handler.ts';

export interface HistoryOptions {
  /** With values as the server reads them: encrypted ones are decrypted. */
  readonly store: Store;
  /** Reports whether two keys are in the same store, so that their revisions can be compared. */
  readonly areComparable: (key: string, other: string) => boolean;
  /** Prefix of the keys of objects, with a slash at its end. */
  readonly storePrefix: string;
  readonly names: Names;
  readonly env: Env;
  /** Retention time of changes. */
  readonly retentionMs: number;
  /** Maximum size of all changes in bytes. */
  readonly maxBytes: number;
  /** Reports whether a value with this key would be encrypted at rest now. */
  readonly isEncrypted: (key: string) => boolean;
}

/** The history of all objects of a server: records their changes, serves them, and keeps them within their limits. */
export class History {
  readonly #options: HistoryOptions;
  readonly #recorder: HistoryRecorder;
  /** One request has a turn at a time. */
  readonly #turns: Turns;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#turns = new Turns(options.env);
    this.#recorder = new HistoryRecorder({ ...options, clock: options.env.clock });
  }

  /** For the registry. */
  get recorder(): ChangeRecorder {
    return this.#recorder;
  }

  /** Serves the paths below `/history`. */
  handler(parts: { readonly past: PastObjects; readonly authorizer: Authorizer }): Handler<ResourceContext> {
    const { env } = this.#options;
    return historyHandler({
      ...this.#options,
      ...parts,
      recorder: this.#recorder,
      turns: this.#turns,
      now: () => env.clock.now(),
    });
  }

  /** Finds the changes that gave fields their values. */
  fieldWrites(parts: { readonly past: PastObjects; readonly authorizer: Authorizer }): FieldWrites {
    return new FieldWrites({ ...this.#options, ...parts, recorder: this.#recorder, turns: this.#turns });
  }

  /** Deletes changes in a store that exceed the limits, until the signal aborts. */
  run(store: Store, signal: AbortSignal): Promise<void> {
    const recordedBytes = (): number => this.#recorder.bytes;
    return runPruner(store, { ...this.#options, recordedBytes, signal });
  }
}
