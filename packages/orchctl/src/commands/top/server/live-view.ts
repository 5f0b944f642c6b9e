import { visibleText } from '@orch/machinery/formats';
import type { Io, Terminal } from '../../../io.ts';
import { ownSequences } from '../../../print/visible-output.ts';

const ESCAPE = '\u001b';
const OPEN = `${ESCAPE}[?1049h${ESCAPE}[?25l`;
const CLOSE = `${ESCAPE}[?25h${ESCAPE}[?1049l`;
const HOME = `${ESCAPE}[H`;
const CLEAR_LINE = `${ESCAPE}[K`;
const CLEAR_REST = `${ESCAPE}[J`;
const CTRL_C = 3;
const CTRL_D = 4;

/** The whole screen of a terminal for text that is replaced. Its disposal restores the previous content. */
export class LiveView implements Disposable {
  readonly #io: Io;
  readonly #terminal: Terminal;
  readonly #stopResize: () => void;
  readonly #end = new AbortController();
  #size = { columns: 80, rows: 24 };
  #text = '';

  constructor(io: Io, terminal: Terminal) {
    this.#io = io;
    this.#terminal = terminal;
    io.out.write(ownSequences(OPEN));
    terminal.setRaw(true);
    this.#stopResize = terminal.onResize((size) => {
      this.#size = size;
      this.#draw();
    });
    void this.#readKeys();
  }

  /** Aborted by `q`, Ctrl-C, Ctrl-D, and at the end of the input. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  /** Replaces the text. */
  show(text: string): void {
    this.#text = visibleText(text);
    this.#draw();
  }

  /** Lines that are longer than the terminal is wide, or beyond its height, are cut. */
  #draw(): void {
    const { columns, rows } = this.#size;
    const lines = this.#text.split('\n').slice(0, Math.max(1, rows - 1));
    const cut = lines.map((line) => `${[...line].slice(0, columns).join('')}${CLEAR_LINE}`);
    this.#io.out.write(ownSequences(`${HOME}${cut.join('\r\n')}${CLEAR_REST}`));
  }

  async #readKeys(): Promise<void> {
    try {
      for await (const keys of this.#io.input)
        if (keys.some((key) => key === CTRL_C || key === CTRL_D || key === 0x71 || key === 0x51)) break;
    } finally {
      this.#end.abort(new Error('the user ended the view'));
    }
  }

  [Symbol.dispose](): void {
    this.#stopResize();
    this.#terminal.setRaw(false);
    this.#io.out.write(ownSequences(CLOSE));
  }
}
