/** A writer thread that never answers, as with a disk that hangs. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => undefined);
