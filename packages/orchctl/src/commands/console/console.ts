import { openTunnel } from '@orch/client';
import { readPageFiles } from '@orch/console/files';
import { aborted } from '@orch/machinery/concurrency';
import { buildFacts } from '@orch/program/build';
import { switchFlag, wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { listen } from '../connect/listen.ts';
import { streamsOf } from '../connect/remote-command.ts';
import { openBrowser } from '../login/open-browser.ts';
import { PageAccess } from './access.ts';
import { pageServer } from './page-server.ts';
import { type ForwardPort, PodForwards } from './pod-forwards.ts';

const section = 'Flags';
const ADDRESS = '127.0.0.1';

export const consoleCommand = command({
  usage: 'console [--port=PORT] [--read-only] [flags]',
  about:
    'Serves a page that shows the objects of the server, and prints its address. Requests of the page have the credentials of this program, which the page does not see. The address contains a token that one browser can use once; other browsers, other users of this machine and pages of other sites are refused. On a terminal the address is opened in the browser.\n\nThe page can open ports of pods on this machine, as port-forward does, until it closes them or the command ends.\n\nWith --read-only this program refuses every request that could change something, also those that a page sends without the user, and opens no ports of pods.',
  examples: [
    { comment: 'On a free port, with all permissions of the user', line: 'orchctl console' },
    { comment: 'To look, without writes', line: 'orchctl console --read-only --open-browser=false' },
  ],
  flags: {
    port: wholeFlag({ name: 'port', short: 'p', help: 'The local port; 0 for any free one.', section }, 0, {
      least: 0,
      most: 65_535,
    }),
    readOnly: switchFlag(
      { name: 'read-only', help: 'Refuse requests that change something.', section },
      false,
    ),
    openBrowser: switchFlag(
      { name: 'open-browser', help: 'Open the browser; false only prints the address.', section },
      true,
    ),
  },
  hasArguments: false,
  async run({ flags, io, signal, session }) {
    const opened = await session();
    const { client, names, settings } = opened;
    const { env } = io;
    const { channelV4, channelV5 } = names.webSocketProtocols;
    const userAgent = `orchctl/${buildFacts().version}`;
    const access = new PageAccess(io.env.random);
    await using forwards = new PodForwards(forwarded(streamsOf(opened, io)), signal);
    let host = '';
    const server = await pageServer({
      ...{ access, transport: client.transport, isReadOnly: flags.readOnly, signal },
      files: readPageFiles(),
      forwards: flags.readOnly ? undefined : forwards,
      protocols: [channelV5, channelV4],
      openTunnel: (request, stop) => openTunnel({ settings, env }, { ...request, userAgent }, stop),
      session: {
        server: settings.server,
        naming: names.naming,
        isReadOnly: flags.readOnly,
        opensPorts: !flags.readOnly,
      },
      host: () => host,
    });
    host = `${ADDRESS}:${await listen(server, ADDRESS, flags.port)}`;
    const address = `http://${host}${access.firstTarget}`;
    io.out.write(`The console is at ${address}\nPress Ctrl-C to stop it.\n`);
    if (flags.openBrowser && io.out.columns !== undefined) openBrowser(address, io.environment);
    await aborted(signal);
    server.close();
    server.closeAllConnections();
    return 0;
  },
});

const forwarded =
  (streams: ReturnType<typeof streamsOf>): ForwardPort =>
  ({ namespace, name, port }, local, signal) =>
    streams.forward({ namespace, name }, { port, local }, signal);
