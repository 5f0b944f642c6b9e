import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reports whether a browser of this machine can show a page to the user: not without a display, and not for a remote shell. */
export function hasBrowser(environment: Environment, platform: NodeJS.Platform = process.platform): boolean {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  if (isSet('BROWSER')) return true;
  if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return false;
  return platform === 'darwin' || platform === 'win32' || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY');
}

/** Opens an address in the browser of the user, without a shell. Without one nothing happens: the address is printed, too. */
export function openBrowser(url: string, environment: Environment): void {
  if (!hasBrowser(environment)) return;
  const [program, ...args] = browserCommand(environment);
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', env: { ...environment } });
  child.on('error', () => undefined);
  child.unref();
}

function browserCommand(environment: Environment): readonly [string, ...string[]] {
  const own = environment['BROWSER'] ?? '';
  if (own !== '') return [own];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
