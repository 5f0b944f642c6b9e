import { command } from '../cli/command.ts';
import { globalHelp } from '../cli/help.ts';

export const options = command({
  usage: 'options',
  about: 'Lists the flags that all commands have.',
  examples: [{ comment: 'Flags of all commands', line: 'orchctl options' }],
  flags: {},
  hasArguments: false,
  async run({ io }) {
    io.out.write(globalHelp());
    return 0;
  },
});
