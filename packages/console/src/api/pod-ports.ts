import { asNumber, asObject, asObjects, asText } from '@orch/machinery/json';
import type { Connection } from './connection.ts';

/** A port of a pod that is open on the machine of the user. */
export interface OpenPort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly local: number;
}

/** The ports that the program that serves the page has open. */
export async function readOpenPorts(program: Connection, signal: AbortSignal): Promise<readonly OpenPort[]> {
  const { ports } = asObject(await program.json({ target: '/ports' }, signal));
  return asObjects(ports).map((each) => ({
    namespace: asText(each['namespace']),
    name: asText(each['name']),
    port: asNumber(each['port']),
    local: asNumber(each['local']),
  }));
}

/** Opens a free local port for a port of a pod. */
export async function openPort(
  program: Connection,
  pod: Omit<OpenPort, 'local'>,
  signal: AbortSignal,
): Promise<void> {
  const request = { method: 'POST', target: '/ports', contentType: 'application/json' };
  await program.json({ ...request, body: JSON.stringify(pod) }, signal);
}

/** Closes a local port and its connections. */
export async function closePort(program: Connection, local: number, signal: AbortSignal): Promise<void> {
  await program.json({ method: 'DELETE', target: `/ports/${local}` }, signal);
}
