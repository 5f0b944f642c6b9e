import type { FuzzTarget } from './target.ts';

/** CPU time that one input of some kilobytes may take: some hundred times what a slow one takes. */
const CPU_LIMIT_MS = 2000;

/** The check of a target, which also fails if the input takes too long. */
export function checkInput(target: FuzzTarget): (data: Buffer) => Promise<void> | void {
  return (data) => {
    const before = process.cpuUsage();
    const done = (): void => {
      const { user, system } = process.cpuUsage(before);
      const took = (user + system) / 1000;
      if (took > CPU_LIMIT_MS) throw new Error(`${data.length} bytes took ${Math.round(took)} ms of CPU`);
    };
    const checked = target.check(data);
    return checked === undefined ? done() : checked.then(done);
  };
}
