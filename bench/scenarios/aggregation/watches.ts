import { Audience } from '../../lib/audience.ts';
import type { BenchContext } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { rssBytes } from '../../lib/proc.ts';
import { extension, thingsOf } from './extension.ts';

const WATCHES = 1000;
/** Multiples of that which are measured; the first ones are not, because of the code that they compile. */
const MEASURED = 4;
const TARGET_KILOBYTES = 20;
const name = 'watched';

/** The memory of open watches of an extension API server, as clients open them: many on a connection. */
export async function proxiedWatches(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  await extension(context, subject, { name, protocol: 'h2' });
  const open = async (count: number): Promise<Audience> => {
    const paths = Array<string>(count).fill(`${thingsOf(name)}?watch=1`);
    const audience = await Audience.open(subject.target, 'h2', paths);
    await audience.until(count);
    return audience;
  };
  await using watches = new AsyncDisposableStack();
  watches.use(await open(WATCHES));
  const before = rssBytes(subject.pid);
  for (let left = MEASURED; left > 0; left -= 1) watches.use(await open(WATCHES));
  const value = (rssBytes(subject.pid) - before) / (MEASURED * WATCHES) / 1000;
  return [
    {
      what: `memory of each of ${MEASURED * WATCHES} watches through the proxy: RSS growth`,
      unit: 'kB',
      value,
      target: TARGET_KILOBYTES,
      note: `over HTTP/2 on both sides, beside ${WATCHES} that were open before; includes garbage`,
    },
  ];
}
