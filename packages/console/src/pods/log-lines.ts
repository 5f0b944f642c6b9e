import { visibleText } from '@orch/machinery/formats';

/** Neighbouring lines, which are drawn together: only the last block changes. */
export interface LogBlock {
  /** Unique in a log. */
  readonly id: number;
  readonly lines: readonly LogLine[];
}

export interface LogLine {
  /** The time as the server sends it; empty for a line without one. */
  readonly time: string;
  readonly text: string;
}

const BLOCK_LINES = 100;
/** Older lines are dropped. */
const MAX_BLOCKS = 100;
/** The rest of a longer line is left out. */
const MAX_LINE_CHARS = 16 * 1024;

/** Sequences of terminals for colors, the cursor and titles. They have no meaning in a page. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds.
const sequences = /\u001b(?:\[[0-9;:?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
const times = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) /;

/** The last 10,000 lines of a log whose lines begin with their times. */
export class LogLines {
  readonly blocks: LogBlock[] = [];
  /** Whether older lines were dropped. */
  isCut = false;
  /** The time of the last complete line. */
  lastTime = '';
  #begun = '';
  #nextId = 0;
  /** The time of the last line before the connection was lost; earlier lines are not added again. */
  #knownUntil = '';

  /** Adds a part of the log as it arrives. */
  add(part: string): void {
    const [first = '', ...others] = part.split('\n');
    this.#continue(first);
    for (const begin of others) {
      this.#end();
      this.#continue(begin);
    }
  }

  /** Adds the last line, which has no end. */
  end(): void {
    if (this.#begun !== '') this.#end();
  }

  /** Prepares for the same log from `lastTime` on. An incomplete line is dropped: it will be sent again. */
  resume(): void {
    this.#begun = '';
    this.#knownUntil = this.lastTime;
  }

  #continue(text: string): void {
    this.#begun += text.slice(0, Math.max(0, MAX_LINE_CHARS - this.#begun.length));
  }

  #end(): void {
    const [stamp = '', time = ''] = times.exec(this.#begun) ?? [];
    const text = visibleText(this.#begun.slice(stamp.length).replace(/\r$/, '').replace(sequences, ''));
    this.#begun = '';
    if (time !== '' && time <= this.#knownUntil) return;
    if (time !== '') this.lastTime = time;
    this.#put({ time, text });
  }

  #put(line: LogLine): void {
    const last = this.blocks.at(-1);
    if (last !== undefined && last.lines.length < BLOCK_LINES) {
      this.blocks[this.blocks.length - 1] = { id: last.id, lines: [...last.lines, line] };
      return;
    }
    this.blocks.push({ id: this.#nextId++, lines: [line] });
    if (this.blocks.length <= MAX_BLOCKS) return;
    this.blocks.shift();
    this.isCut = true;
  }
}
