import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { cellText, toneOf } from '../rows/cell-text.ts';
import type { Row } from '../rows/row.ts';
import type { ShownColumn } from '../rows/shown-columns.ts';
import type { SortedRows } from '../rows/sorted-rows.ts';
import { moved } from '../view/moves.ts';

/** Height of a row in pixels; the style sheet has the same. */
const ROW_HEIGHT = 32;
/** Rows beyond the visible part, so that fast scrolling shows no gaps. */
const EXTRA_ROWS = 12;
/** The space in a cell beside its text, in characters. */
const PADDING = 3;

export interface VirtualTableProps {
  readonly label: string;
  readonly rows: SortedRows;
  readonly columns: readonly ShownColumn[];
  readonly nowMs: number;
  readonly sort: string;
  readonly isDescending: boolean;
  /** Changes with the order and the selection: the table then begins at the top. */
  readonly arrangement: string;
  readonly onSort: (name: string) => void;
  readonly addressOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
}

/** A table that draws only the rows in sight. Arrow keys move the chosen row, Enter opens it. */
export function VirtualTable(props: VirtualTableProps) {
  const { rows, columns, label } = props;
  const { visible } = rows;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const height = useHeight(box);
  const [chosen, setChosen] = useState('');
  useSteadyRows(box, rows, props.arrangement);
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - EXTRA_ROWS);
  const shown = visible.slice(first, first + Math.ceil(height / ROW_HEIGHT) + 2 * EXTRA_ROWS);
  const chosenPlace = rows.indexOf(chosen);
  const choose = (place: number): void => {
    const row = visible[place];
    if (row === undefined) return;
    setChosen(row.key);
    showRow(box.current, place);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = visible[chosenPlace];
    if (event.key === 'Enter' && event.target === event.currentTarget && row !== undefined) props.onOpen(row);
    const pageRows = Math.max(1, Math.floor(height / ROW_HEIGHT) - 2);
    const next = moved(event.key, { place: chosenPlace, count: visible.length, pageRows });
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  };
  const isDrawn = chosenPlace >= first && chosenPlace < first + shown.length;
  const width = columns.reduce((sum, column) => sum + column.width + PADDING, 0);
  return (
    <div class="grid" ref={box} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: keys choose rows of the table.
        role="grid"
        aria-label={label}
        aria-rowcount={visible.length + 1}
        tabIndex={0}
        style={{ width: `max(100%, ${width}ch)` }}
        {...(isDrawn && { 'aria-activedescendant': `row-${chosenPlace}` })}
        onFocus={() => chosenPlace < 0 && setChosen(visible[0]?.key ?? '')}
        onKeyDown={onKeyDown}
      >
        <colgroup>
          {columns.map(({ column, width }) => (
            <col key={column.name} style={{ width: `${width + PADDING}ch` }} />
          ))}
        </colgroup>
        <Head {...props} />
        <tbody>
          <Space rows={first} />
          {shown.map((row, place) => (
            <TableRow
              key={row.key}
              {...{ row, columns, nowMs: props.nowMs, place: first + place }}
              isChosen={row.key === chosen}
              address={props.addressOf(row)}
              onChoose={() => setChosen(row.key)}
            />
          ))}
          <Space rows={visible.length - first - shown.length} />
        </tbody>
      </table>
    </div>
  );
}

function Head({ columns, sort, isDescending, onSort }: VirtualTableProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ column }) => (
          <th
            key={column.name}
            scope="col"
            aria-sort={sort === column.name ? (isDescending ? 'descending' : 'ascending') : 'none'}
          >
            <button type="button" class="plain" onClick={() => onSort(column.name)}>
              {column.name}
              <span aria-hidden="true">{sort === column.name ? (isDescending ? ' ▾' : ' ▴') : ''}</span>
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The height of rows that are not drawn. */
const Space = ({ rows }: { readonly rows: number }) =>
  rows <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without cells cannot have the focus.
    <tr aria-hidden="true" style={{ height: `${rows * ROW_HEIGHT}px` }} />
  );

interface RowProps {
  readonly row: Row;
  readonly columns: readonly ShownColumn[];
  readonly nowMs: number;
  readonly place: number;
  readonly isChosen: boolean;
  readonly address: string;
  readonly onChoose: () => void;
}

function TableRow({ row, columns, nowMs, place, isChosen, address, onChoose }: RowProps) {
  return (
    <tr
      id={`row-${place}`}
      aria-rowindex={place + 2}
      aria-selected={isChosen}
      class={row.isTerminating ? 'terminating' : ''}
      onClick={onChoose}
    >
      {columns.map(({ column, index }) => {
        const text = cellText(row, { column, index, nowMs });
        return (
          <td key={column.name} title={text} class={toneOf(column, text)}>
            {column.format === 'name' || column.name === 'Name' ? (
              <a href={address} tabIndex={-1}>
                {text}
              </a>
            ) : (
              text
            )}
          </td>
        );
      })}
    </tr>
  );
}

function useHeight(box: { readonly current: HTMLElement | null }): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const observer = new ResizeObserver(() => setHeight(current.clientHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, [box]);
  return height;
}

/** Keeps the first row in sight where it is when rows above it appear or disappear. */
function useSteadyRows(
  box: { readonly current: HTMLElement | null },
  rows: SortedRows,
  arrangement: string,
): void {
  const anchor = useRef({ key: '', place: 0, arrangement });
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const { key, place, arrangement: earlier } = anchor.current;
    const now = rows.indexOf(key);
    if (earlier !== arrangement) current.scrollTop = 0;
    else if (current.scrollTop > 0 && now >= 0) current.scrollTop += (now - place) * ROW_HEIGHT;
    const first = Math.floor(current.scrollTop / ROW_HEIGHT);
    anchor.current = { key: rows.visible[first]?.key ?? '', place: first, arrangement };
  });
}

/** Scrolls so that a row is between the head and the lower edge. */
function showRow(box: HTMLElement | null, place: number): void {
  if (box === null) return;
  const top = place * ROW_HEIGHT;
  const lowest = top + 2 * ROW_HEIGHT - box.clientHeight;
  if (box.scrollTop > top) box.scrollTop = top;
  else if (box.scrollTop < lowest) box.scrollTop = lowest;
}
