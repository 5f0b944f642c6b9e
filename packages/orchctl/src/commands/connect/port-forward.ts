import { messageOf } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';
import { listFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import { forwardedPort } from './forwarded-ports.ts';
import { hostText } from './listen.ts';
import { Listeners } from './listeners.ts';
import { objectOf, podsOf, podTimeoutFlag } from './pods.ts';
import { podName, streamsOf } from './remote-command.ts';

export const portForward = command({
  usage: 'port-forward (POD | TYPE/NAME) [LOCAL_PORT:]REMOTE_PORT... [flags]',
  about:
    'Listens on local ports and forwards connections to ports of a pod, until it is interrupted. 0 or nothing as the local port is any free one. The ports of a service are those of the service; a ready one of its pods is chosen at the start.\n\nOnly this machine can connect, unless --address sets another address.',
  examples: [
    { comment: 'Port 8080 of this machine to port 80 of a pod', line: 'orchctl port-forward web 8080:80' },
    { comment: 'A free local port to a port of a service', line: 'orchctl port-forward service/web :http' },
    { comment: 'Several ports', line: 'orchctl port-forward deployment/web 8080:80 8443:443' },
  ],
  flags: {
    address: listFlag(
      {
        name: 'address',
        help: 'Addresses to listen on; localhost stands for both loopback addresses.',
        section: 'Flags',
      },
      ['localhost'],
    ),
    ...podTimeoutFlag(60_000),
  },
  async run({ flags, words, io, signal, ...invocation }) {
    const [target, ...texts] = words;
    if (target === undefined || texts.length === 0)
      throw new UsageError('TYPE/NAME and list of ports are required for port-forward');
    const session = await invocation.session();
    const wait = { ms: flags.podRunningTimeoutMs, io };
    const named = await objectOf(target, { session, signal });
    const [pod] = await podsOf(named, { session, signal, wait });
    if (pod === undefined)
      throw new CommandError(`${target} selects no pods in namespace ${session.namespace}`);
    const { phase = '' } = pod.status ?? {};
    if (phase !== 'Running')
      throw new CommandError(`unable to forward port because pod is not running. Current status=${phase}`);
    const ports = texts.map((text) => forwardedPort(text, named, pod));
    const streams = streamsOf(session, io);
    await using listeners = new Listeners(async (local, { remote }, port) => {
      io.out.write(`Handling connection for ${port}\n`);
      try {
        await streams.forward(podName(pod), { port: remote, local }, signal);
      } catch (error) {
        local.destroy();
        if (!signal.aborted) io.err.write(`error: forwarding ${port} -> ${remote}: ${messageOf(error)}\n`);
      }
    });
    for (const port of ports)
      for (const { address, local } of await listeners.open(flags.address, port))
        io.out.write(`Forwarding from ${hostText(address)}:${local} -> ${port.remote}\n`);
    await aborted(signal);
    return 0;
  },
});
