import { asNumber, asObjects, asStrings, asText, type JsonObject } from '@orch/machinery/json';
import { UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { columnText } from '../../print/columns.ts';
import { answerOutput, printAnswer } from '../why/answer-output.ts';
import { askForRequest } from '../why/ask.ts';
import { causesText } from '../why/cause-text.ts';

export const trace = command({
  usage: 'trace AUDIT-ID [flags]',
  about:
    'Follows a request through the replicas of the server by its audit id, which responses have in the field Audit-Id: each replica that handled it, the stages with their times, and why it was refused or slow. Servers remember requests that failed, wrote, were slow or came with an audit id of the client. The exit status is 1 when none remembers it.',
  examples: [{ comment: 'A request', line: 'orchctl trace 5a1f6c1e-8a7b-4a0e-9a63-3d8b8d2f4f53' }],
  flags: answerOutput,
  async run({ flags, words: [id, ...more], io, session: open, signal }) {
    if (id === undefined || more.length > 0) throw new UsageError('exactly one audit id is required');
    const { answer, requests } = await askForRequest(await open(), id, signal);
    printAnswer(io, { output: flags.output, answer, text: () => traceText(answer, requests) });
    return requests.length === 0 ? 1 : 0;
  },
});

function traceText(answer: JsonObject, requests: readonly JsonObject[]): string {
  const replicas = asStrings(answer['replicas']);
  const asked = `asked ${replicas.length} ${replicas.length === 1 ? 'replica' : 'replicas'}: ${replicas.join(', ')}\n`;
  if (requests.length === 0) return `${asked}none remembers such a request of yours\n`;
  return asked + requests.map(handlingText).join('');
}

/** The request as one replica handled it. */
function handlingText(request: JsonObject): string {
  const { replica, receivedAt, method, target, code, durationMs, user, stages } = request;
  const rows = asObjects(stages).map(({ stage, name, ms, refused }) => [
    `  ${asText(stage)}`,
    asText(name),
    `${asNumber(ms) ?? 0} ms`,
    refused === true ? 'refused' : '',
  ]);
  return [
    `\n${asText(replica)}\n`,
    `  received ${asText(receivedAt)} from ${asText(user)}: ${asText(method)} ${asText(target)}\n`,
    `  answered ${String(code)} after ${String(durationMs)} ms\n`,
    columnText([['  STAGE', 'NAME', 'TIME', ''], ...rows]).replaceAll(/ +$/gm, ''),
    causesText(request, '  '),
  ].join('');
}
