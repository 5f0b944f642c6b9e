import { visibleText } from '@orch/machinery/formats';
import { tabColumns } from '../../../print/tab-columns.ts';

const INDENTATION = '  ';

/** The text of a description: lines with aligned columns. Control characters of terminals are made visible. */
export class Description {
  readonly #done: string[] = [];
  #text = '';

  /** A string as it is; tabs separate columns. */
  raw(text: string): void {
    this.#text += visibleText(text);
  }

  /** A line. Several cells become columns. */
  line(level: number, ...cells: readonly unknown[]): void {
    this.raw(`${INDENTATION.repeat(level)}${cells.map(String).join('\t')}\n`);
  }

  /** `name: value`. */
  field(level: number, name: string, value: unknown): void {
    this.line(level, `${name}:`, String(value));
  }

  /** Lines of fields, in order. */
  fields(level: number, fields: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(fields)) this.field(level, name, value);
  }

  /** `title:` with one value on each line. Lines after the first begin with `margin`. */
  list(title: string, values: readonly string[], margin = ''): void {
    if (values.length === 0) {
      this.raw(`${title}:\t<none>\n`);
      return;
    }
    values.forEach((value, i) => {
      this.raw(`${i === 0 ? `${title}:` : margin}\t${value}\n`);
    });
  }

  /** Columns of later lines do not depend on those so far. */
  endColumns(): void {
    this.#done.push(tabColumns(this.#text));
    this.#text = '';
  }

  /** The text since the last end of columns, with tabs between columns. */
  tabbed(): string {
    return this.#text;
  }

  toString(): string {
    return this.#done.join('') + tabColumns(this.#text);
  }
}
