import { useState } from 'preact/hooks';
import type { PageSession } from '../api/session.ts';
import type { Selection } from '../api/tables.ts';
import { MAX_EXPORTED, yamlList } from '../api/yaml-list.ts';
import { cellText } from '../rows/cell-text.ts';
import { csvText } from '../rows/csv.ts';
import type { LiveRows } from '../rows/live-rows.ts';
import type { ShownColumn } from '../rows/shown-columns.ts';
import { kindWord } from './kind-list.tsx';
import { Failure } from './notice.tsx';
import { useStop } from './use-stop.ts';

export interface ExportButtonsProps {
  readonly session: PageSession;
  readonly selection: Selection;
  readonly live: LiveRows;
  readonly columns: readonly ShownColumn[];
  readonly nowMs: number;
}

/** Saves a list: the rows that are shown as CSV, or the objects of the selection as YAML. */
export function ExportButtons({ session, selection, live, columns, nowMs }: ExportButtonsProps) {
  const [problem, setProblem] = useState<unknown>();
  const stop = useStop();
  const name = kindWord(selection.resource);
  const onCsv = (): void => {
    const rows = live.rows.visible.map((row) =>
      columns.map(({ column, index }) => cellText(row, { column, index, nowMs })),
    );
    saveFile(`${name}.csv`, 'text/csv', csvText([columns.map(({ column }) => column.name), ...rows]));
  };
  const onYaml = async (): Promise<void> => {
    try {
      const text = await yamlList(session.connection, selection, stop);
      if (text === undefined)
        throw new Error(`there are more than ${MAX_EXPORTED} objects: narrow the selection`);
      saveFile(`${name}.yaml`, 'application/yaml', text);
      setProblem(undefined);
    } catch (failure) {
      if (!stop.aborted) setProblem(failure);
    }
  };
  return (
    <>
      <button type="button" onClick={onCsv}>
        Save CSV
      </button>
      <button type="button" onClick={onYaml}>
        Save YAML
      </button>
      {problem === undefined ? null : <Failure problem={problem} />}
    </>
  );
}

function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
