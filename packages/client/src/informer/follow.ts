import type { Env } from '@orch/machinery';
import { Backoff, withDeadline } from '@orch/machinery/concurrency';
import type { WatchOptions } from '../rest/types.ts';
import { isAheadOfServer, isExpired, isTransient } from './faults.ts';
import {
  FIRST_WAIT_MS,
  GOOD_WATCH_MS,
  GRACE_MS,
  MAX_WAIT_MS,
  SILENT_MS,
  watchSeconds,
} from './watch-limits.ts';

/** One selection of objects to follow, in any form: as objects, or as rows of tables. */
export interface FollowSource<Page, Event> {
  /** The pages of one consistent list. */
  pages(signal: AbortSignal): AsyncIterable<Page>;
  /** One watch, until the server ends it. */
  watch(options: WatchOptions, signal: AbortSignal): AsyncIterable<Event>;
  pageVersion(page: Page): string;
  /** The resourceVersion from which a watch continues after the event; empty when it has none. */
  eventVersion(event: Event): string;
}

/** Where following starts, and how failures are handled. */
export interface FollowOptions {
  readonly env: Pick<Env, 'clock' | 'random'>;
  /** Starts with the changes after this resourceVersion, without a list. */
  readonly resourceVersion?: string;
  /** Whether the first list is repeated after a failure, too. Otherwise an unreachable server is reported at once. */
  readonly retriesFirst?: boolean;
  /** Applies to the first list instead of the signal of the whole, for a limit that allows one look in any case. */
  readonly firstSignal?: AbortSignal;
  /** Called after each failure that is followed by another attempt, with the number of failures without success. */
  readonly onFailure?: (error: unknown, failures: number) => void;
}

/** A step of following: a page of a list, or a change after it. */
export type Followed<Page, Event> =
  /**
   * A page of a complete state, which replaces the known one. `since`: the last known version, when changes after it
   * were missed; undefined at the start.
   */
  | { readonly type: 'page'; readonly page: Page; readonly since: string | undefined }
  /** A change after the state; bookmarks too. */
  | { readonly type: 'event'; readonly event: Event };

/**
 * Follows a selection until the signal aborts: its state, then every change. A watch that ends is resumed from its last
 * resourceVersion: after lost connections, restarts of the server, its failures and refusals for the time being. After a 410
 * the state is read again. Rejects with the reason of the signal, and with errors that another attempt cannot change.
 * Memory does not grow with the selection. Attempts are delayed with jittered backoff.
 */
export async function* follow<Page, Event>(
  source: FollowSource<Page, Event>,
  options: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<Followed<Page, Event>, void, undefined> {
  const { env, onFailure, retriesFirst = false, firstSignal = signal } = options;
  const retry = new Backoff(env, FIRST_WAIT_MS, MAX_WAIT_MS);
  const position = new Position(options.resourceVersion);
  let isFirst = !retriesFirst && options.resourceVersion === undefined;
  let stateSignal = firstSignal;
  for (;;) {
    try {
      if (position.version === undefined) yield* state(source, position, stateSignal);
      else yield* changes(source, { env, retry, position }, signal);
      isFirst = false;
      stateSignal = signal;
    } catch (error) {
      if (signal.aborted || isFirst) throw error;
      if (isExpired(error) || isAheadOfServer(error)) position.lose();
      else if (!isTransient(error)) throw error;
      onFailure?.(error, retry.failures + 1);
      await retry.wait(signal);
    }
  }
}

/** The version up to which the changes are known. */
class Position {
  version: string | undefined;
  /** The last known version before the current state. */
  since: string | undefined;

  constructor(version: string | undefined) {
    this.version = version;
  }

  lose(): void {
    this.since = this.version ?? this.since;
    this.version = undefined;
  }
}

async function* state<Page, Event>(
  source: FollowSource<Page, Event>,
  position: Position,
  signal: AbortSignal,
): AsyncGenerator<Followed<Page, Event>, void, undefined> {
  let version = '';
  for await (const page of source.pages(signal)) {
    version ||= source.pageVersion(page);
    yield { type: 'page', page, since: position.since };
  }
  position.version = version;
}

interface Watching {
  readonly env: Pick<Env, 'clock' | 'random'>;
  readonly retry: Backoff;
  readonly position: Position;
}

/** The events of one watch. One that ends at once is followed by a delay. */
async function* changes<Page, Event>(
  source: FollowSource<Page, Event>,
  { env, retry, position }: Watching,
  signal: AbortSignal,
): AsyncGenerator<Followed<Page, Event>, void, undefined> {
  const timeoutSeconds = watchSeconds(env);
  const startedAt = env.clock.monotonic();
  let events = 0;
  using deadline = withDeadline(signal, env.clock, timeoutSeconds * 1000 + GRACE_MS);
  const resourceVersion = position.version ?? '';
  const watch = { resourceVersion, allowBookmarks: true, timeoutSeconds };
  for await (const event of source.watch(watch, deadline.signal)) {
    signal.throwIfAborted();
    position.version = source.eventVersion(event) || position.version;
    events++;
    retry.reset();
    yield { type: 'event', event };
  }
  const lastedMs = env.clock.monotonic() - startedAt;
  // A server whose history went back may never reach the version.
  if (events === 0 && lastedMs >= SILENT_MS) position.lose();
  if (lastedMs >= GOOD_WATCH_MS) retry.reset();
  else await retry.wait(signal);
}
