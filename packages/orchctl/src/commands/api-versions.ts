import { formatApiVersion } from '@orch/machinery';
import { command } from '../cli/command.ts';

export const apiVersions = command({
  usage: 'api-versions',
  about: 'Prints the API versions that the server serves, one a line.',
  examples: [{ comment: 'All versions', line: 'orchctl api-versions' }],
  flags: {},
  hasArguments: false,
  async run({ io, session }) {
    const { all } = await (await session()).resources.all();
    const versions = new Set(all.map(formatApiVersion));
    io.out.write(
      [...versions]
        .toSorted()
        .map((one) => `${one}\n`)
        .join(''),
    );
    return 0;
  },
});
