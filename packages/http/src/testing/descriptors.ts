import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Number of open file descriptors of a process for accepted connections of a port (Linux). Connections that the same
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

/** Inodes of sockets with this local port, except the listening one. */
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
      // Closed since the directory was read.
      return [];
    }
  });
}
