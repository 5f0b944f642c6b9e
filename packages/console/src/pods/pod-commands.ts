import type { ApiObject } from '@orch/machinery';
import { visibleText } from '@orch/machinery/formats';
import { asNumber, asObjects, asText, type JsonObject, specOf } from '@orch/machinery/json';

/** A command for a terminal, and what it does. */
export interface PodCommand {
  readonly title: string;
  readonly command: string;
}

/** The ports that the containers of a pod declare, without repetitions. */
export const portsOf = (pod: ApiObject): readonly number[] => [
  ...new Set(asObjects(specOf(pod)['containers']).flatMap(containerPorts)),
];

const containerPorts = (container: JsonObject): readonly number[] =>
  asObjects(container['ports']).map((port) => asNumber(port['containerPort']));

/** Commands that connect a terminal or a local port to a pod, which a page cannot do. */
export function podCommands(pod: ApiObject): readonly PodCommand[] {
  const { namespace = '', name = '' } = pod.metadata;
  const line = (verb: string, ...words: readonly string[]): string =>
    ['orchctl', verb, `--namespace=${namespace}`, name, ...words].map(shellWord).join(' ');
  return asObjects(specOf(pod)['containers']).flatMap((container) => {
    const own = asText(container['name']);
    return [
      { title: `A shell in ${own}`, command: line('exec', '-it', `--container=${own}`, '--', 'sh') },
      ...containerPorts(container).map((port) => ({
        title: `Port ${port} on this machine`,
        command: line('port-forward', `:${port}`),
      })),
    ];
  });
}

/** A word that a shell takes as it is. Control characters, which a terminal would obey, are visible. */
function shellWord(word: string): string {
  const plain = visibleText(word);
  return /^[\w.:=/-]+$/.test(plain) ? plain : `'${plain.replaceAll('\n', ' ').replaceAll("'", `'\\''`)}'`;
}
