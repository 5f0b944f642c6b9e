/** A writer thread that takes everything and answers nothing, as one does whose disk hangs. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => undefined);
