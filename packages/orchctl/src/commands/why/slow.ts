import { UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { answerOutput, printAnswer } from './answer-output.ts';
import { ask, askForRequest } from './ask.ts';
import { requestsText } from './refused.ts';

export const whySlow = command({
  usage: 'why slow [AUDIT-ID] [flags]',
  about:
    'Explains why requests took half a second or more: waiting in queues of flow control, admission webhooks and plugins, authorization, transactions of the store. With an audit id, the request is looked for on all replicas. Without, the latest slow requests that the asked server remembers are explained.',
  examples: [{ comment: 'The latest slow requests', line: 'orchctl why slow' }],
  flags: answerOutput,
  async run({ flags, words: [id, ...more], io, session: open, signal }) {
    if (more.length > 0) throw new UsageError('at most one audit id is possible');
    const session = await open();
    const answer =
      id === undefined
        ? await ask(session, 'requests', { question: { is: 'slow' }, signal })
        : (await askForRequest(session, id, signal)).answer;
    printAnswer(io, { output: flags.output, answer, text: () => requestsText(answer) });
    return 0;
  },
});
