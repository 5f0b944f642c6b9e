import { UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { completionScripts } from './scripts.ts';

const shells = Object.keys(completionScripts).join('|');

export const completion = command({
  usage: `completion (${shells})`,
  about:
    'Prints the script that completes commands, flags, types, names of objects, namespaces, contexts and containers in a shell. Names come from the server of the current context, within three seconds.',
  examples: [
    { comment: 'In this bash', line: 'orchctl completion bash' },
    { comment: 'For zsh', line: 'orchctl completion zsh' },
    { comment: 'For fish', line: 'orchctl completion fish' },
  ],
  flags: {},
  async run({ io, words }) {
    const [shell = '', ...more] = words;
    const script = completionScripts[shell];
    if (script === undefined || more.length > 0)
      throw new UsageError(`one of ${shells.replaceAll('|', ', ')} is required: completion (${shells})`);
    io.out.write(script);
    return 0;
  },
});
