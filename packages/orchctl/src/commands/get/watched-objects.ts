import type { ApiObject } from '@orch/machinery';
import { jsonText } from '@orch/machinery/json';
import { type CustomColumn, customCells } from '../../print/custom-columns.ts';
import { nameText, type ObjectFormat, objectText, withoutManagedFields } from '../../print/object-text.ts';
import { sortedFields } from '../../print/sorted-fields.ts';
import { StyledTable } from '../../print/styled-table.ts';
import type { GetFlags } from './request.ts';

/** The text of the objects of a watch, one after the other, in a format other than tables of the server. */
export class WatchedObjects {
  readonly #format: ObjectFormat;
  readonly #flags: GetFlags;
  #table: StyledTable | undefined;
  #isFirst = true;

  constructor(format: ObjectFormat, flags: GetFlags) {
    this.#format = format;
    this.#flags = flags;
  }

  /** The text of the next objects, or of their events with `--output-watch-events`. `type`: `ADDED`. */
  text(objects: readonly ApiObject[], type: string): string {
    const { showManagedFields, outputWatchEvents } = this.#flags;
    const shown = showManagedFields ? objects : objects.map(withoutManagedFields);
    const values = shown.map(
      (object): Shown => ({ object, printed: outputWatchEvents ? { type, object } : object }),
    );
    if (this.#format.kind === 'columns') return this.#rows(this.#format.columns, values);
    const format = this.#format;
    return values.map((value) => this.#separator() + this.#valueText(format, value, type)).join('');
  }

  #separator(): string {
    const separator = this.#format.kind === 'yaml' && !this.#isFirst ? '---\n' : '';
    this.#isFirst = false;
    return separator;
  }

  #valueText(format: ObjectFormat, { object, printed }: Shown, type: string): string {
    if (format.kind === 'name') return `${nameText(object)}\n`;
    if (format.kind === 'json' && this.#flags.outputWatchEvents)
      return `{"type":${jsonText(type)},"object":${jsonText(sortedFields(object))}}\n`;
    return objectText(format, { objects: [printed as ApiObject], isList: false });
  }

  /** Rows below one header; columns have the widths of the first rows, and grow. */
  #rows(columns: readonly CustomColumn[], values: readonly Shown[]): string {
    if (values.length === 0) return '';
    const hasHeader = this.#table === undefined && !this.#flags.noHeaders;
    this.#table ??= new StyledTable(
      columns.map(({ header }) => header),
      { width: undefined, hasColors: false },
    );
    return this.#table.text(
      values.map(({ printed }) => customCells(columns, printed)),
      { hasHeader },
    );
  }
}

interface Shown {
  readonly object: ApiObject;
  /** The object or its event. */
  readonly printed: unknown;
}
