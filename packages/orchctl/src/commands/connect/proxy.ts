import { createServer } from 'node:http';
import { aborted } from '@orch/machinery/concurrency';
import { textFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { hostText, listen } from './listen.ts';
import { type ProxyFilter, proxyRequest } from './proxy-request.ts';

const flag = (name: string, help: string, initial: string) =>
  textFlag({ name, help, section: 'Flags' }, initial);

export const proxy = command({
  usage: 'proxy [--port=PORT] [flags]',
  about:
    'Serves the API over HTTP on a local port, with the credentials of this program and without credentials of the caller: every program of this machine can use it. Requests whose Host header names another machine, and paths that connect to containers, are refused; web pages of other sites cannot use it then.\n\nUpgraded connections (exec, attach, port-forward) are not passed on.',
  examples: [
    { comment: 'On a free port, which is printed', line: 'orchctl proxy --port=0' },
    { comment: 'Reads only', line: "orchctl proxy --reject-methods='POST,PUT,PATCH,DELETE'" },
  ],
  flags: {
    port: wholeFlag(
      { name: 'port', short: 'p', help: 'The local port; 0 for any free one.', section: 'Flags' },
      8001,
      { least: 0, most: 65_535 },
    ),
    address: flag('address', 'The address to listen on.', '127.0.0.1'),
    acceptHosts: flag(
      'accept-hosts',
      'Patterns of accepted hosts, separated by commas.',
      '^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$',
    ),
    acceptPaths: flag('accept-paths', 'Patterns of accepted paths, separated by commas.', '^.*'),
    rejectPaths: flag(
      'reject-paths',
      'Patterns of refused paths, separated by commas.',
      '^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach',
    ),
    rejectMethods: flag('reject-methods', 'Patterns of refused methods, separated by commas.', '^$'),
  },
  async run({ flags, words, io, signal, session }) {
    if (words.length > 0) throw new UsageError(`unknown argument: ${words[0]}`);
    const filter: ProxyFilter = {
      acceptHosts: patterns('accept-hosts', flags.acceptHosts),
      acceptPaths: patterns('accept-paths', flags.acceptPaths),
      rejectPaths: patterns('reject-paths', flags.rejectPaths),
      rejectMethods: patterns('reject-methods', flags.rejectMethods),
    };
    const { client } = await session();
    const server = createServer((request, response) =>
      proxyRequest({ request, response }, { filter, transport: client.transport, signal }),
    );
    const port = await listen(server, flags.address, flags.port);
    io.out.write(`Starting to serve on ${hostText(flags.address)}:${port}\n`);
    await aborted(signal);
    server.close();
    server.closeAllConnections();
    return 0;
  },
});

function patterns(name: string, text: string): readonly RegExp[] {
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      try {
        return new RegExp(part, 'u');
      } catch (error) {
        throw new UsageError(`invalid value ${JSON.stringify(part)} for --${name}: ${String(error)}`);
      }
    });
}
