import type { Clock } from '@orch/machinery';
import type { AuditLines } from '@orch/pipeline';

/** The parts of the audit that the threads of a process share. */
export interface AuditOfThreads {
  /** The state of the audit file in shared memory. */
  readonly memory: SharedArrayBuffer;
  /** In a further thread: the parts of the first one. */
  readonly first?: FirstAudit;
}

/** The audit of the first thread, for a further one. */
export interface FirstAudit {
  /** Standard output, which only the first thread writes. */
  readonly lines: AuditLines;
  /** The thread has rotated the audit file; the first one deletes and compresses those before it. */
  rotated(): void;
}

/** The audit of the first thread, for the messages of further ones. */
export interface ServedAudit {
  /** Writes lines to standard output. */
  write(lines: string): void;
  rotated(): void;
}

/** Maximum number of characters that the first thread has not taken. Beyond it, lines are dropped. */
const MAX_PENDING = 4 * 1024 * 1024;
/** Time that the first thread has to take the last lines. */
const CLOSE_MS = 5_000;

/** Lines that the first thread writes: those of one turn of the event loop are one message. */
export class LinesOfThread implements AuditLines {
  readonly #send: (lines: string) => void;
  readonly #clock: Clock;
  #turn: string[] = [];
  #pending = 0;
  #idle: (() => void) | undefined;

  constructor(send: (lines: string) => void, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  write(line: string): boolean {
    if (this.#pending + line.length > MAX_PENDING) return false;
    this.#pending += line.length;
    this.#turn.push(line);
    if (this.#turn.length === 1) setImmediate(() => this.#flush());
    return true;
  }

  /** Must be called when the first thread has taken lines, with their number of characters. */
  taken(length: number): void {
    this.#pending -= length;
    if (this.#pending === 0) this.#idle?.();
  }

  /** Resolves when the first thread has taken all lines, or does not answer. */
  async close(): Promise<void> {
    this.#flush();
    if (this.#pending === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    const cancel = this.#clock.schedule(CLOSE_MS, resolve);
    await promise;
    cancel();
  }

  #flush(): void {
    const lines = this.#turn.splice(0).join('');
    if (lines !== '') this.#send(lines);
  }
}
