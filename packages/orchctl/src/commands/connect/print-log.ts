import type { TextOutput } from '../../io.ts';
import type { Session } from '../../session/session.ts';
import type { Pod } from './pods.ts';
import { writeAll } from './remote-command.ts';

/** The log of one container. */
export interface LogSource {
  readonly pod: Pod;
  readonly container: string;
}

export interface LogPrint {
  readonly query: URLSearchParams;
  /** Written before each line; empty for none. */
  readonly prefix: string;
  readonly out: TextOutput;
  readonly session: Session;
  readonly signal: AbortSignal;
}

const NEWLINE = 0x0a;
/** Maximum size of an incomplete line that is kept until the line is complete. */
const MAX_LINE_BYTES = 1024 * 1024;

/** Prints a log as it arrives, in complete lines, so that the lines of several logs are not mixed. */
export async function printLog(
  { pod }: LogSource,
  { query, prefix, out, session, signal }: LogPrint,
): Promise<void> {
  const { namespace = '', name = '' } = pod.metadata;
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/log`;
  const request = { method: 'GET', target: `${path}?${query}`, headers: { accept: '*/*' } };
  let rest = Buffer.alloc(0);
  for await (const chunk of session.client.rawStream(request, signal)) {
    const data = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    const end = data.lastIndexOf(NEWLINE) + 1;
    const complete = end === 0 && data.length > MAX_LINE_BYTES ? data.length : end;
    rest = data.subarray(complete);
    if (complete > 0) await writeAll(out, prefixed(data.subarray(0, complete), prefix));
  }
  if (rest.length > 0) await writeAll(out, prefixed(rest, prefix));
}

function prefixed(lines: Buffer, prefix: string): Buffer {
  if (prefix === '') return lines;
  const parts: Buffer[] = [];
  for (let start = 0; start < lines.length; ) {
    const at = lines.indexOf(NEWLINE, start);
    const end = at < 0 ? lines.length : at + 1;
    parts.push(Buffer.from(prefix), lines.subarray(start, end));
    start = end;
  }
  return Buffer.concat(parts);
}
