import { type DiscoveredResource, isForbidden } from '@orch/client';
import { browserEnv } from '@orch/client/browser';
import { useMemo, useState } from 'preact/hooks';
import type { PageSession } from '../api/session.ts';
import { type Selection, tableSource } from '../api/tables.ts';
import { ExportButtons } from '../parts/export-buttons.tsx';
import { FreshnessLine } from '../parts/freshness-line.tsx';
import { kindWord } from '../parts/kind-list.tsx';
import { Failure } from '../parts/notice.tsx';
import { SelectionBar } from '../parts/selection-bar.tsx';
import { useLive } from '../parts/use-live.ts';
import { useNow } from '../parts/use-now.ts';
import type { Go } from '../parts/use-view.ts';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { LiveRows } from '../rows/live-rows.ts';
import { type Row, sortValue } from '../rows/row.ts';
import { type ShownColumn, shownColumns } from '../rows/shown-columns.ts';
import type { Arrangement } from '../rows/sorted-rows.ts';
import { addressOf, startView, type View } from '../view/view.ts';

export interface ObjectsPageProps {
  readonly session: PageSession;
  readonly resource: DiscoveredResource;
  readonly view: View;
  readonly go: Go;
}

/** The objects of a kind, live. */
export function ObjectsPage({ session, resource, view, go }: ObjectsPageProps) {
  const [attempt, setAttempt] = useState(0);
  const { namespace, labels, fields } = view;
  const selection: Selection = { resource, namespace: resource.namespaced ? namespace : '', labels, fields };
  const live = useLive(JSON.stringify([selection, attempt]), (onChange) => {
    const source = (onOpen: () => void) => tableSource(session.connection, selection, onOpen);
    return new LiveRows({ source, env: browserEnv(), onChange });
  });
  const nowMs = useNow();
  const columns = useColumns(live, resource.namespaced && namespace === '');
  const arrangement = useArrangement(live, view);
  const { freshness, rows } = live;
  const open = (row: Row): void => go({ object: { namespace: row.namespace, name: row.name } });
  return (
    <main class="page" aria-labelledby="title">
      <header>
        <h1 id="title">{resource.kind}</h1>
        <FreshnessLine {...{ freshness, nowMs }}>{countText(live)}</FreshnessLine>
        <ExportButtons {...{ session, selection, live, columns, nowMs }} />
      </header>
      <SelectionBar {...{ session, resource, view, go }} />
      {freshness.phase === 'failed' ? (
        <Failure problem={freshness.problem}>
          {isForbidden(freshness.problem) ? <a href={whyAddress(resource, namespace)}>Why?</a> : null}
          <button type="button" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </button>
        </Failure>
      ) : null}
      {freshness.phase === 'failed' && rows.size === 0 ? null : (
        <VirtualTable
          {...{ rows, columns, nowMs, arrangement }}
          label={`${resource.kind} objects`}
          sort={view.sort}
          isDescending={view.isDescending}
          onSort={(name) => go(sortedBy(view, name))}
          addressOf={({ namespace, name }) => addressOf({ ...view, object: { namespace, name } })}
          onOpen={open}
        />
      )}
    </main>
  );
}

/** The page that explains why the list is refused. */
const whyAddress = (resource: DiscoveredResource, namespace: string): string =>
  addressOf({
    ...startView,
    kind: '~access',
    question: { verb: 'list', resource: kindWord(resource), namespace },
  });

/** How many objects there are, and how many match the search. */
function countText({ rows, isTruncated }: LiveRows): string {
  const count = rows.visible.length === rows.size ? `${rows.size}` : `${rows.visible.length} of ${rows.size}`;
  const more = isTruncated ? ' (there are more: narrow the selection)' : '';
  return `${count} object${rows.size === 1 ? '' : 's'}${more}`;
}

/** The order after a click on the head of a column: ascending, descending, that of the server. */
const sortedBy = ({ sort, isDescending }: View, name: string): Partial<View> =>
  sort !== name
    ? { sort: name, isDescending: false }
    : isDescending
      ? { sort: '', isDescending: false }
      : { isDescending: true };

/** Widths are determined when the columns and the first rows are there, and stay. */
function useColumns(live: LiveRows, hasNamespaces: boolean): readonly ShownColumn[] {
  const { columns, rows } = live;
  const isFilled = rows.size > 0;
  return useMemo(
    () => shownColumns(columns, rows.visible, hasNamespaces),
    [columns, rows, isFilled, hasNamespaces],
  );
}

/** Arranges the rows as the view says. Returns a text that changes with the arrangement. */
function useArrangement(
  live: LiveRows,
  { search, sort, isDescending, namespace, labels, fields }: View,
): string {
  const { columns, rows } = live;
  const index = columns.findIndex(({ name }) => name === sort);
  return useMemo(() => {
    rows.arrange(arrangementOf(live, { search, sort, isDescending, index }));
    return JSON.stringify([search, sort, isDescending, namespace, labels, fields]);
  }, [live, rows, search, sort, isDescending, index, namespace, labels, fields]);
}

function arrangementOf(
  { columns }: LiveRows,
  {
    search,
    sort,
    isDescending,
    index,
  }: Pick<View, 'search' | 'sort' | 'isDescending'> & { readonly index: number },
): Arrangement {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const column = columns[index];
  if (column === undefined) return { isDescending: isDescending && sort === 'Namespace', words };
  return { sortKey: (row) => sortValue(row, column, index), isDescending, words };
}
