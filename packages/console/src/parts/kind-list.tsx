import type { DiscoveredResource } from '@orch/client';
import { useState } from 'preact/hooks';
import type { Kinds } from '../api/discovery.ts';
import { addressOf, startView, type View } from '../view/view.ts';

/** The word of a resource in addresses and commands: `pods`, `deployments.apps`. */
export const kindWord = ({ resource, group }: Pick<DiscoveredResource, 'resource' | 'group'>): string =>
  group === '' ? resource : `${resource}.${group}`;

export interface KindListProps {
  readonly kinds: Kinds;
  readonly view: View;
  /** Pages that show no kind. */
  readonly tools: readonly { readonly word: string; readonly title: string }[];
  /** Called when a kind was chosen. */
  readonly onChosen: () => void;
}

/** Every kind whose objects can be listed, by group. */
export function KindList({ kinds, tools, view, onChosen }: KindListProps) {
  const [search, setSearch] = useState('');
  const listed = kinds.resources.filter(
    (one) => one.verbs.includes('list') && namesOf(one).some((name) => name.includes(search.toLowerCase())),
  );
  const groups = Map.groupBy(listed, ({ group }) => group);
  return (
    <nav aria-label="Kinds" class="kinds">
      <label>
        <span>Kinds</span>
        <input
          id="kind-search"
          type="search"
          value={search}
          placeholder="Filter"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </label>
      <ToolList {...{ tools, view, onChosen }} word={search.toLowerCase()} />
      {[...groups].map(([group, resources]) => (
        <section key={group}>
          <h2>{group === '' ? 'core' : group}</h2>
          <ul>
            {resources.map((one) => (
              <li key={one.resource}>
                <a
                  href={addressOf({ ...startView, kind: kindWord(one), namespace: view.namespace })}
                  onClick={onChosen}
                  {...(kindWord(one) === view.kind && { 'aria-current': 'page' as const })}
                >
                  {one.resource}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <FailedGroups kinds={kinds} />
    </nav>
  );
}

interface ToolListProps extends Omit<KindListProps, 'kinds'> {
  readonly word: string;
}

const ToolList = ({ tools, view, onChosen, word }: ToolListProps) => (
  <ul aria-label="Pages">
    {tools
      .filter(({ title }) => title.toLowerCase().includes(word))
      .map((tool) => (
        <li key={tool.word}>
          <a
            href={addressOf({ ...startView, kind: tool.word })}
            onClick={onChosen}
            {...(tool.word === view.kind && { 'aria-current': 'page' as const })}
          >
            {tool.title}
          </a>
        </li>
      ))}
  </ul>
);

const namesOf = (one: DiscoveredResource): readonly string[] =>
  [one.resource, one.kind, one.group, ...one.shortNames].map((name) => name.toLowerCase());

const FailedGroups = ({ kinds }: { readonly kinds: Kinds }) =>
  kinds.failed.size === 0 ? null : (
    <section>
      <h2>Without an answer</h2>
      <ul>
        {[...kinds.failed].map(([version, reason]) => (
          <li key={version}>{`${version}: ${reason}`}</li>
        ))}
      </ul>
    </section>
  );
