import { type Env, messageOf } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import type { Background } from '@orch/program';
import { isWriteRefused } from '../storage/refused-writes.ts';

/** A part of the start that writes to the store. */
export interface StartWrite {
  /** The action that failed, for the log: `create the objects that every cluster has`. */
  readonly what: string;
  write(signal: AbortSignal): Promise<void>;
  /** Called once the write has succeeded. */
  done(): void;
}

export interface StartWriteContext {
  readonly env: Pick<Env, 'clock' | 'log'>;
  readonly background: Background;
}

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/**
 * Writes, or lets the server start without it when the store does not accept writes: objects can then be read, and deleted to
 * make room. The write is repeated in the background until it succeeds. Rejects with every other error.
 */
export async function writeOrLater(
  { what, write, done }: StartWrite,
  { env: { clock, log }, background }: StartWriteContext,
  signal: AbortSignal,
): Promise<void> {
  try {
    await write(signal);
    done();
  } catch (error) {
    if (signal.aborted || !isWriteRefused(error)) throw error;
    log.warn(`cannot ${what} yet: the store does not accept writes`, { error: messageOf(error) });
    background.start(what, async (stop) => {
      for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(2 * delayMs, LAST_RETRY_MS)) {
        await sleep(clock, delayMs, stop);
        try {
          await write(stop);
          break;
        } catch (again) {
          stop.throwIfAborted();
          log.debug(1, `cannot ${what} yet`, { error: messageOf(again) });
        }
      }
      log.info(`the store accepts writes again: was able to ${what}`);
      done();
    });
  }
}
