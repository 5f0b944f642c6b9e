import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';

/** One line that describes the machine of a result. */
export function hardwareLine(): string {
  const model =
    /model name\s*:\s*(.*)/.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? cpus()[0]?.model ?? 'unknown';
  return `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`;
}
