import type { ApiError } from '@orch/machinery';
import { asObjects, type JsonObject } from '@orch/machinery/json';
import { UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { fileFlags } from '../../cli/flag-sets.ts';
import { reportFailure } from '../../cli/report-failure.ts';
import type { Io } from '../../io.ts';
import { fileTargets, type Target, targetName } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import { answerOutput, printAnswer } from './answer-output.ts';
import { ask, askForRequest } from './ask.ts';
import { causesText, requestText } from './cause-text.ts';
import { dryRun } from './dry-run.ts';

export const whyRefused = command({
  usage: 'why refused (-f FILE | AUDIT-ID | ) [flags]',
  about:
    'Explains why requests were refused: by authorization, flow control, a plugin, webhook, policy, quota or limit of admission, or as invalid. With files, each object is sent as a dry run: applied by the server, and not stored. With an audit id, the request is looked for on all replicas. Without arguments, the latest refused requests that the asked server remembers are explained.',
  examples: [
    { comment: 'Why an object would be refused', line: 'orchctl why refused -f settings.yaml' },
    { comment: 'The latest refused requests', line: 'orchctl why refused' },
  ],
  flags: { ...fileFlags, ...answerOutput },
  async run({ flags, words, io, session: open, signal }) {
    const [id, ...more] = words;
    if (more.length > 0 || (id !== undefined && flags.filename.length > 0))
      throw new UsageError('files or one audit id are required, or nothing for the latest refused requests');
    const session = await open();
    if (flags.filename.length > 0) {
      const targets = await fileTargets({ flags, io, session, signal });
      let status = 0;
      for (const target of targets)
        if (await isRefused(target, { session, io, output: flags.output, signal })) status = 1;
      return status;
    }
    const answer =
      id === undefined
        ? await ask(session, 'requests', { question: { is: 'refused' }, signal })
        : (await askForRequest(session, id, signal)).answer;
    printAnswer(io, { output: flags.output, answer, text: () => requestsText(answer) });
    return 0;
  },
});

interface DryRunContext {
  readonly session: Session;
  readonly io: Io;
  readonly output: 'text' | 'json' | 'yaml';
  readonly signal: AbortSignal;
}

/** Sends an object as a dry run, and prints why it is refused. */
async function isRefused(target: Target, { session, io, output, signal }: DryRunContext): Promise<boolean> {
  const auditId = io.env.random.uuid();
  const title = targetName(target);
  const failure = await dryRun(session, { target, auditId, signal });
  if (failure === undefined) {
    io.out.write(`${title} is not refused\n`);
    return false;
  }
  const { answer, requests } = await askForRequest(session, auditId, signal);
  const text = (): string => `${title} is refused\n${refusalText(failure, requests)}`;
  printAnswer(io, { output, answer, text });
  return true;
}

/** The causes that a replica remembers; the failure itself where none does. */
const refusalText = (failure: ApiError, requests: readonly JsonObject[]): string =>
  requests.length === 0
    ? `  ${reportFailure(failure).text}\n`
    : requests.map((request) => causesText(request, '  ')).join('');

/** Requests with their causes. */
export function requestsText(answer: JsonObject): string {
  const requests = asObjects(answer['requests']);
  if (requests.length === 0) return 'no such request is remembered\n';
  return requests.map((request) => `${requestText(request)}\n${causesText(request, '  ')}`).join('');
}
