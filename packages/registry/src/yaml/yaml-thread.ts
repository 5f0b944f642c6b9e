/**
 * Entry of the thread that parses large bodies of YAML: a separate bundle, whose URL the composition root passes to the registry.
 * Must not be imported.
 */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { encodeJson } from '@orch/machinery/json';
import { parseYaml, YamlSyntaxError } from '@orch/machinery/yaml';
import type { YamlAnswer, YamlQuestion } from './yaml-parser.ts';

if (parentPort === null) throw new Error('yaml-thread is the entry of a worker thread');
const port = parentPort;

/** The nice value of the thread: a tenth of the weight of the threads that serve requests. */
const NICE = 10;
// On Linux, 0 is the thread that calls; elsewhere it is the whole process.
if (process.platform === 'linux') setPriority(0, NICE);

port.on('message', (question: YamlQuestion) => {
  const answer = answerTo(question);
  port.postMessage(answer, answer.type === 'json' ? [answer.json.buffer] : []);
});

function answerTo({ bytes, reportDuplicates }: YamlQuestion): YamlAnswer {
  const duplicates: string[] = [];
  try {
    const value = parseYaml(
      bytes,
      reportDuplicates ? { onDuplicateKey: (path) => void duplicates.push(path) } : {},
    );
    // A separate buffer, which moves to the other thread.
    return { type: 'json', json: new Uint8Array(encodeJson(value)), duplicates };
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    const { problem, line, column, kind } = error;
    return { type: 'malformed', problem, position: { line, column }, kind };
  }
}
