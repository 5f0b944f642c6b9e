/** The page of the results: `docs/performance.md`. */
import { type BenchResult, met } from './measure.ts';
import { REFERENCE_GET_MICROS, slowness } from './reference.ts';
import { summaryOf } from './results-summary.ts';
import { round } from './round.ts';

/** The content of `bench/results/latest.json`. */
export interface Results {
  readonly hardware: string;
  readonly machine: {
    readonly referenceGetMicros: number;
    readonly getMicros: Readonly<Record<string, number>>;
  };
  readonly pods: number;
  readonly rows: readonly BenchResult[];
}

/** Notes of longer rows follow the table. */
const LONGEST_ROW = 200;

/** The table of results, and below it a numbered list of the notes that are too long for their row. */
export function tableOf(rows: readonly BenchResult[]): string {
  const notes: string[] = [];
  const lines = rows.map((row) => {
    const whole = lineOf(row, row.note ?? '');
    if (row.note === undefined || whole.length <= LONGEST_ROW) return whole;
    notes.push(row.note);
    return lineOf(row, `note ${notes.length}`);
  });
  const table = [
    '| what | measured | floor | ratio | target | met | note |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
  if (notes.length === 0) return table;
  return `${table}\n\nNotes:\n\n${notes.map((note, at) => `${at + 1}. ${note}`).join('\n')}`;
}

function lineOf(row: BenchResult, note: string): string {
  const cells = [
    row.what,
    `${round(row.value)} ${row.unit}`,
    row.floor === undefined ? '–' : round(row.floor),
    row.ratio === undefined ? '–' : `${row.ratio.toFixed(2)}×`,
    `${row.atLeast ? '≥' : '≤'} ${round(row.target)}`,
    met(row) ? 'yes' : 'no',
    note,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The scaling of the targets to the speed of the machine. */
export function referenceOf({ machine }: Results): string {
  const all = Object.values(machine.getMicros);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return `Targets in units of time are those of a machine on which a bare HTTPS GET of a pod costs ${REFERENCE_GET_MICROS} µs of CPU. On this machine it costs ${round(least)} to ${round(most)} µs, measured before and after every scenario. The targets below are therefore multiplied by ${slowness(least).toFixed(2)} to ${slowness(most).toFixed(2)}, as are times that are added to a floor, and rates are divided by that factor. Targets that are multiples of a floor, and those of memory, are not scaled. Some scenarios may have been measured later than others.`;
}

/** The page with all results. */
export function pageOf(results: Results): string {
  return `# Performance

What the server costs: first what it means for its users, then all results. \`make bench\` measures them and writes this page.

${summaryOf(results.rows)}
## Results

Every floor is measured in the same run. CPU is the CPU time of the server process per operation.

The watch cache loads the registry in up to three key ranges in parallel, at one revision. A resource belongs to one range, so the pods of the rows on growth are loaded as one range.

The server makes OpenAPI documents in the background and, after a change, only those parts that belong to the changed group version. The rows on definitions of 5 to 900 kB use a generated corpus with the shape of definitions that operators publish. They measure the CPU until all of them are served, listed by discovery and documented, and then the CPU of the first request for each document.

The server refuses an object whose defaults exceed the size limit of the store while it adds them: the cost of the refusal is linear in the bytes of the request, a small multiple of the cost of \`JSON.parse\`. Reads of the history and questions about fields cost a few scans of the states that they compare, at most 4 MiB for each page and 16 MiB for each question.

Hardware: ${results.hardware}. Objects: ${results.pods} pods.

${referenceOf(results)}

${tableOf(results.rows)}
`;
}
