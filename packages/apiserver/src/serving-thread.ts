/** The program of a further thread: serves the API as a replica does, on the port of the first thread (design 0020). */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@orch/machinery';
import { buildFacts, flagsOfMessage, type ProgramEnv, programEnv, StartError } from '@orch/program';
import { embeddedWorkerUrl, yamlThreadUrl } from './program-host.ts';
import { runApiServer } from './run-api-server.ts';
import { type Settings, settingsOf } from './settings/settings.ts';
import { FirstThread } from './threads/first-thread.ts';
import type { ThreadInput } from './threads/messages.ts';

if (parentPort === null) throw new Error('must be started as a thread of the API server');
const input = workerData as ThreadInput;
const settings = settingsOf(flagsOfMessage(input.flags));
const processEnv = programEnv(settings.flags, settings.metricRelease);
const first = new FirstThread(parentPort, processEnv.env);
const port = await first.port;
if (port !== undefined) await serve(settings, processEnv, port);
first.close();

async function serve(settings: Settings, processEnv: ProgramEnv, port: number): Promise<void> {
  const furtherThread = first.further(port, input);
  const host = {
    ...processEnv,
    build: buildFacts(),
    ...embeddedWorkerUrl(),
    ...yamlThreadUrl(),
    furtherThread,
    localPrograms: { controllerManager: () => furtherThread.controllerHealth() },
    onReady: () => first.send({ type: 'ready' }),
  };
  try {
    await runApiServer(settings, host, first.stop);
  } catch (error) {
    if (first.stop.aborted && error === first.stop.reason) return;
    // Other errors are faults of the program, whose stack the first thread receives.
    if (!(error instanceof StartError)) throw error;
    first.send({ type: 'failed', message: messageOf(error) });
  }
}
