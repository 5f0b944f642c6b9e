/** A dashboard as it is written in this folder. */
export interface Dashboard {
  /** Identifier in links; also the name of the file. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** Label whose values can be selected, of a series that has it. */
  readonly selection?: { readonly label: string; readonly series: string };
  readonly rows: readonly Row[];
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** Units of Grafana. */
export type Unit = 'short' | 'reqps' | 'ops' | 's' | 'bytes' | 'percentunit' | 'bool';

export interface Panel {
  readonly title: string;
  /** The text that explains the panel to a reader. */
  readonly description: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** Line that should not be exceeded. */
  readonly limit?: number;
}

export interface Query {
  readonly expr: string;
  /** Labels of a line, `{{verb}}`. */
  readonly legend: string;
}

const COLUMNS = 24;
const PANEL_HEIGHT = 8;
const PANELS_PER_ROW = 3;

/** The dashboard in the JSON model of Grafana, schema version 39. */
export function grafanaModel({ uid, title, description, selection, rows }: Dashboard): object {
  return {
    uid,
    title,
    description,
    tags: ['orch'],
    timezone: 'utc',
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [dataSource, ...(selection === undefined ? [] : [variableOf(selection)])] },
    panels: panelsOf(rows),
  };
}

const dataSource = {
  name: 'datasource',
  label: 'Data source',
  type: 'datasource',
  query: 'prometheus',
  current: {},
};

const variableOf = ({ label, series }: NonNullable<Dashboard['selection']>): object => ({
  name: label,
  label,
  type: 'query',
  datasource: { type: 'prometheus', uid: '$datasource' },
  query: `label_values(${series}, ${label})`,
  refresh: 2,
  includeAll: true,
  multi: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
});

function panelsOf(rows: readonly Row[]): readonly object[] {
  const out: object[] = [];
  let id = 1;
  let y = 0;
  for (const { title, panels } of rows) {
    out.push({
      id: id++,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    });
    y += 1;
    for (const [index, panel] of panels.entries()) {
      const w = COLUMNS / Math.min(PANELS_PER_ROW, panels.length);
      const x = (index % PANELS_PER_ROW) * w;
      const line = Math.floor(index / PANELS_PER_ROW);
      out.push(panelModel(panel, id++, { x, y: y + line * PANEL_HEIGHT, w, h: PANEL_HEIGHT }));
    }
    y += Math.ceil(panels.length / PANELS_PER_ROW) * PANEL_HEIGHT;
  }
  return out;
}

const panelModel = (
  { title, description, unit, queries, limit }: Panel,
  id: number,
  gridPos: object,
): object => ({
  id,
  type: 'timeseries',
  title,
  description,
  gridPos,
  datasource: { type: 'prometheus', uid: '$datasource' },
  fieldConfig: {
    defaults: {
      unit,
      min: 0,
      custom: {
        lineWidth: 1,
        fillOpacity: 10,
        showPoints: 'never',
        thresholdsStyle: { mode: limit === undefined ? 'off' : 'line' },
      },
      thresholds: {
        mode: 'absolute',
        steps: [
          { color: 'green', value: null },
          ...(limit === undefined ? [] : [{ color: 'red', value: limit }]),
        ],
      },
    },
    overrides: [],
  },
  options: {
    legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  targets: queries.map(({ expr, legend }, index) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    expr,
    legendFormat: legend,
    editorMode: 'code',
    range: true,
  })),
});
