import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

/** Lines of the files of a folder that this process has run. */
export class LineCoverage implements Disposable {
  readonly #session: Session;

  private constructor(session: Session) {
    this.#session = session;
  }

  /** Begins to count. Only files that are loaded afterwards are complete. */
  static async start(): Promise<LineCoverage> {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return new LineCoverage(session);
  }

  /** The lines that did not run, as `FILE:LINE`, and the number of all lines with code. */
  async read(folder: string): Promise<{ readonly missed: readonly string[]; readonly lines: number }> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const files = result.filter(
      ({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(folder),
    );
    const read = files.map((script) => linesOf(script, folder));
    return {
      missed: read.flatMap(({ missed }) => missed),
      lines: read.reduce((sum, { lines }) => sum + lines, 0),
    };
  }

  [Symbol.dispose](): void {
    this.#session.disconnect();
  }
}

/** Types are removed in place, so that offsets are those of the source. */
function linesOf({ url, functions }: Profiler.ScriptCoverage, folder: string) {
  const file = fileURLToPath(url);
  const source = readFileSync(file, 'utf8');
  const counts = new Uint32Array(source.length);
  // Inner ranges follow the outer ones that they are in.
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges) counts.fill(count, startOffset, endOffset);
  const missed: string[] = [];
  let lines = 0;
  let offset = 0;
  for (const [index, line] of source.split('\n').entries()) {
    const begin = offset + (line.length - line.trimStart().length);
    const isCode = /[a-z]/i.test(line) && !/^\s*(?:\/\/|\/?\*|import |export type|type )/.test(line);
    if (isCode) lines++;
    if (isCode && counts[begin] === 0) missed.push(`${file.slice(folder.length)}:${index + 1}`);
    offset += line.length + 1;
  }
  return { missed, lines };
}
