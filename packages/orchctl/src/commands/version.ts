import { asObject, asText } from '@orch/machinery/json';
import { encodeYaml } from '@orch/machinery/yaml';
import { buildFacts } from '@orch/program/build';
import { choiceFlag, switchFlag } from '@orch/program/flags';
import { command } from '../cli/command.ts';
import { encodeKyaml } from '../print/kyaml.ts';
import { sortedFields } from '../print/sorted-fields.ts';

const section = 'Flags';

export const version = command({
  usage: 'version [--client] [-o json|yaml|kyaml]',
  about: 'Prints the version of this program, and that of the server of the current context.',
  examples: [
    { comment: 'Both versions', line: 'orchctl version' },
    { comment: 'Without a request to the server', line: 'orchctl version --client' },
  ],
  flags: {
    client: switchFlag({ name: 'client', help: 'Print the version of this program only.', section }),
    output: choiceFlag(
      { name: 'output', short: 'o', help: 'The format of the output.', section },
      ['', 'json', 'yaml', 'kyaml'],
      '',
    ),
  },
  hasArguments: false,
  async run({ io, flags, session, signal }) {
    const { version: own, commit, date } = buildFacts();
    const clientVersion = { gitVersion: `v${own}`, gitCommit: commit, buildDate: date };
    const server = flags.client
      ? undefined
      : asObject(
          await (await session()).client.raw({ method: 'GET', target: '/version', headers: {} }, signal),
        );
    const both = { clientVersion, ...(server !== undefined && { serverVersion: server }) };
    if (flags.output === 'json') io.out.write(`${JSON.stringify(both, undefined, 2)}\n`);
    else if (flags.output === 'yaml') io.out.write(encodeYaml(sortedFields(both)));
    else if (flags.output === 'kyaml') io.out.write(encodeKyaml(sortedFields(both)));
    else {
      io.out.write(`Client Version: ${clientVersion.gitVersion}\n`);
      if (server !== undefined) io.out.write(`Server Version: ${asText(server['gitVersion'])}\n`);
    }
    return 0;
  },
});
