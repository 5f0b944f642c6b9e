import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * How many open file descriptors of a process are connections that came in on a port (Linux). Connections that the same
 * process opened to that port are not counted, so client and server may be one process.
 */
export function acceptedDescriptors(port: number, pid: number | 'self' = 'self'): number {
  const inodes = new Set(connectionInodes(port, pid));
  return descriptorTargets(pid).filter((target) => {
    const socket = /^socket:\[(\d+)\]$/.exec(target);
    return socket !== null && inodes.has(socket[1] ?? '');
  }).length;
}

const LISTENING = '0A';

/** Inodes of sockets whose local port this is, but for the one that listens. */
function connectionInodes(port: number, pid: number | 'self'): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/${pid}/net/${family}`, 'utf8')
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local, , state, , , , , , inode = ''] = line.trim().split(/\s+/);
        return local?.endsWith(suffix) === true && state !== LISTENING ? [inode] : [];
      }),
  );
}

function descriptorTargets(pid: number | 'self'): string[] {
  const dir = `/proc/${pid}/fd`;
  return readdirSync(dir).flatMap((name) => {
    try {
      return [readlinkSync(`${dir}/${name}`)];
    } catch {
      // Closed since the folder was read.
      return [];
    }
  });
}
