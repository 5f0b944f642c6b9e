import { request } from 'node:https';
import type { LaunchedServer } from '@orch/testkit';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty unless the whole answer was asked for. */
  readonly bytes: Buffer;
  readonly text: string;
}

/** A GET whose response is returned as received; reads its head only, unless `whole` is set. */
export function rawGet(
  server: LaunchedServer,
  path: string,
  options: { readonly accept?: string; readonly encoding?: string; readonly whole?: boolean },
): Promise<RawAnswer> {
  const { ca, cert, key } = server.config;
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, server.url), {
      ca,
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      agent: false,
      headers: {
        ...(options.accept ? { accept: options.accept } : {}),
        ...(options.encoding === undefined ? {} : { 'accept-encoding': options.encoding }),
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const head = { status: incoming.statusCode ?? 0, headers: incoming.headers };
      if (options.whole !== true) {
        incoming.destroy();
        resolve({ ...head, bytes: Buffer.alloc(0), text: '' });
        return;
      }
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({ ...head, bytes, text: bytes.toString() });
      });
    });
    outgoing.end();
  });
}
