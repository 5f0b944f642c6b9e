/** The program of a further thread: serves the API as a replica does, on the port of the first thread (design 0020). */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@orch/machinery';
import { buildFacts, flagsOfMessage, programEnv, StartError } from '@orch/program';
import { embeddedWorkerUrl } from './program-host.ts';
import { runApiServer } from './run-api-server.ts';
import { settingsOf } from './settings/settings.ts';
import type { FromThread, ThreadInput, ToThread } from './threads/messages.ts';

const port = parentPort;
if (port === null) throw new Error('must be started as a thread of the API server');
const send = (message: FromThread): void => port.postMessage(message);
const stop = new AbortController();
const opened = Promise.withResolvers<number | undefined>();

port.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'serve':
      opened.resolve(message.port);
      break;
    case 'stop':
      opened.resolve(undefined);
      stop.abort(new Error('the process stops'));
  }
});

const flags = flagsOfMessage(workerData as ThreadInput);
const sharedPort = await opened.promise;
if (sharedPort !== undefined) await serve(sharedPort);
port.close();

async function serve(port: number): Promise<void> {
  const settings = settingsOf(flags);
  const host = {
    ...programEnv(flags, settings.metricRelease),
    build: buildFacts(),
    ...embeddedWorkerUrl(),
    furtherThread: { port },
    onReady: () => send({ type: 'ready' }),
  };
  try {
    await runApiServer(settings, host, stop.signal);
  } catch (error) {
    if (stop.signal.aborted && error === stop.signal.reason) return;
    // Other errors are faults of the program, whose stack the first thread receives.
    if (!(error instanceof StartError)) throw error;
    send({ type: 'failed', message: messageOf(error) });
  }
}
