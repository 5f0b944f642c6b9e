import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Kinds } from '../api/discovery.ts';
import type { Question } from '../api/why.ts';
import { kindWord } from './kind-list.tsx';

export interface AccessFormProps {
  readonly question: Question;
  readonly kinds: Kinds;
  readonly onAsk: (question: Question) => void;
}

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

const fields = [
  { name: 'verb', title: 'Verb', hint: 'delete', list: 'verbs' },
  { name: 'resource', title: 'Resource', hint: 'pods, pods/log or /metrics', list: 'resources' },
  { name: 'namespace', title: 'Namespace', hint: 'All' },
  { name: 'name', title: 'Name', hint: 'Any' },
  { name: 'user', title: 'User', hint: 'You' },
] as const;

/** The question about a permission, in the form of fields. */
export function AccessForm({ question, kinds, onAsk }: AccessFormProps) {
  const form = useRef<HTMLFormElement>(null);
  // The same fields stay, and with them the focus of those who ask by Enter.
  useLayoutEffect(() => {
    for (const { name } of fields) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = question[name] ?? '';
    }
  }, [JSON.stringify(question)]);
  return (
    <form
      ref={form}
      class="selection"
      aria-label="Operation"
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        onAsk(Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? '').trim()])));
      }}
    >
      {fields.map(({ name, title, hint, ...rest }) => (
        <label key={name}>
          <span>{title}</span>
          <input
            type="text"
            {...{ name, ...rest }}
            defaultValue={question[name] ?? ''}
            placeholder={hint}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
      ))}
      <Options id="verbs" values={verbs} />
      <Options id="resources" values={kinds.resources.map(kindWord)} />
      <button type="submit">Ask</button>
    </form>
  );
}

const Options = ({ id, values }: { readonly id: string; readonly values: readonly string[] }) => (
  <datalist id={id}>
    {values.map((value) => (
      <option key={value} value={value} />
    ))}
  </datalist>
);
