import type { ApiObject } from '@orch/machinery';
import { useState } from 'preact/hooks';
import { podCommands } from '../pods/pod-commands.ts';

/** Commands for a terminal, which connect it to a pod. */
export function PodCommandList({ pod }: { readonly pod: ApiObject }) {
  const [copied, setCopied] = useState('');
  const commands = podCommands(pod);
  if (commands.length === 0) return null;
  const onCopy = (command: string): void => {
    void navigator.clipboard.writeText(command).then(
      () => setCopied(command),
      () => setCopied(''),
    );
  };
  return (
    <section aria-labelledby="commands-title">
      <h2 id="commands-title">In a terminal</h2>
      <ul class="commands">
        {commands.map(({ title, command }) => (
          <li key={command}>
            <span>{title}</span>
            <code>{command}</code>
            <button type="button" aria-label={`Copy: ${title}`} onClick={() => onCopy(command)}>
              {copied === command ? 'Copied' : 'Copy'}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
