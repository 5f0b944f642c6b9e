import type { ApiObject } from '@orch/machinery';
import { useState } from 'preact/hooks';
import type { Connection } from '../api/connection.ts';
import { closePort, type OpenPort, openPort, readOpenPorts } from '../api/pod-ports.ts';
import { portsOf } from '../pods/pod-commands.ts';
import { Failure } from './notice.tsx';
import { useAnswer } from './use-answer.ts';
import { useStop } from './use-stop.ts';

export interface PodPortsProps {
  readonly program: Connection;
  readonly pod: ApiObject;
}

/** The ports of a pod, each of which can be opened on the machine of the user. */
export function PodPorts({ program, pod }: PodPortsProps) {
  const { namespace = '', name = '' } = pod.metadata;
  const [changes, setChanges] = useState(0);
  const [problem, setProblem] = useState<unknown>();
  const stop = useStop();
  const answer = useAnswer(`${changes}`, (signal) => readOpenPorts(program, signal), { keepsEarlier: true });
  const ports = portsOf(pod);
  if (ports.length === 0) return null;
  const change = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
      setProblem(undefined);
    } catch (failure) {
      if (!stop.aborted) setProblem(failure);
    }
    setChanges((count) => count + 1);
  };
  const open = answer.kind === 'found' ? answer.value : [];
  const localOf = (port: number): OpenPort | undefined =>
    open.find((each) => each.namespace === namespace && each.name === name && each.port === port);
  return (
    <section aria-labelledby="ports-title">
      <h2 id="ports-title">Ports</h2>
      <p class="quiet">
        An open port is on this machine until you close it or stop the console. Every program and user of this
        machine can connect to it.
      </p>
      {problem === undefined ? null : <Failure problem={problem} />}
      <ul class="commands">
        {ports.map((port) => {
          const { local } = localOf(port) ?? {};
          return (
            <li key={port}>
              <span>{`Port ${port}`}</span>
              {local === undefined ? (
                <button
                  type="button"
                  aria-label={`Open port ${port} on this machine`}
                  onClick={() => change(openPort(program, { namespace, name, port }, stop))}
                >
                  Open
                </button>
              ) : (
                <>
                  <a href={`http://localhost:${local}/`} target="_blank" rel="noopener noreferrer">
                    {`localhost:${local}`}
                  </a>
                  <button
                    type="button"
                    aria-label={`Close port ${local} of this machine`}
                    onClick={() => change(closePort(program, local, stop))}
                  >
                    Close
                  </button>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
