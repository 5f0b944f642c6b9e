import { command } from '../../cli/command.ts';
import { answerOutput, printAnswer } from './answer-output.ts';
import { ask } from './ask.ts';
import { requestsText } from './refused.ts';

export const whyDeprecated = command({
  usage: 'why deprecated [flags]',
  about:
    'Shows who uses deprecated versions of resources: the last request of each user and program for each version, the release that removes it, and the number of such requests since the asked server started. Watches count when they end. You see your own requests, and those of others if you may get /why/requests/all.',
  examples: [{ comment: 'What must change before an upgrade', line: 'orchctl why deprecated' }],
  flags: answerOutput,
  hasArguments: false,
  async run({ flags, io, session: open, signal }) {
    const answer = await ask(await open(), 'requests', { question: { is: 'deprecated' }, signal });
    printAnswer(io, { output: flags.output, answer, text: () => requestsText(answer) });
    return 0;
  },
});
