import { visibleText } from '@orch/machinery/formats';
import type { TextOutput } from '../io.ts';
import { columnWidths, GAP, rowText } from './columns.ts';
import { type Color, colored, type Style } from './style.ts';
import { ownSequences } from './visible-output.ts';

type Row = readonly string[];

/** Columns that are never shortened: with another name a command finds nothing. */
const nameColumns: ReadonlySet<string> = new Set([
  'NAME',
  'NAMESPACE',
  'OBJECT',
  'NODE',
  'EVENT',
  'REVISION',
]);

/** Columns become no narrower than this. */
const MIN_TEXT = 6;

/**
 * A table that may be printed in parts. Columns have the widths of the first rows, and grow when a cell is longer. On a terminal the
 * longest columns are shortened until lines fit, except names; control characters of titles and values are visible.
 */
export class StyledTable {
  readonly #header: Row;
  readonly #style: Style;
  #widths: readonly number[] = [];

  constructor(header: Row, style: Style) {
    this.#header = header.map(visibleText);
    this.#style = style;
  }

  /** Writes the next rows, each a line. */
  print(
    output: Pick<TextOutput, 'write'>,
    rows: readonly Row[],
    options: { readonly hasHeader: boolean },
  ): void {
    const text = this.text(rows, options);
    output.write(this.#style.hasColors ? ownSequences(text) : text);
  }

  /** The text of the next rows, each a line. */
  text(rows: readonly Row[], { hasHeader }: { readonly hasHeader: boolean }): string {
    const visible = rows.map((row) => row.map(visibleText));
    const measured = columnWidths(hasHeader ? [this.#header, ...visible] : visible);
    const grown = measured.map((width, i) => Math.max(width, this.#widths[i] ?? 0));
    this.#widths = this.#style.width === undefined ? grown : this.#fitted(grown, this.#style.width);
    const lines = visible.map((row) => this.#line(row));
    return [...(hasHeader ? [this.#headerLine()] : []), ...lines].map((line) => `${line}\n`).join('');
  }

  #headerLine(): string {
    const { width } = this.#style;
    const titles =
      width === undefined ? this.#header : this.#header.map((title, i) => this.#shortened(title, i));
    const line = rowText(titles, this.#widths);
    return this.#style.hasColors ? colored(line, 'bold') : line;
  }

  #line(row: Row): string {
    const cells = row.map((cell, i) => (this.#style.width === undefined ? cell : this.#shortened(cell, i)));
    const line = rowText(cells, this.#widths);
    if (!this.#style.hasColors) return line;
    let at = 0;
    return cells
      .map((cell, i) => {
        const start = at;
        at += i === cells.length - 1 ? cell.length : Math.max(this.#widths[i] ?? 0, cell.length);
        const color = statusColor(this.#header[i] ?? '', row[i] ?? '');
        const padding = line.slice(start + cell.length, at);
        return color === undefined ? cell + padding : colored(cell, color) + padding;
      })
      .join('');
  }

  #shortened(cell: string, column: number): string {
    if (nameColumns.has(this.#header[column] ?? '')) return cell;
    const room = (this.#widths[column] ?? 0) - GAP;
    const chars = [...cell];
    return chars.length <= room ? cell : `${chars.slice(0, Math.max(1, room - 1)).join('')}…`;
  }

  /**
   * Widths whose sum is that of the terminal, as far as names permit: the widest column becomes narrower first, and columns
   * become narrower than their titles only where lines would not fit otherwise.
   */
  #fitted(widths: readonly number[], width: number): readonly number[] {
    const least = (titles: boolean): readonly number[] =>
      widths.map((own, i) => {
        const title = this.#header[i] ?? '';
        if (nameColumns.has(title)) return own;
        return Math.min(own, Math.max(MIN_TEXT, titles ? title.length : 0) + GAP);
      });
    return narrowed(narrowed(widths, least(true), width), least(false), width);
  }
}

/** Widths of which the widest is made narrower until lines fit, or none is wider than its least width. */
function narrowed(widths: readonly number[], least: readonly number[], width: number): readonly number[] {
  const fitted = [...widths];
  // The last column has no gap behind it.
  let excess = fitted.reduce((sum, own) => sum + own, -GAP) - width;
  while (excess > 0) {
    const spare = fitted.map((own, i) => (own > (least[i] ?? 0) ? own : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0) break;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
    excess--;
  }
  return fitted;
}

/** Columns of the states of objects. */
const statusColumns: ReadonlySet<string> = new Set([
  'STATUS',
  'PHASE',
  'REASON',
  'STATE',
  'TYPE',
  'CONDITION',
]);

const failed =
  /^(?:Failed|Error|Unknown|Lost|Denied|NotReady|Evicted|OOMKilled|DeadlineExceeded|NodeLost)$|BackOff$|Err[A-Z]|^Err|Error$|^Failed/;
const pending =
  /^(?:Pending|Terminating|Creating|ContainerCreating|PodInitializing|Suspended|Released|Warning|SchedulingDisabled|SchedulingGated|Progressing)$|^Init:/;

/** The color of a cell: red for failures, yellow for states that are not ready yet; undefined for all others. */
function statusColor(title: string, text: string): Color | undefined {
  if (!statusColumns.has(title)) return undefined;
  // Several states are separated by commas: `Ready,SchedulingDisabled`, `Approved,Failed`.
  const states = text.split(',').map((state) => state.trim());
  if (states.some((state) => failed.test(state))) return 'red';
  return states.some((state) => pending.test(state)) ? 'yellow' : undefined;
}
