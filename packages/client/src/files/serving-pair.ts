import { type Env, messageOf } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { type CertificateWithKey, problemOfPair } from './pem.ts';
import { readSmallFile } from './small-file.ts';

/** Files of a serving certificate and its key, in PEM. They are read again every ten seconds. */
export interface PairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

const REREAD_MS = 10_000;

/** Throws for files that cannot be read, and for a key of another certificate. */
export function readPair({ certFile, keyFile }: PairFiles): CertificateWithKey {
  const pair = { cert: readSmallFile(certFile), key: readSmallFile(keyFile) };
  const wrong = problemOfPair(pair);
  if (wrong === undefined) return pair;
  throw new Error(`${wrong.of === 'cert' ? certFile : keyFile} ${wrong.problem}`);
}

/** Passes the pair to `present` every ten seconds while it can be used. Resolves when the signal aborts. */
export async function followPair(
  files: PairFiles,
  { clock, log }: Pick<Env, 'clock' | 'log'>,
  present: (pair: CertificateWithKey) => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await sleep(clock, REREAD_MS, signal);
    } catch {
      return;
    }
    try {
      present(readPair(files));
    } catch (error) {
      // The files may be in the middle of a change.
      log.warn('the serving certificate cannot be used', { error: messageOf(error) });
    }
  }
}
