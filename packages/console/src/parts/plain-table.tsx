import type { ComponentChildren } from 'preact';

export interface PlainTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** The first cell of a row is its head, a text. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A short table of texts. */
export const PlainTable = ({ label, columns, rows }: PlainTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it.
  <section class="scroll" aria-label={label} tabIndex={0}>
    <table class="wide">
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head = '', ...cells], row) => (
          <tr key={`${head} ${rows.slice(0, row).filter(([earlier]) => earlier === head).length}`}>
            <th scope="row">{head}</th>
            {cells.map((cell, place) => (
              <td key={columns[place + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
