import { podAddressOfMachine, registerExtension } from '@orch/testkit';
import type { BenchContext, Floor, Subject } from '../../lib/context.ts';
import { withoutBody } from '../../lib/context.ts';
import { RawConnection } from '../../lib/raw-client.ts';

export type BackendProtocol = 'h1' | 'h2';

/** An address of this machine to which API servers connect for pods. */
export function addressOfPods(): string {
  const address = podAddressOfMachine();
  if (address === undefined) throw new Error('this machine has no address beside loopback');
  return address;
}

export const groupOf = (name: string): string => `${name}.example.com`;
export const thingsOf = (name: string): string => `/apis/${groupOf(name)}/v1/namespaces/default/things`;

/** Starts an extension API server with the group of its name, and waits until it is served. */
export async function extension(
  context: BenchContext,
  subject: Subject,
  { name, protocol }: { readonly name: string; readonly protocol: BackendProtocol },
): Promise<Floor> {
  const address = addressOfPods();
  const backend = await context.extensionServer(protocol, address);
  await register(subject, name, backend.target.port);
  await served(subject, name);
  return backend;
}

/** Without verification of the certificate: it is that of the API servers. */
export const register = (subject: Subject, name: string, port: number): Promise<void> =>
  registerExtension(subject.server.client, 'kubernetes', {
    ...{ name, address: addressOfPods(), port },
    ...{ group: groupOf(name), version: 'v1' },
  });

/** Until the group version is proxied: before the first check it may be unavailable. */
async function served({ target }: Subject, name: string): Promise<void> {
  using connection = await RawConnection.open(target);
  const request = withoutBody(`${thingsOf(name)}/one`);
  for (let left = 500; left > 0; left -= 1) {
    const { status } = await connection.exchange(request);
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the extension API server ${name} is not served`);
}
