import type { Io, TextOutput } from '../io.ts';
import { ownSequences } from './visible-output.ts';

const CLEAR = '\r\u001b[K';

/** Fewer objects do not need progress. */
const LEAST = 10;

/**
 * The progress of a command with many objects: `37/500 applied`, a line of standard error that is rewritten, on a
 * terminal only. Output through `io` is above it. It is gone after `end` and the disposal. /
 */
export class Progress implements Disposable {
  /** The input and output of the command while the line is shown. */
  readonly io: Io;
  readonly #err: TextOutput;
  #done = 0;
  #total = 0;
  #verb = '';

  constructor(io: Io) {
    this.#err = io.err;
    // Other properties are read from the original when they are used: some of them open streams.
    this.io = Object.create(io, {
      out: { value: this.#above(io.out) },
      err: { value: this.#above(io.err) },
    });
  }

  /** Counts from 0 to a number of objects: `verb` is what happened to those that are counted. */
  start(total: number, verb: string): void {
    this.end();
    if (total < LEAST || this.#err.columns === undefined) return;
    [this.#done, this.#total, this.#verb] = [0, total, verb];
    this.#draw();
  }

  advance(): void {
    this.#done++;
    this.#draw();
  }

  /** An action that is counted when it ends, also with a failure. */
  counted<T>(act: (item: T) => Promise<void>): (item: T) => Promise<void> {
    return async (item) => {
      try {
        await act(item);
      } finally {
        this.advance();
      }
    };
  }

  end(): void {
    this.#clear();
    this.#total = 0;
  }

  [Symbol.dispose](): void {
    this.end();
  }

  #draw(): void {
    if (this.#total > 0)
      this.#err.write(ownSequences(`\r${this.#done}/${this.#total} ${this.#verb}\u001b[K`));
  }

  #clear(): void {
    if (this.#total > 0) this.#err.write(ownSequences(CLEAR));
  }

  /** An output whose text replaces the line, which follows the text. Files and pipes do not show the line. */
  #above(output: TextOutput): TextOutput {
    return {
      get columns() {
        return output.columns;
      },
      write: (text) => {
        const isTerminal = this.#total > 0 && output.columns !== undefined;
        if (isTerminal) this.#clear();
        output.write(text);
        if (isTerminal) this.#draw();
      },
      drained: () => output.drained(),
    };
  }
}
